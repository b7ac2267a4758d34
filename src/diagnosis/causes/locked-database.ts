import { CLAUSE_IDS } from '../../clause/clause-ids.ts';
import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure, RunView } from '../run-view.ts';
import { bodyOf, statusOf } from './reads.ts';

/** What databases say where one connection keeps another out: SQLite, PostgreSQL, MySQL. */
const SAID =
  /database (?:table )?is locked|SQLITE_(?:BUSY|LOCKED)|could not serialize access|deadlock detected|Deadlock found when trying to get lock|Lock wait timeout exceeded/;

/** Whether another request of the run was under way while this one was. */
function isAmongOthers({ exchange }: Failure, { failures }: RunView): boolean {
  const end = exchange.startedAt + exchange.duration;
  return failures.some(
    ({ exchange: other }) =>
      other.number !== exchange.number && other.startedAt < end && exchange.startedAt < other.startedAt + other.duration,
  );
}

export const lockedDatabase: CauseRule = {
  id: 'locked-database',
  title: 'Requests that arrive at the same time lock each other out of the database',
  advice:
    'Let one wait for the other, or try again (SQLite: a busy timeout on every connection, transactions that write begun with BEGIN IMMEDIATE, or a single connection). One request alone succeeds: to see it, send many at once (xargs -P)',
  clauses: CLAUSE_IDS,
  atOnce: true,
  sign: ({ exchange }) => (statusOf(exchange) >= 500 && SAID.test(bodyOf(exchange)) ? describeExchange(exchange, SAID) : undefined),
  suffices: (signs, run) => signs.some(({ failure }) => isAmongOthers(failure, run)),
};
