/** Fields of version 2 that this one does not have, by name, each with what to do instead, until the next major version. */
export const GONE_FIELDS: ReadonlyMap<string, string> = new Map([
  ['objective', 'the rules in deploy/prometheus have an objective of 99.9 % and alert on its error budget; change it there'],
  ['writes', 'the monitor creates nothing, in any configuration; let `run` judge creations where animals may stay, such as in staging'],
  ['production', '`run` does not read this file; --production-base-url says where it must not write'],
  ['rawDays', 'runs are kept for a day; Prometheus keeps longer series of /metrics'],
  ['token', 'give `tokens: { read, write }`: Prometheus and people read, POST /-/reload takes the one for writing'],
]);
