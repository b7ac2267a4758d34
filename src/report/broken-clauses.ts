import type { ClauseId } from '../clause/clause.ts';
import type { ClauseRecord, ReportedContrast, ReportedFinding } from '../clause/clause-record.ts';
import { kindText } from '../clause/failure-kind.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import type { Diagnosis } from '../diagnosis/cause.ts';
import { type Breakage, breakagesOf, byUrgency, byWeight, type KnownCase, weightOfAll } from '../diagnosis/repair-order.ts';
import { isSuccess, USER_AGENT } from '../wire/exchange.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { locatePointer } from './json-text.ts';
import { conditionOf, likelyText } from './likely-causes.ts';
import { clausesInOrder, type RunEffect, runEffectOf } from './tally.ts';
import { count, oneLine, shorten, thousands } from './text.ts';

/**
 * One way in which a clause is broken, with the exchange that shows it; `times` counts exchanges that differ only in generated names and
 * ids.
 */
export type DistinctCase = {
  readonly summary: string;
  readonly finding: ReportedFinding;
  readonly exchange: RedactedExchange | undefined;
  /** The header that is wrong, if one is. */
  readonly header?: string;
  readonly times: number;
};

/** A clause that is broken (or broken and waived). */
export type BrokenClause = {
  readonly clause: ClauseRecord;
  readonly runEffect: RunEffect;
  readonly found: string;
  /** Different cases, with those of different kinds first. */
  readonly cases: readonly DistinctCase[];
  /** Exchanges that break it, each counted once. */
  readonly total: number;
  /** Exchanges that it applies to; undefined if nobody counted them. */
  readonly judged: number | undefined;
  /** Situations that could not be judged because of it. */
  readonly waiting: number;
  /** The clause whose repair repairs this one. */
  readonly consequenceOf: ClauseId | undefined;
  /** Another broken clause, whose responses are all that breaks this one. */
  readonly repeats: ClauseId | undefined;
  /** When it is broken, if the run shows it. */
  readonly contrast: ReportedContrast | undefined;
  /** What waivers cover of it, and what this is; empty if no entry is for another failure of it. */
  readonly besideWaivers: string;
};

/**
 * The broken clauses in the order of repair: those that fail the run before warnings, each together with the others of its likely cause,
 * and last those that the repair of another one repairs.
 */
export function brokenClauses(record: RunRecord, diagnosis?: Diagnosis): readonly BrokenClause[] {
  const breakages = breakagesOf(record);
  const ranks = ranksOf(breakages, diagnosis);
  const place = ({ clause }: BrokenClause): number => ranks.get(clause.id) ?? ranks.size;
  return inDocumentOrder(record, breakages).toSorted(
    (left, right) => Number(left.runEffect !== 'fails') - Number(right.runEffect !== 'fails') || place(left) - place(right),
  );
}

/** The clauses that a waiver keeps from failing the run, in the order of the document. */
export function waivedClauses(record: RunRecord): readonly BrokenClause[] {
  return inDocumentOrder(record, breakagesOf(record, 'waived')).map((one) => ({ ...one, runEffect: 'neutral' }));
}

/**
 * What waives a clause, one text an entry: why and until when, and which failures it covers. Reports of earlier versions have the reason as a
 * note.
 */
export function waivedTexts({ verdict, note, failureKinds = [] }: ClauseRecord): readonly string[] {
  if (verdict !== 'waived') return [];
  const covered = failureKinds.flatMap((kind) => (kind.waiver === undefined ? [] : [{ kind, waiver: kind.waiver }]));
  if (covered.length === 0) return [note];
  return [...Map.groupBy(covered, ({ waiver }) => waiver.entry).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { entry, reason, ticket, expires, broad } = first.waiver;
    const kinds = [...new Set(same.map(({ kind }) => kindText(kind)))].join('; ');
    const why = `${reason} (${ticket === undefined ? '' : `${ticket}, `}until ${expires})`;
    return [`${why}; entry ${entry} covers ${broad === true ? 'every failure, now ' : ''}${kinds}`];
  });
}

