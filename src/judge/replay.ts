import { EFFECTS } from '../clause/clause.ts';
import { presentId } from '../clause/clause-ids.ts';
import { Halt } from '../clause/halt.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { CheckRecord, RunRecord } from '../clause/run-record.ts';
import type { SessionClause } from '../oracle/world.ts';
import { createdView } from '../schema/pet.ts';
import { schemaProblems } from '../schema/validators.ts';
import type { CallOptions, CreateOptions, ListParameters } from '../session/client/api.ts';
import { plainNamesWith } from '../session/names.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { Session, SessionOptions } from '../session/session.ts';
import { isJsonObject, type JsonObject, readJson } from '../wire/json.ts';
import { isCut, REDACTED } from '../wire/redact.ts';
import { FORWARDING, type RedactedExchange, SHOWN_HEADERS } from '../wire/redacted-exchange.ts';
import { createJudging, planOf } from './judging.ts';
import { globMatcher, SANITY, SelectionError, selectClauses, suggestAmong } from './selection.ts';

/**
 * `fixed` in all tries, `still failing` in all, `flaky` in some, or `inconclusive`; `newly failing`: a part of the sanity round that did
 * not fail before.
 */
export const REPLAY_STATES = ['fixed', 'still failing', 'newly failing', 'flaky', 'inconclusive'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** The result for a failure: gone in all tries, there in all, there in some, or undecided (with the reason). */
export type Replayed = {
  readonly id: CheckRecord['id'];
  readonly clause: CheckRecord['clause'];
  /** It fails only strict runs. */
  readonly warning: boolean;
  readonly state: ReplayState;
  readonly failed: number;
  readonly tries: number;
  /** What was found, or why nothing could be found. */
  readonly note: string;
};

export type ReplayOptions = {
  readonly registry: readonly SessionClause[];
  readonly session: SessionOptions;
  readonly tries: number;
  /** The run that failed. */
  readonly record: RunRecord;
  /** Those of its failures that are judged again. */
  readonly failures: readonly CheckRecord[];
  /** Called after each try with the number of animals that it may have created. */
  readonly onCreated?: (animals: number) => void;
};

/**
 * The number of findings of an invariant whose exchanges are sent again: one of each kind comes first, and each creation stays in the
 * store.
 */
const MOST_RESENT = 3;

const NOT_RESENT = 'the report does not contain the whole request; "run --only" with this id judges it on a whole run';

const CLAUSE_BROKEN = 'it does not fail here, but another part of its clause does';

/**
 * The failed checks and invariants of a run, or those of them that patterns name: a chapter, or clauses and checks. Throws SelectionError
 * for a pattern that names none.
 */
export function failuresToReplay(record: RunRecord, patterns: readonly string[]): readonly CheckRecord[] {
  const failures = record.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'waived');
  const chapters = new Map(record.clauses.map(({ id, chapter }) => [id, chapter]));
  const wanted = patterns.map((pattern) => {
    const matches = globMatcher(presentId(pattern));
    const named = failures.filter(
      ({ id, clause }) => chapters.get(clause) === pattern || matches(clause) || matches(id) || matches(presentId(id)),
    );
    if (named.length > 0) return named;
    const near = suggestAmong(pattern, [...new Set(failures.flatMap(({ clause, id }) => [clause, id]))]);
    throw new SelectionError(`no check or clause that failed matches "${pattern}"${near === undefined ? '' : `: ${near}`}`);
  });
  return wanted.length === 0 ? failures : failures.filter((check) => wanted.some((named) => named.includes(check)));
}

/** The failures of an earlier version as parts of this one: a check that a whole clause has replaced becomes all parts of that clause. */
export function presentFailures(failures: readonly CheckRecord[], registry: readonly SessionClause[]): readonly CheckRecord[] {
  const present = failures.flatMap((failure): CheckRecord[] => {
    const now = presentId(failure.id);
    if (now === failure.id) return [failure];
    return registry.flatMap(({ id: clause, checks, invariants }) => {
      const parts = [
        ...checks.map((part) => ({ ...part, kind: 'check' as const })),
        ...invariants.map((part) => ({ ...part, kind: 'invariant' as const })),
      ];
      return parts.filter(({ id }) => id === now || clause === now).map(({ id, kind }) => ({ ...failure, id, clause, kind }));
    });
  });
  return [...new Map(present.map((failure) => [failure.id, failure])).values()];
}

