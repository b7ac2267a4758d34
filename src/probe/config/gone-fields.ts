// What version 2 had in the file and this one does not, each with what to do instead, until the next major version.

/** By name. */
export const GONE_FIELDS: ReadonlyMap<string, string> = new Map([
  ['objective', 'the rules in deploy/prometheus have an objective of 99.9 % and alert on its error budget; change it there'],
  ['writes', 'the monitor creates nothing, in any configuration; let `run` judge creations where animals may stay, such as in staging'],
  ['remindEvery', 'Alertmanager repeats alerts (its repeat_interval): set `alertmanagers`, or leave it out'],
  ['production', '`run` does not read this file; --production-base-url says where it must not write'],
  ['rawDays', 'runs are kept for a day; Prometheus keeps longer series of /metrics'],
  ['depth', 'what the monitor sends is the same at each depth; `budget` says how much of it a run sends'],
  ['token', 'give `tokens: { read, write }`: Prometheus and people read, POST /-/reload takes the one for writing'],
]);

const RECEIVERS = 'set `alertmanagers`, and let Alertmanager send to it (deploy/prometheus/alertmanager.yml), or use format json';

const ruled = (alerts: string): string => `${alerts} of deploy/prometheus/petstore-probe.rules.yml alerts about that`;

/** Values, by the name of their field. */
export const GONE_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  format: { pagerduty: RECEIVERS, ntfy: RECEIVERS },
  alertOnChanges: {
    flapping: ruled('PetstoreFlapping'),
    latency: ruled('PetstoreSlower'),
    certificate: ruled('PetstoreCertificateExpires'),
  },
};