/**
 * The rank of every clause. Clauses with the same cause are together; what no cause explains precedes a cause only if it is more urgent.
 */
function ranksOf(breakages: readonly Breakage[], { causes }: Diagnosis = { causes: [] }): ReadonlyMap<ClauseId, number> {
  const weighed = causes.map((cause) => {
    const explained = new Set(cause.explains);
    return { explained, weight: weightOfAll(breakages.filter(({ clause }) => explained.has(clause.id))) };
  });
  const placeOf = (one: Breakage): number => {
    if (one.consequenceOf !== undefined) return weighed.length;
    const cause = weighed.findIndex(({ explained }) => explained.has(one.clause.id));
    if (cause !== -1) return cause;
    const lessUrgent = weighed.findIndex(({ weight }) => byUrgency(one, weight) < 0);
    return (lessUrgent === -1 ? weighed.length : lessUrgent) - 0.5;
  };
  const ordered = breakages.toSorted((left, right) => placeOf(left) - placeOf(right) || byWeight(left, right));
  return new Map(ordered.map(({ clause }, index) => [clause.id, index]));
}

function inDocumentOrder(record: RunRecord, breakages: readonly Breakage[]): readonly BrokenClause[] {
  const broken = new Map(breakages.map((one) => [one.clause.id, one]));
  return clausesInOrder(record).flatMap((clause) => {
    const one = broken.get(clause.id);
    return one === undefined ? [] : [describe({ ...one, clause }, record)];
  });
}

function describe(breakage: Breakage, record: RunRecord): BrokenClause {
  const { clause, total, judged, waiting, consequenceOf, repeats } = breakage;
  const cases = distinctCases([...breakage.cases.values()], clause, record);
  return {
    clause,
    runEffect: runEffectOf(clause, record.options),
    found: oneLine(cases[0]?.summary ?? clause.findings[0]?.summary ?? clause.note, 300),
    cases,
    total,
    judged,
    waiting,
    consequenceOf,
    repeats,
    contrast: clause.contrast,
    besideWaivers: clause.besideWaivers ?? '',
  };
}

/** The cases whose exchanges are kept, with equal ones merged; one of each kind comes before the second of any. */
function distinctCases(known: readonly KnownCase[], clause: ClauseRecord, record: RunRecord): readonly DistinctCase[] {
  const mask = createMask(record.animals.prefix);
  const merged = new Map<string, DistinctCase>();
  for (const { summary, finding } of known) {
    if (finding === undefined) continue;
    const exchange = finding.exchanges.at(-1);
    const header = headerOf(finding, clause);
    const one = { summary, finding, exchange, ...(header === undefined ? {} : { header }) };
    const signature = exchange === undefined ? shortenForReport(summary) : mask(`${requestOf(exchange)}\n${shownOf(exchange, one)}`);
    const entry = merged.get(signature);
    const times = (entry?.times ?? 0) + 1;
    const isPlainer = entry === undefined || complexityOf({ exchange }) < complexityOf(entry);
    merged.set(signature, isPlainer ? { ...one, times } : { ...entry, times });
  }
  const cases = [...merged.values()].toSorted((left, right) => complexityOf(left) - complexityOf(right));
  const failureKinds = cases.map((one) => mask(kindOf(one)).replace(/\d+/g, '#'));
  const first = cases.filter((_one, index) => failureKinds.indexOf(failureKinds[index] ?? '') === index);
  return [...first, ...cases.filter((one) => !first.includes(one))];
}

/** `Content-Type: text/plain`: the header that is wrong, or what the finding says if it is about several; undefined if it is not about one. */
function headerOf({ failureKinds, received, exchanges }: ReportedFinding, { failureKinds: known = [] }: ClauseRecord): string | undefined {
  const kinds = failureKinds === undefined ? known : failureKinds.flatMap((index) => known[index] ?? []);
  const place = kinds.find((kind) => kind.place.startsWith('header'))?.place;
  const response = exchanges.at(-1)?.answer;
  if (place === undefined || response?.kind !== 'answered') return undefined;
  const name = place.replace(/^headers? ?/, '');
  if (name === '') return shortenForReport(received);
  const values = response.headers.flatMap(([one, value]) => (one.toLowerCase() === name.toLowerCase() ? [value] : []));
  return shortenForReport(values.length === 0 ? `no ${name}` : `${name}: ${values.join(', ')}`);
}