/** In the order of sending: a finding may begin with the response that shows it. */
function exchangesOf({ findings }: CheckRecord): readonly RedactedExchange[] {
  return findings.slice(0, MOST_RESENT).flatMap(({ exchanges }) => exchanges.toSorted((one, other) => one.number - other.number));
}

/** Which of the requests that a replay would send this suite never sends, in words; undefined if there are none. */
export function foreignRequest({ target }: RunRecord, failures: readonly CheckRecord[]): string | undefined {
  for (const exchange of failures.flatMap((failure) => turnsOf(failure).flat())) {
    const part = foreignPart(exchange, target.baseUrl);
    if (part !== undefined) return part;
  }
  return undefined;
}

/** More than what a report says were in flight are not needed, and each may be a creation. */
const MOST_AT_ONCE = 8;

/** The exchanges that showed a failure, and those of its contrast, in turns: those of a turn are sent together. */
function turnsOf(failure: CheckRecord): readonly (readonly RedactedExchange[])[] {
  const { broken, before, atOnce = 1 } = failure.contrast ?? {};
  const shown = exchangesOf(failure).map((exchange) => [exchange]);
  if (broken === undefined) return shown;
  return [...shown, ...(before === undefined ? [] : [[before]]), Array.from({ length: Math.min(atOnce, MOST_AT_ONCE) }, () => broken)];
}

/** Sends the exchanges of a failure. False if one could not be sent that the check does not send itself, or there are none. */
async function resendAll(failure: CheckRecord, open: OpenSession, recorded: Recorded): Promise<boolean> {
  const turns = turnsOf(failure);
  let whole = failure.kind === 'check' || turns.length > 0;
  for (const turn of turns) {
    const sent = await Promise.allSettled(turn.map((exchange) => resend(exchange, open.session, recorded)));
    for (const [index, one] of sent.entries()) {
      if (one.status === 'rejected' && !(one.reason instanceof Halt)) throw one.reason;
      whole &&= (one.status === 'fulfilled' && one.value) || turn[index]?.check === failure.id;
    }
  }
  return whole;
}

/** One try in a separate session: checks run as they did, invariants judge the recorded requests and those of the checks. */
async function tryOnce(
  { failures, besides }: { readonly failures: readonly CheckRecord[]; readonly besides: readonly CheckRecord['id'][] },
  { registry, session, record, onCreated }: ReplayOptions,
): Promise<Map<string, CheckRecord>> {
  const clauses = selectClauses(registry, { only: [...failures.map(({ id }) => id), ...besides], skip: [], exhaustive: true });
  const open = await openSession(session);
  try {
    await open.start();
    // One after the other, as a reader who follows the report would send them.
    const plan = planOf({ clauses, effects: EFFECTS }).flatMap((group) => group.map((planned) => [planned]));
    const judging = createJudging(open, { clauses, registry, plan });
    const recorded = { baseUrl: record.target.baseUrl, prefix: record.animals.prefix };
    // A valid animal must be seen before anything passes.
    await open.session.api.list();
    const whole = new Set<CheckRecord['id']>();
    for (const failure of failures) if (await resendAll(failure, open, recorded)) whole.add(failure.id);
    await judging.run();
    const { records, errors } = judging.judged();
    if (errors[0] !== undefined) throw errors[0];
    const settled = records.map((one): CheckRecord => {
      const passes = one.verdict === 'pass' || one.verdict === 'observed';
      return !passes || besides.includes(one.id) || whole.has(one.id) ? one : { ...one, verdict: 'inconclusive', note: NOT_RESENT };
    });
    return new Map(settled.map((one) => [one.id as string, one]));
  } finally {
    const { created, ambiguous } = open.summary().animals;
    onCreated?.(created.length + ambiguous.length);
    await open.session.close();
  }
}

