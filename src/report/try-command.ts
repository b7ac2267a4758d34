import type { ClauseId } from '../clause/clause.ts';
import type { ReportedContrast } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import type { BrokenClause } from './broken-clauses.ts';
import { causeAt, type Diagnosis } from './likely-causes.ts';

// What a reader pastes into a shell to see a finding again: one request, two in a row, or many at once.

/** Fewer rarely meet, and more is a load test. */
const LEAST_AT_ONCE = 20;
const MOST_AT_ONCE = 40;
/** What xargs replaces by a number. */
const NUMBER = '@@';
const CURL = 'curl -sS -i ';
/** A name that nothing but the run made up. */
const PLAIN_NAME = /("name":"[A-Za-z0-9]+)"/;
const CREATED = 201;
const LEAST_ERROR = 400;

/** Many at once, and how often each status came: or, of creations that succeed, each name, which is another one for each request. */
function atOnceCommand({ curl, answer: response, operation }: RedactedExchange, count: number): string {
  // A body of bytes comes through a pipe of its own.
  if (!curl.startsWith(CURL)) return curl;
  const parallel = `seq ${count} | xargs -P ${count} -I${NUMBER}`;
  const status = response.kind === 'answered' ? response.status : LEAST_ERROR;
  if (operation === 'createPet' && status === CREATED && PLAIN_NAME.test(curl))
    return `${parallel} ${curl.replace(PLAIN_NAME, `$1${NUMBER}"`)} | grep -o '"name": *"[^"]*"' | sort | uniq -c`;
  // A body has no line break at its end, so the next response would begin in its last line.
  const shown = status < LEAST_ERROR ? String.raw`-w '\n'` : String.raw`-o /dev/null -w '%{http_code}\n'`;
  return `${parallel} ${curl.replace(CURL, `curl -sS ${shown} `)} | sort | uniq -c`;
}

/** Two requests in a row, on one connection where the service keeps it. */
function inTurnCommand(before: RedactedExchange, then: RedactedExchange): string {
  return [before, then].every(({ curl }) => curl.startsWith(CURL))
    ? `${before.curl} --next ${then.curl.slice('curl '.length)}`
    : `${before.curl}; ${then.curl}`;
}

const endOf = ({ startedAt, duration }: RedactedExchange): number => startedAt + duration;

/** Whether creations were in flight together: a finding about both needs both. */
function areTogether(exchanges: readonly RedactedExchange[]): boolean {
  const [one, other, ...more] = exchanges.filter(({ operation }) => operation === 'createPet');
  return one !== undefined && other !== undefined && more.length === 0 && one.startedAt < endOf(other) && other.startedAt < endOf(one);
}

/** Their findings are about what a request inherits from the one before it. */
const OF_TWO_IN_TURN: readonly ClauseId[] = ['auth.every-request', 'create.independent'];

/** The two exchanges of a finding that are needed in turn: a read of a created animal would show that one again. */
function inTurnOf(clause: ClauseId, exchanges: readonly RedactedExchange[]): string | undefined {
  const [before, then, ...more] = exchanges;
  const isNeeded = OF_TWO_IN_TURN.includes(clause) && more.length === 0 && then?.operation !== 'getPet';
  return isNeeded && before !== undefined && then !== undefined ? inTurnCommand(before, then) : undefined;
}

/** The command for the case that a contrast is about, if the request by itself does not show it. */
export function contrastCommand({ broken, before, atOnce }: ReportedContrast): string | undefined {
  if (broken === undefined) return undefined;
  if (atOnce !== undefined) return atOnceCommand(broken, Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, atOnce)));
  return before === undefined ? undefined : inTurnCommand(before, broken);
}

type Shown = Pick<BrokenClause, 'clause' | 'cases' | 'contrast'>;
const shownCase = ({ cases }: Shown) => cases.find(({ exchange }) => exchange !== undefined);

/** The command that shows that a clause is broken, if no single request does. */
export function companyCommand(broken: Shown, diagnosis: Diagnosis | undefined): string | undefined {
  const { clause, contrast } = broken;
  const { exchange, finding } = shownCase(broken) ?? {};
  const isAtOnce = diagnosis?.causes[causeAt(diagnosis, clause.id)]?.atOnce === true || areTogether(finding?.exchanges ?? []);
  if (isAtOnce && exchange !== undefined) return atOnceCommand(exchange, LEAST_AT_ONCE);
  return (contrast && contrastCommand(contrast)) ?? inTurnOf(clause.id, finding?.exchanges ?? []);
}

/** The command that shows that a clause is broken; undefined if none of its exchanges is kept. */
export function tryCommand(broken: Shown, diagnosis: Diagnosis | undefined): string | undefined {
  return companyCommand(broken, diagnosis) ?? shownCase(broken)?.exchange?.curl;
}