/** Requests with a smaller difference are equally plain. */
const COMPLEXITY_STEP = 64;
/** Each one counts as a step. */
const ESCAPES = /[%\\]/g;
/** A request without them is as special as one with an unusual value. */
const HEADERS_OF_ALL_CLIENTS: readonly string[] = ['accept', 'user-agent'];
/** Headers that differ between requests, or that the request line shows already. */
const USUAL_HEADERS: readonly string[] = ['authorization', 'traceparent', 'content-length'];

/**
 * How much there is to read in a request before its response can be understood, in steps: a plain request is the best example of what
 * breaks any request. Cases whose exchange is not kept come last.
 */
function complexityOf({ exchange }: Pick<DistinctCase, 'exchange'>): number {
  if (exchange === undefined) return Number.POSITIVE_INFINITY;
  const headers = exchange.requestHeaders.filter(([name, value]) => !USUAL_HEADERS.includes(name.toLowerCase()) && value !== USER_AGENT);
  const text = [exchange.url, exchange.requestBody ?? '', ...headers.flat()].join('');
  const lacking = HEADERS_OF_ALL_CLIENTS.filter((name) => !exchange.requestHeaders.some(([one]) => one === name));
  return Math.floor(text.length / COMPLEXITY_STEP) + (text.match(ESCAPES)?.length ?? 0) + lacking.length;
}

function requestOf({ method, url, requestBody = '', credential }: RedactedExchange): string {
  return [method, url, requestBody, credential].map(shortenForReport).join(' ');
}

/** Records are bounded already, but a report does not rely on it. */
function shortenForReport(text: string): string {
  return text.slice(0, 5_000);
}

/** What is wrong with the response: a header, the value that the pointer names, or else all of it. */
function shownOf(
  { answer: response }: RedactedExchange,
  { header, finding: { pointer = '' } }: Pick<DistinctCase, 'header' | 'finding'>,
): string {
  if (response.kind === 'failed') return shortenForReport(response.reason);
  if (header !== undefined) return `${response.status} ${header}`;
  const body = shortenForReport(response.body ?? '');
  const span = pointer === '' ? undefined : locatePointer(body, shortenForReport(pointer));
  return `${response.status} ${span === undefined ? body : `${shortenForReport(pointer)} ${body.slice(span.from, span.to)}`}`;
}

function kindOf(one: DistinctCase): string {
  const { exchange, summary } = one;
  return exchange === undefined ? shortenForReport(summary) : `${exchange.operation} ${shownOf(exchange, one)}`;
}

/** A text without what differs between requests: generated names and ids. */
function createMask(prefix: string): (text: string) => string {
  const names = /^[A-Za-z]{1,60}$/.test(prefix) ? new RegExp(`${prefix}[A-Za-z]*`, 'gi') : undefined;
  return (text) => (names === undefined ? text : text.replace(names, '*')).replace(/("id":\s*)-?\d+/g, '$1*');
}

const REJECTION = /^400\b/;

/** `19 of 21 bodies were accepted`, `601 of 641 responses`; undefined for a single case about which nothing else is known. */
export function extentOf({ cases, total, judged }: BrokenClause): string | undefined {
  if (judged === undefined && total === 1) return undefined;
  const of = judged === undefined ? '' : ` of ${thousands(judged)}`;
  const number = judged ?? total;
  if (areAcceptedBodies(cases)) {
    return `${thousands(total)}${of} ${number === 1 ? 'body' : 'bodies'} ${total === 1 ? 'was' : 'were'} accepted`;
  }
  return judged === undefined ? count(total, 'case') : `${thousands(total)}${of} ${number === 1 ? 'response' : 'responses'}`;
}

