import type { ClauseId } from '../clause/clause.ts';
import type { ReportedContrast, ReportedFinding } from '../clause/clause-record.ts';
import type { Diagnosis } from '../diagnosis/cause.ts';
import { isCut } from '../wire/redact.ts';
import { CURL, type RedactedExchange } from '../wire/redacted-exchange.ts';
import { CREATED, LEAST_ERROR } from '../wire/statuses.ts';
import type { BrokenClause } from './broken-clauses.ts';
import { causeAt } from './likely-causes.ts';
import { LONGEST_COMMAND } from './text.ts';

// What a reader pastes into a shell to see a finding again: one request, two in a row, or many at once.

/** Fewer requests rarely overlap; more would be a load test. */
const LEAST_AT_ONCE = 20;
const MOST_AT_ONCE = 40;
/** A name that nothing but the run made up, with what stands before and after it in the quoted body. */
const PLAIN_NAME = /("name":"[A-Za-z0-9]+)"/;
/** What a finding about creations at the same time counts, by where they are wrong; of other members, the whole bodies are shown. */
const COUNTED_MEMBERS: Readonly<Record<string, string>> = {
  '/name': ` | grep -o '"name": *"[^"]*"'`,
  '/id': ` | grep -o '"id": *[0-9-]*'`,
};

const isSingle = (exchanges: readonly RedactedExchange[]): boolean => exchanges.every(({ curl }) => curl.startsWith(CURL));

const isWhole = ({ url, requestHeaders, requestBody = '' }: RedactedExchange): boolean =>
  ![url, requestBody, ...requestHeaders.map(([, value]) => value)].some(isCut);

/** A command that is cut, or that sends only the beginning of what was sent, does something else. */
const unlessCut = (command: string, exchanges: readonly RedactedExchange[]): string | undefined =>
  command.length > LONGEST_COMMAND || !exchanges.every(isWhole) ? undefined : command;

/** The command that sends a request again; undefined if it is too long for a report. */
export const curlCommand = (exchange: RedactedExchange): string | undefined => unlessCut(exchange.curl, [exchange]);

/**
 * Each request many times at once, and how often each response or status came. Creations that succeed have a number at the end of their
 * names. Undefined for a body of bytes, which comes through a pipe.
 */
function atOnceCommand(exchanges: readonly RedactedExchange[], { count, pointer = '' }: { count: number; pointer?: string | undefined }) {
  if (!isSingle(exchanges)) return undefined;
  const sent = exchanges.map(({ curl, answer: response }) => {
    const status = response.kind === 'answered' ? response.status : LEAST_ERROR;
    // A status alone is written in one piece. Bodies are written line by line, so that none begins in the middle of another.
    if (status >= LEAST_ERROR) return `${curl.replace(CURL, String.raw`curl -sS -o /dev/null -w '%{http_code}\n' `)} &`;
    const numbered = status === CREATED ? curl.replace(PLAIN_NAME, `$1'"$i"'"`) : curl;
    return String.raw`printf '%s\n' "$(${numbered.replace(CURL, "curl -sS -w ' %{http_code}' ")})" &`;
  });
  const all = `(for i in $(seq ${Math.ceil(count / exchanges.length)}); do ${sent.join(' ')} done; wait)`;
  return unlessCut(`${all}${COUNTED_MEMBERS[pointer] ?? ''} | sort | uniq -c`, exchanges);
}

/** Two requests in a row, on one connection where the service keeps it. */
function inTurnCommand(before: RedactedExchange, then: RedactedExchange): string | undefined {
  const pair = [before, then];
  return unlessCut(isSingle(pair) ? `${before.curl} --next ${then.curl.slice('curl '.length)}` : `${before.curl}; ${then.curl}`, pair);
}

const endOf = ({ startedAt, duration }: RedactedExchange): number => startedAt + duration;

/** The two creations of a finding about creations in flight together; undefined if it is about anything else, or a later read shows it. */
function creationsTogether({ exchanges }: ReportedFinding): readonly RedactedExchange[] | undefined {
  const [one, other, ...more] = exchanges;
  if (one === undefined || other === undefined || more.length > 0) return undefined;
  const areCreations = one.operation === 'createPet' && other.operation === 'createPet';
  return areCreations && one.startedAt < endOf(other) && other.startedAt < endOf(one) ? [one, other] : undefined;
}

/** Their findings are about what a request inherits from the one before it. */
const OF_TWO_IN_TURN: readonly ClauseId[] = ['auth.every-request', 'create.independent'];

/** The two exchanges of a finding that are needed in turn. Not with a read: what is created again gets another id. */
function inTurnOf(clause: ClauseId, exchanges: readonly RedactedExchange[]): string | undefined {
  const [before, then, ...more] = exchanges;
  const isNeeded = OF_TWO_IN_TURN.includes(clause) && more.length === 0 && then?.operation !== 'getPet';
  return isNeeded && before !== undefined && then !== undefined ? inTurnCommand(before, then) : undefined;
}

const idOf = ({ answer: response }: RedactedExchange): string | undefined =>
  response.kind === 'answered' && response.status === CREATED ? /"id"\s*:\s*(-?\d+)/.exec(response.body ?? '')?.[1] : undefined;

/** The id in the body of a creation, as a filter of its response. */
const ID_FILTER = `grep -o '"id" *: *-*[0-9]*' | head -n 1 | grep -o -e '-*[0-9]*$'`;

/** A read of what was created before it: a new animal has another id. Undefined if nothing was. */
function createdThenRead(exchanges: readonly RedactedExchange[]): string | undefined {
  const read = exchanges.at(-1);
  const creation = exchanges.findLast(({ operation }) => operation === 'createPet');
  if (read === undefined || creation === undefined || creation === read) return undefined;
  const id = idOf(creation);
  const end = `/pets/${id}'`;
  if (id === undefined || !read.curl.endsWith(end)) return inTurnCommand(creation, read);
  const create = creation.curl.replace(CURL, 'curl -sS ');
  return unlessCut(`id=$(${create} | ${ID_FILTER}); ${read.curl.slice(0, -end.length)}/pets/'"$id"`, [creation, read]);
}

/** The command for the case that a contrast is about, if the request by itself does not show it. */
export function contrastCommand({ broken, before, atOnce }: ReportedContrast): string | undefined {
  if (broken === undefined) return undefined;
  if (atOnce !== undefined) return atOnceCommand([broken], { count: Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, atOnce)) });
  return before === undefined ? undefined : inTurnCommand(before, broken);
}

