import type { CauseRule, Sign } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { isRecord, tracesOf } from '../fingerprints/traces.ts';
import type { Failure, RunView } from '../run-view.ts';
import { statusOf } from './reads.ts';

const WRITERS: Readonly<Record<number, string>> = {
  400: 'the body parser or the validator',
  401: 'the authentication layer or a gateway',
  404: 'the router or a gateway',
};

/** A body that the service's own error handler would not write: none, no JSON, or other members. */
function isForeign({ exchange }: Failure): boolean {
  const traces = tracesOf(exchange);
  if (traces === undefined || WRITERS[traces.status] === undefined) return false;
  const { json } = traces;
  return !(isRecord(json) && typeof json['code'] === 'string' && typeof json['message'] === 'string');
}

const statusOfSigns = (signs: readonly Sign[]): number => signs.map(({ failure }) => statusOf(failure.exchange))[0] ?? 0;

/** Whether every response of that status is broken, and others are right. */
function isAllOfOneStatus(signs: readonly Sign[], run: RunView): boolean {
  const statuses = new Set(run.failed('errors.shape', 'media.json', 'media.well-formed').map(({ exchange }) => statusOf(exchange)));
  if (statuses.size !== 1) return false;
  const status = statusOfSigns(signs);
  const invariant = signs.find(({ failure }) => failure.check.kind === 'invariant')?.failure.check;
  const all = run.statuses().get(String(status)) ?? 0;
  const others = ['400', '401', '404'].some((other) => other !== String(status) && run.statuses().has(other));
  return others && invariant?.evidence?.broken === all;
}

/** Errors of one status that something else writes than all other errors. */
export const errorsOfOneStatus: CauseRule = {
  id: 'errors-of-one-status',
  title: (signs) => `Something other than the error handler writes the ${statusOfSigns(signs)} responses`,
  advice: (signs) =>
    `The other errors are Error bodies. Look at what returns ${statusOfSigns(signs)} before the service does: ${WRITERS[statusOfSigns(signs)]}`,
  clauses: ['errors.shape', 'media.json', 'media.well-formed'],
  sign: (failure) => (isForeign(failure) ? describeExchange(failure.exchange) : undefined),
  suffices: isAllOfOneStatus,
};