export function areAcceptedBodies(cases: readonly DistinctCase[]): boolean {
  return (
    cases.length > 0 &&
    cases.every(({ exchange, finding }) => {
      if (exchange?.answer.kind !== 'answered' || exchange.requestBody === undefined) return false;
      return isSuccess(exchange.answer.status) && REJECTION.test(finding.expected[0] ?? '');
    })
  );
}

export function describeBroken(broken: BrokenClause): string {
  const extent = extentOf(broken);
  const found = extent === undefined ? broken.found : `${extent}: ${broken.found}`;
  return broken.consequenceOf === undefined ? found : `consequence of ${broken.consequenceOf}: ${found}`;
}

/** Why a broken clause needs no separate repair, or nothing. */
export function consequenceText({ consequenceOf, total }: BrokenClause): string {
  if (consequenceOf === undefined) return '';
  if (consequenceOf.startsWith('create.')) return `of ${consequenceOf}: what it must reject is accepted, stored, and shown`;
  return `of ${consequenceOf}: ${total === 1 ? 'this request was not' : 'none of these requests was'} served`;
}

/** Why it is broken, as far as its cases do not contradict that; empty if nothing is known. */
export function likelyOf({ clause, contrast, cases }: BrokenClause, diagnosis: Diagnosis | undefined): string {
  return likelyText(clause, { diagnosis, contrast, findings: cases.map(({ finding }) => finding) });
}

/** What was expected for the first case, to match its finding: other cases may differ. */
export function expectedText({ cases }: BrokenClause): string {
  return oneLine((cases[0]?.finding.expected ?? []).slice(0, 6).join(', or '), 500);
}

/** `36 situations wait`, or nothing. */
export function waitsText({ waiting }: { readonly waiting: number }): string {
  return waiting === 0 ? '' : count(waiting, 'situation waits', 'situations wait');
}

/** `36 situations wait for this`, or nothing. */
export function waitingText(broken: BrokenClause): string {
  return broken.waiting === 0 ? '' : `${waitsText(broken)} for this`;
}

export type CaseText = { readonly request: string; readonly status: string; readonly received: string };

const LONGEST = 1_000;
const LONGEST_BODY = 5_000;
/** Characters of a body that is shown unchanged, and of a message. */
const SHORT_TEXT = 60;
/** Characters of an ordinary name in a body. */
const LONGEST_NAME = 40;
const VALID_CREDENTIAL = 'the API key';

export function hiddenCases({ cases, total }: Pick<BrokenClause, 'cases' | 'total'>): number {
  return total - cases.reduce((sum, { times }) => sum + times, 0);
}

/** ` (2 times)`, or nothing. */
export function timesText({ times }: DistinctCase): string {
  return times > 1 ? ` (${thousands(times)} times)` : '';
}

const ABOUT_BODY = /^(?:no )?Content-Type/;

/** A case as a row of a table; generated names become an ellipsis. If only the finding says what is wrong, it is the whole row. */
export function caseText({ summary, finding, exchange, header }: DistinctCase, record: RunRecord): CaseText {
  const said = exchange === undefined ? undefined : receivedText(exchange, finding.pointer);
  // A Content-Type is about the body, which may show who wrote it.
  const received = header === undefined ? said : ABOUT_BODY.test(header) && said !== undefined ? `${header}, ${said}` : header;
  if (exchange === undefined || received === undefined) return { request: oneLine(summary, LONGEST), status: '', received: '' };
  const earlier = finding.exchanges.length > 1 ? `after ${finding.exchanges.length - 1} more, ` : '';
  const { answer: response } = exchange;
  return {
    request: earlier + requestText(exchange, record),
    status: response.kind === 'failed' ? '–' : String(response.status),
    received: oneLine(withoutNames(received, record), LONGEST),
  };
}