function sumUp(failure: CheckRecord, { tries, warning }: { tries: readonly (CheckRecord | undefined)[]; warning: boolean }): Replayed {
  const count = (wanted: Verdict): number => tries.filter((one) => one?.verdict === wanted).length;
  const failed = count('fail');
  const passed = count('pass') + count('observed');
  const inapplicable = count('not-applicable');
  const { id, clause } = failure;
  const base = { id, clause, warning, failed, tries: tries.length };
  const noteOf = (...verdicts: readonly Verdict[]): string => {
    const notes = verdicts.flatMap((verdict) => tries.filter((one) => one?.verdict === verdict).map((one) => one?.note));
    return notes[0] ?? 'it is not among the checks of this release';
  };
  if (failed > 0) return { ...base, state: failed === tries.length ? 'still failing' : 'flaky', note: noteOf('fail') };
  if (passed > 0 && passed + inapplicable === tries.length) return { ...base, state: 'fixed', note: noteOf('pass', 'observed') };
  return { ...base, state: 'inconclusive', note: noteOf('inconclusive', 'not-applicable') };
}

/**
 * Judges the failures of a run again, several times, and the sanity round once: a repair may break what worked. Failures that the registry
 * no longer has are inconclusive. Throws UnreachableError.
 */
export async function replay(options: ReplayOptions): Promise<readonly Replayed[]> {
  const { failures, record } = options;
  const advised = new Set(record.clauses.filter(({ level }) => !record.options.strict && level === 'advised').map(({ id }) => id));
  const known = new Set(options.registry.flatMap(({ checks, invariants }) => [...checks, ...invariants].map(({ id }) => id)));
  const present = failures.filter(({ id }) => known.has(id));
  // What failed then, or is known to fail, is not news.
  const sound = SANITY.filter((id) => known.has(id) && !record.checks.some((one) => one.id === id && /^(fail|waived)$/.test(one.verdict)));
  const tries: Map<string, CheckRecord>[] = [];
  for (let number = 0; number < options.tries; number += 1) {
    const besides = number === 0 ? sound : [];
    tries.push(present.length === 0 ? new Map() : await tryOnce({ failures: present, besides }, options));
  }
  const news = sound.flatMap((id): Replayed[] => {
    const check = tries[0]?.get(id);
    if (check?.verdict !== 'fail') return [];
    return [{ id, clause: check.clause, warning: false, state: 'newly failing', failed: 1, tries: 1, note: check.note }];
  });
  const replayed = failures.map((failure) => {
    return sumUp(failure, { tries: tries.map((one) => one.get(failure.id)), warning: advised.has(failure.clause) });
  });
  const broken = new Set(replayed.flatMap(({ clause, failed }) => (failed > 0 ? [clause] : [])));
  return [
    ...replayed.map((one): Replayed => {
      return one.state === 'fixed' && broken.has(one.clause) ? { ...one, state: 'inconclusive', note: CLAUSE_BROKEN } : one;
    }),
    ...news,
  ];
}

/** Where the recorded requests were sent, and how the animals of that run were named. */
type Recorded = { readonly baseUrl: string; readonly prefix: string };

const RIGHT_KEY = 'the API key';
const OWN_HEADERS = ['authorization', 'transfer-encoding'];
/** Sent with every request, unless it omits them. */
const USUAL_HEADERS = ['accept', 'user-agent'];
const CREATED = 201;
const PLAIN_NAME = /^[A-Za-z]{1,20}$/;