type Shown = Pick<BrokenClause, 'cases' | 'contrast'> & { readonly clause: Pick<BrokenClause['clause'], 'id'> };
const shownCase = ({ cases }: Pick<Shown, 'cases'>) => cases.find(({ exchange }) => exchange !== undefined);

export function companyCommand(broken: Shown, diagnosis: Diagnosis | undefined): string | undefined {
  const { clause, contrast } = broken;
  const { exchange, finding } = shownCase(broken) ?? {};
  if (exchange === undefined || finding === undefined) return undefined;
  if (diagnosis?.causes[causeAt(diagnosis, clause.id)]?.atOnce === true) return atOnceCommand([exchange], { count: LEAST_AT_ONCE });
  const together = creationsTogether(finding);
  if (together !== undefined) return atOnceCommand(together, { count: LEAST_AT_ONCE, pointer: finding.pointer });
  return (contrast && contrastCommand(contrast)) ?? inTurnOf(clause.id, finding.exchanges) ?? createdThenRead(finding.exchanges);
}

/** The command that shows that a clause is broken; undefined if none of its exchanges is kept, or the request is too long for a report. */
export function tryCommand(broken: Shown, diagnosis: Diagnosis | undefined): string | undefined {
  const exchange = shownCase(broken)?.exchange;
  return companyCommand(broken, diagnosis) ?? (exchange && curlCommand(exchange));
}