/** `POST /pets {"name":"…"}`: a request with its body, without generated names. */
function requestText(exchange: RedactedExchange, record: RunRecord): string {
  const body = exchange.requestBody === undefined ? '' : ` ${exchange.requestBody}`;
  return oneLine(withoutNames(`${requestLine(exchange, record)}${body}`, record), LONGEST);
}

export function acceptedText({ exchange, summary }: DistinctCase, record: RunRecord): string {
  if (exchange?.answer.kind !== 'answered' || exchange.requestBody === undefined) return oneLine(summary, LONGEST);
  return `${oneLine(withoutNames(exchange.requestBody, record), LONGEST)} → ${exchange.answer.status}`;
}

/** `GET /pets`, and the credential if it is not the API key. */
export function requestLine({ method, url, credential }: RedactedExchange, { target }: RunRecord): string {
  const path = url.startsWith(target.baseUrl) ? url.slice(target.baseUrl.length) : url;
  const sent = credential === VALID_CREDENTIAL || credential === '' ? '' : ` (${credential})`;
  return oneLine(`${method} ${path}${sent}`, LONGEST);
}

/** The wrong value, or the message in the body; undefined if the body says nothing without the finding. */
function receivedText({ answer: response, method }: RedactedExchange, pointer: string | undefined): string | undefined {
  if (response.kind === 'failed') return `no response: ${oneLine(response.reason, 100)}`;
  if (response.size === 0) return '(an empty body)';
  if (response.body === undefined) return `(${count(response.size, 'byte')}, not UTF-8)`;
  const body = response.body.slice(0, LONGEST_BODY);
  const span = pointer === undefined || pointer === '' ? undefined : locatePointer(body, pointer.slice(0, LONGEST));
  if (span !== undefined && pointer !== undefined) return `${placeText(pointer)}: ${body.slice(span.from, span.to)}`;
  // If the finding is about the body itself, its members are what is wrong.
  if (response.status >= 400) return pointer === '' ? body : errorText(body);
  return method === 'POST' || body.length <= SHORT_TEXT ? body : undefined;
}