const METHODS = { listPets: 'GET', getPet: 'GET', createPet: 'POST' } as const satisfies Record<RedactedExchange['operation'], string>;
/** `/pets`, `/pets/7`, and the spellings of both by which checks try to bypass a router: `//pets`, `/x/..;/pets`, `/%70ets/7;v=1`. */
const OUR_PATH = /^(?:\/(?:\.|x|\.\.;?)?)*\/(?:p|%70|%2570)ets(?:[/;.%][^?#]*)?$/i;
/** The only last segments that are not UTF-8: nobody knows what a lenient proxy makes of others. */
const UNDECODABLE = /^\/pets\/(\d?(?:%FF|%C3%28))$/;
const OUR_PARAMETER = /^(?:x-)?(?:limit|status|name|categoryid)(?:\[\])?$/i;
const OTHER_PARAMETERS: ReadonlySet<string> = new Set([
  ...['', 'unknown', 'nothing', 'token', 'fresh', 'callback', 'sort', 'page', 'offset', 'cursor', 'page_limit', 'last_status'],
  ...['page_size', 'pageSize', 'page[size]', 'per_page', 'perPage', 'size', '$top', 'top', 'first', 'take', 'count', 'max'],
  ...['fields', 'fields[pets]', '$select', 'select', 'attributes', 'projection', 'only'],
]);
/** What checks claim in proxy headers: never a method that changes anything. */
const OUR_CLAIMS: ReadonlySet<string> = new Set([
  ...['127.0.0.1', 'localhost', 'for=127.0.0.1;host=localhost;proto=https', 'admin', '1', 'true', 'SUCCESS'],
  ...['/health', 'OPTIONS', 'HEAD', 'http', 'off', '80'],
  ...['middleware:middleware:middleware:middleware:middleware'],
]);
const VISIBLE = /^[\t\x20-\x7e\x80-\xff]*$/;

function isOurHeader(name: string, value: string): boolean {
  // Reports mask the values of cookies, so a complete request has none.
  if (!SHOWN_HEADERS.has(name) || name === 'cookie' || !VISIBLE.test(value)) return false;
  return !FORWARDING.includes(name) || OUR_CLAIMS.has(value);
}

/** A path before it was encoded; undefined for one that is not a valid encoding. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function partsOf({ url }: RedactedExchange, baseUrl: string): { readonly path: string; readonly query: string } {
  const [path = '', query = ''] = url.slice(baseUrl.length).split(/\?(.*)/s);
  return { path, query };
}

/**
 * Which part of a recorded request this suite never sends, in words; undefined if there is none. A report may come from anywhere: sent with
 * the key of whoever replays it, a header or a path chosen by its author would be an attack.
 */
export function foreignPart(exchange: RedactedExchange, baseUrl: string): string | undefined {
  const options = optionsOf(exchange);
  if (options === undefined || !exchange.url.startsWith(baseUrl)) return undefined;
  if (exchange.method !== METHODS[exchange.operation]) return `the method ${exchange.method}`;
  const header = options.headers?.find(([name, value]) => !isOurHeader(name, value));
  if (header !== undefined) return `the header ${header.join(': ')}`;
  const { path, query } = partsOf(exchange, baseUrl);
  if (!OUR_PATH.test(path) || (decoded(path) === undefined && !UNDECODABLE.test(path))) return `the path ${path}`;
  const parameter = [...new URLSearchParams(query).keys()].find((name) => !OUR_PARAMETER.test(name) && !OTHER_PARAMETERS.has(name));
  return parameter === undefined ? undefined : `the parameter ${parameter}`;
}

/** The id in a path with the usual spelling; undefined for other spellings, which request something else. */
function idIn(path: string): string | undefined {
  const [, segment = ''] = /^\/pets\/([^/]+)$/.exec(path) ?? [];
  const id = decoded(segment);
  return id !== undefined && !/^\.{0,2}$/.test(id) && encodeURIComponent(id) === segment ? id : undefined;
}

/** Credential and headers as they were sent; undefined if the report hides or cuts a part of the request. */
function optionsOf({ credential: note, requestHeaders, url, requestBody = '', partial }: RedactedExchange): CallOptions | undefined {
  if (partial === true) return undefined;
  const authorization = requestHeaders.filter(([name]) => name === 'authorization');
  const headers = requestHeaders.filter(([name]) => !OWN_HEADERS.includes(name));
  const right = note === RIGHT_KEY;
  const kept = [url, ...(right ? headers : [...headers, ...authorization]).map(([, value]) => value)];
  if (kept.some((text) => text.includes(REDACTED)) || isCut(url) || isCut(requestBody)) return undefined;
  const absent = USUAL_HEADERS.filter((usual) => !requestHeaders.some(([name]) => name === usual));
  const without = absent.length === 0 ? {} : { without: absent };
  const framing = requestHeaders.some(([name]) => name === 'transfer-encoding') ? { chunked: true } : {};
  // Any other credential that reports can show is not the key.
  return right
    ? { headers, ...without, ...framing }
    : { headers, ...without, ...framing, credential: { note, standing: 'refused', headers: authorization } };
}

/** The query as parameters, if it has each of them at most once. */
function parametersOf(query: string): ListParameters | undefined {
  const pairs = [...new URLSearchParams(query)];
  const once = new Set(pairs.map(([name]) => name)).size === pairs.length;
  return once && pairs.every(([name]) => name === 'limit' || name === 'status') ? Object.fromEntries(pairs) : undefined;
}

/** What a NewPet says, and nothing else does. */
const NEW_PET_MEMBERS = ['name', 'categoryId', 'status'];

/** What the document decides about the body: of a NewPet in the usual form everything, unless it was rejected. */
function domainOf({ requestHeaders, answer: response }: RedactedExchange, value: JsonObject): CreateOptions['domain'] {
  const isUsual = requestHeaders.every(([name, sent]) => name !== 'content-type' || sent === 'application/json');
  const isNewPet = schemaProblems('new-pet', value).length === 0 && Object.keys(value).every((member) => NEW_PET_MEMBERS.includes(member));
  if (!isUsual || !isNewPet) return 'open';
  const isPlain = PLAIN_NAME.test(String(value['name'])) && response.kind === 'answered' && response.status === CREATED;
  return isPlain ? 'plain' : 'unusual';
}

/** The body with names of this run in place of the used ones, whatever else is in them, and its domain. */
async function bodyToSend(exchange: RedactedExchange, { session, prefix }: { readonly session: Session; readonly prefix: string }) {
  const { requestBody, requestBytes } = exchange;
  // One character a byte: names of a run are ASCII.
  let body = requestBytes === undefined ? requestBody : Buffer.from(requestBytes, 'base64').toString('latin1');
  for (const used of plainNamesWith(prefix, body ?? '')) body = body?.replaceAll(used, (await session.fixtures.plain()).name);
  if (body === undefined || requestBytes !== undefined) return { raw: body && Buffer.from(body, 'latin1'), domain: 'open' as const };
  const read = readJson(body);
  return { raw: body, domain: read.ok && isJsonObject(read.value) ? domainOf(exchange, read.value) : ('open' as const) };
}

/** Sends a recorded request again, with the current key and a new animal name. False if the report does not contain all of it. */
export async function resend(exchange: RedactedExchange, session: Session, { baseUrl, prefix }: Recorded): Promise<boolean> {
  const options = optionsOf(exchange);
  if (options === undefined || !exchange.url.startsWith(baseUrl)) return false;
  if (foreignPart(exchange, baseUrl) !== undefined) return false;
  const { path, query } = partsOf(exchange, baseUrl);
  const { api } = session;
  switch (exchange.operation) {
    case 'createPet': {
      const { raw, domain } = await bodyToSend(exchange, { session, prefix });
      const { outcome } = await api.create({ raw }, { ...options, domain });
      const json = outcome.kind === 'answered' && outcome.answer.status === CREATED ? outcome.answer.json : undefined;
      const pet = json?.ok === true ? createdView(json.value) : undefined;
      // Reads of its animal may show what is wrong with a creation.
      if (pet !== undefined) await api.get(pet.id);
      return true;
    }
    case 'getPet': {
      const [, segment] = UNDECODABLE.exec(path) ?? [];
      const id = segment ?? idIn(path);
      if (id === undefined) return false;
      await api.get(id, segment === undefined ? options : { ...options, segment });
      return true;
    }
    case 'listPets': {
      const parameters = parametersOf(query);
      await (parameters === undefined ? api.list({}, { ...options, rawQuery: query }) : api.list(parameters, options));
      return true;
    }
    default:
      return exchange.operation satisfies never;
  }
}
