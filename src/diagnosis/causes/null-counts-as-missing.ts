import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { sentObject, statusOf } from './reads.ts';

/** A status of null or of no letters that was accepted. */
function isEmptyStatus({ exchange }: Failure): boolean {
  const sent = sentObject(exchange);
  return statusOf(exchange) === 201 && sent !== undefined && (sent['status'] === null || sent['status'] === '');
}

export const nullCountsAsMissing: CauseRule = {
  id: 'null-counts-as-missing',
  title: 'A null status is treated as an omitted status',
  advice:
    'Distinguish the two when the body is parsed: status can be omitted, but null is not one of its values (Go: json.RawMessage, Java: a @NotNull wrapper or JsonNullable, Python: no Optional type)',
  clauses: ['create.status-invalid'],
  sign: (failure) => (isEmptyStatus(failure) ? describeExchange(failure.exchange) : undefined),
  suffices: (signs) => signs.some(({ failure }) => sentObject(failure.exchange)?.['status'] === null),
};