/** `item 401: status`: a place in a list, whose position nobody takes for a status; any other one as a JSON pointer. */
export function placeText(pointer: string): string {
  return pointer.replace(/^\/(\d+)\//, 'item $1: ').replace(/^\/(\d+)$/, 'item $1');
}

/** Members in which services explain errors, the most informative first. */
const MESSAGE_MEMBERS = ['message', 'msg', 'detail', 'error_description', 'reason', 'title', 'error'];

/** A short body completely; of a longer one the start of its message, or of its text. */
function errorText(body: string): string {
  if (body.trim().length <= SHORT_TEXT) return body;
  for (const member of MESSAGE_MEMBERS) {
    const said = new RegExp(`"${member}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)+"?)`).exec(body)?.[1];
    if (said !== undefined) return oneLine(said, SHORT_TEXT);
  }
  const isPage = body.trimStart().startsWith('<');
  return oneLine(isPage ? body.replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ') : body, SHORT_TEXT);
}

/** Generated names and the rest of a long text become an ellipsis. */
function withoutNames(text: string, { animals }: RunRecord): string {
  const known = text.slice(0, LONGEST_BODY);
  const made = /^[A-Za-z]{3,60}$/.test(animals.prefix) ? known.replace(new RegExp(`${animals.prefix}[A-Za-z]+`, 'gi'), lengthOf) : known;
  return made.replace(/"(?:[^"\\]|\\.){60,}"/g, (long) => `"${shorten(long.slice(1, -1), 16)}(${long.length - 2} characters)"`);
}

/** The length of a name, if it is unusual. */
function lengthOf(name: string): string {
  return name.length <= LONGEST_NAME ? '…' : `…(${name.length} letters)`;
}

/** How the text begins, or continues after `nearly`, if no case or hardly any is correct. */
export const EACH_TIME = 'each time';

/** `only with limit=13: 3 of 3 responses; otherwise 0 of 57`, without `only` where others are broken too; empty without a contrast. */
export function contrastText(contrast: ReportedContrast | undefined): string {
  if (contrast === undefined) return '';
  const { when, unit, there, elsewhere, asked } = contrast;
  const share = `${thousands(there.broken)} of ${count(there.of, unit)}`;
  if (when === undefined) return `${there.broken === there.of ? '' : 'nearly '}${EACH_TIME}: ${share}`;
  const again = asked === true ? ', when asked again' : '';
  return oneLine(
    `${elsewhere.broken === 0 ? 'only ' : ''}${when}: ${share}; otherwise ${thousands(elsewhere.broken)} of ${thousands(elsewhere.of)}${again}`,
    500,
  );
}

const MOST_NAMED = 5;

function situationsNamed(titles: readonly string[]): string {
  const more = titles.length - MOST_NAMED;
  return [...titles.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/**
 * When it is broken: the condition, or else the situations in which it is, if it is not in others; empty where nothing tells. A single response meets
 * several situations by chance.
 */
export function whenText({ contrast, musts, cases, flaky }: Pick<ClauseRecord, 'contrast' | 'musts' | 'cases' | 'flaky'>): string {
  if (conditionOf(contrast) !== undefined) return contrastText(contrast);
  if (cases?.length === 1 && flaky === true)
    return 'once, and not when it was sent again; it may come again when the service has restarted';
  const titlesOf = (wanted: Verdict): readonly string[] => musts.flatMap(({ title, verdict }) => (verdict === wanted ? [title] : []));
  const [broken, right] = [titlesOf('fail'), titlesOf('pass')];
  if (broken.length === 0 || right.length === 0 || (cases?.length === 1 && broken.length > 1)) return '';
  return oneLine(`in ${count(broken.length, 'situation')}: ${situationsNamed(broken)}; not in: ${situationsNamed(right)}`, 500);
}

/** `with accept: text/html, without user-agent`: how the headers of a request differ from those of another. */
function headerDifferences(headers: RedactedExchange['requestHeaders'], others: RedactedExchange['requestHeaders']): readonly string[] {
  const valuesOf = (all: typeof headers) =>
    new Map(all.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => !USUAL_HEADERS.includes(name)));
  const [own, theirs] = [valuesOf(headers), valuesOf(others)];
  const added = [...own].filter(([name, value]) => theirs.get(name) !== value).map(([name, value]) => `with ${name}: ${value}`);
  return [...added, ...[...theirs.keys()].filter((name) => !own.has(name)).map((name) => `without ${name}`)];
}

/**
 * `GET /pets?limit=14 → 200`: the nearest request that does not break the clause, or the header in which it differs; empty if there is none,
 * or if more than one thing differs, because nobody can tell then which of them matters.
 *
 * @param most the maximum number of characters
 */
export function twinText(contrast: ReportedContrast | undefined, record: RunRecord, most = LONGEST): string {
  const twin = contrast?.twin;
  if (twin === undefined || conditionOf(contrast) === undefined) return '';
  const [request = '', broken] = [twin, contrast?.broken].map((one) => (one === undefined ? '' : requestText(one, record)));
  const headers = headerDifferences(twin.requestHeaders, (contrast?.broken ?? twin).requestHeaders);
  if (headers.length > (request === broken ? 1 : 0)) return '';
  const end = ` → ${statusText(twin)}`;
  return `${shorten([request, ...headers].join(' '), Math.max(1, most - end.length))}${end}`;
}

function statusText({ answer: response }: RedactedExchange): string {
  return response.kind === 'failed' ? 'no response' : String(response.status);
}

/** A longer one lists alternatives, which do not help to begin. */
const LONGEST_CONDITION = 200;

/** Why the repair begins with it: what that gains, or else when it is broken. */
export function whyFirst({ waiting, contrast }: BrokenClause): string {
  if (waiting > 0) return `: ${waitsText({ waiting })} for it.`;
  const when = conditionOf(contrast);
  return when === undefined || contrast?.elsewhere.broken !== 0 || when.length > LONGEST_CONDITION
    ? '.'
    : `: it is broken only ${oneLine(when)}.`;
}
