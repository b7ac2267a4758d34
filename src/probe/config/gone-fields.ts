/** Fields of version 2 that this one does not have, by name, each with what to do instead, until the next major version. */
export const GONE_FIELDS: ReadonlyMap<string, string> = new Map([
  ['writes', 'the monitor creates nothing, in any configuration; let `run` judge creations where animals may stay, such as in staging'],
  ['remindEvery', 'Alertmanager repeats alerts (its repeat_interval): set `alertmanagers`, or leave it out'],
  ['production', '`run` does not read this file; --production-base-url says where it must not write'],
]);
