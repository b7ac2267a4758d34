import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure, RunView } from '../run-view.ts';
import { bitsOf, changedIn, integerSent, widthOf } from './exact-integers.ts';
import { statusOf } from './reads.ts';

const CLAUSES = [
  ...(['create.category-range', 'create.unusual-categories', 'create.round-trip', 'create.answer'] as const),
  ...(['get.identity', 'get.not-found', 'get.success', 'errors.no-server-error'] as const),
];

function isChanged(failure: Failure): boolean {
  const changed = changedIn(failure);
  return changed !== undefined && bitsOf(changed) !== undefined;
}

/** Whether an integer that needs more than 32 bits was rejected or crashed. */
function isRefused({ clause, exchange }: Failure): boolean {
  const sent = integerSent(exchange);
  if (sent === undefined || widthOf(sent) === 'narrow') return false;
  return clause.id === 'errors.no-server-error' ? statusOf(exchange) >= 500 : statusOf(exchange) === 400;
}

/** Every finding of the clause must be about such an integer, and one about an integer that a double holds. */
function isRefusedThroughout({ clause }: Failure, run: RunView): boolean {
  const all = run.failed(clause.id);
  const sent = all.map(({ exchange }) => integerSent(exchange)).filter((spelled) => spelled !== undefined);
  return all.every(isRefused) && sent.some((spelled) => widthOf(spelled) === 'beyond-int32');
}

/** Whether every integer that came back changed was kept in as few bits: a float may spell one of them so by chance. */
function isChangedThroughout(run: RunView): boolean {
  const changes = run
    .failed(...CLAUSES)
    .map(changedIn)
    .filter((changed) => changed !== undefined);
  return changes.every((changed) => bitsOf(changed) !== undefined);
}

export const integersTooNarrow: CauseRule = {
  id: 'integers-too-narrow',
  title: 'Integers are kept in 32 bits or fewer',
  advice: 'Declare id and categoryId as 64-bit integers everywhere: in the model (long, int64), the path parameter and the column (BIGINT)',
  clauses: CLAUSES,
  sign: (failure, run) =>
    (isChanged(failure) && isChangedThroughout(run)) || (isRefused(failure) && isRefusedThroughout(failure, run))
      ? describeExchange(failure.exchange)
      : undefined,
};
