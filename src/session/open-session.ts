import { setTimeout } from 'node:timers/promises';
import type { ClauseId } from '../clause/clause.ts';
import { haltInconclusive } from '../clause/halt.ts';
import type { RunRecord, Traits } from '../clause/run-record.ts';
import { createClient } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { createRedactor, showText } from '../wire/redact.ts';
import { type RedactedExchange, redactExchange } from '../wire/redacted-exchange.ts';
import { LEAST_SERVER_ERROR } from '../wire/statuses.ts';
import type { CallOptions } from './client/api.ts';
import { createBreaker } from './client/circuit-breaker.ts';
import { findMistake, reach } from './client/first-contact.ts';
import { aliveRequest, createApi, createTraces } from './client/sending.ts';
import { createDialect } from './dialect.ts';
import { createFixtures } from './fixtures.ts';
import { createNames, SPARE_NAMES } from './names.ts';
import { createRandom, GOLDEN } from './numbers.ts';
import type { Session, SessionOptions } from './session.ts';
import { type Conduct, createConductLog, createRecorder, type History, operationsIn, type Recorder, traitsIn } from './state/history.ts';
import { trackRunState } from './state/run-state.ts';
import { boundCreations, createWriteBudget } from './state/write-budget.ts';

/** A session, and what its owner (gate, probe, library) needs in addition to the checks. */
export type OpenSession = {
  readonly session: Session;
  /** Reaches the service; throws UnreachableError if it can't. */
  start(): Promise<void>;
  /**
   * Once started: why nothing else can be judged (a wrong address, a wrong key, no pet store), in one sentence; undefined if something can.
   */
  firstContact(): Promise<string | undefined>;
  /** Everything that was sent so far, and the results. */
  readonly history: History;
  readonly recorder: Pick<Recorder, 'onExchange' | 'onEveryExchange'>;
  summary(): Pick<RunRecord, 'animals' | 'operations' | 'traits' | 'departures' | 'notices'>;
  /** A check has failed the clause: the session no longer waits as long for the service to become consistent. */
  noteBroken(clause: ClauseId): void;
  /** The behavior of the service so far. */
  conduct(): Conduct;
  /** An exchange as reports may show it. */
  redact(exchange: Exchange): RedactedExchange;
  /** A text without the key, cleaned of control characters. */
  redactText(text: string): string;
  requests(): number;
  /** Sends a request once more: a GET, or a creation, which the write budget must allow. Throws Halt if nothing may be sent. */
  again(exchange: Pick<Exchange, 'request'>, options?: Pick<CallOptions, 'connection'>): Promise<Exchange>;
  /**
   * Whether the service responds now, or within these milliseconds, with anything but a server error; if so, values prepared during an outage
   * are prepared again at their next use.
   */
  beginAnew(patience: number): Promise<boolean>;
  /** Milliseconds since the session was opened. */
  elapsed(): number;
  /** From now on, at most this many requests; a check that needs more is undecided by choice. */
  limitRequests(most: number): void;
  /**
   * From now on, this many rows of each table are sent, beginning with that one; rows that follow each other then are far apart in the
   * table.
   */
  takePortion(portion: Portion): void;
  /** From now on, tables and properties send this share of their cases; undefined: all of them. */
  fitInto(fit: Fit | undefined): void;
  /** The number of rows of the longest table that was sent in part since then; 0 if there was none. */
  longestTable(): number;
  /** Why the run is currently slower than usual, in words; undefined if it is not. */
  slowBecause(): string | undefined;
  /** Requests per second that the service was seen to allow; undefined if it rejected none for their rate. */
  allowedRate(): number | undefined;
};

/** A part of a table: its first row, counted from 0, and the maximum number of rows. */
export type Portion = { readonly from: number; readonly most: number };

/** What of a run still fits into its time: requests, and the share of what tables and properties send (0: one case of each). */
export type Fit = { readonly requests: number; readonly share: number };

const EVERYTHING: Portion = { from: 0, most: Number.POSITIVE_INFINITY };

/** Milliseconds between two questions whether the service is back. */
const ALIVE_PAUSE = 250;

const POLL_STEPS = 12;
const DEPTH_FACTORS = { quick: 0.1, standard: 1, thorough: 10 } as const;
/** Milliseconds that the properties of a standard run may take, and when they must end. */
const PROPERTY_ALLOWANCE = 10_000;
const PROPERTIES_END = 30_000;
const LEAST_ALLOWANCE = 1_500;
const PLANNED_REQUESTS = 1_100;

/** The fraction of the planned cases that fits, at the pace so far. */
function affordable(pace: { elapsed: number; requests: number }): number {
  if (pace.requests === 0) return 1;
  const allowance = Math.max(LEAST_ALLOWANCE, Math.min(PROPERTY_ALLOWANCE, PROPERTIES_END - pace.elapsed));
  return Math.min(1, allowance / ((pace.elapsed / pace.requests) * PLANNED_REQUESTS));
}

/** Names are texts of the service: it may put the key into a header name or a member name. */
function redactTraits(traits: Traits, show: (text: string) => string): Traits {
  const redacted = (record: Traits['headers']) =>
    Object.fromEntries(Object.entries(record).map(([name, values]) => [name, values.map(show)]));
  return { headers: redacted(traits.headers), members: redacted(traits.members) };
}

/**
 * Opens a session: nothing is sent before `start`.
 *
 * @example
 * ```ts
 * import { openSession, resolveSessionOptions } from '@petstore-conformance/cli';
 *
 * const open = await openSession(resolveSessionOptions({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'secret' }));
 * await open.start();
 * console.log(await open.session.fixtures.existing());
 * await open.session.close();
 * ```
 */
export async function openSession(options: SessionOptions): Promise<OpenSession> {
  const client = createClient(options);
  const recorder = createRecorder();
  const { exchanges } = recorder.history;
  const log = createConductLog();
  // Called before any listener that judges an exchange by what is known.
  const { knowledge, take } = trackRunState(options);
  recorder.onEveryExchange(take);
  recorder.onEveryExchange(log.take);
  const budget = createWriteBudget(options, knowledge);
  const redactText = createRedactor(options.apiKey);
  const redact = (exchange: Exchange) => redactExchange(exchange, { baseUrl: options.baseUrl, redact: redactText, apiKey: options.apiKey });
  const notices = new Set<string>();
  const breaker = createBreaker({
    aliveRequest: () => client.send(aliveRequest(options.apiKey), { beyondBound: true }),
    notice: (sentence) => void notices.add(sentence),
    elapsed: client.elapsed,
  });
  const dialect = createDialect();
  const patience = createPatience(options.consistencyWindow);
  const spareName = createNames({ prefix: options.namePrefix, tag: options.runTag, first: SPARE_NAMES });
  let lastRequest = Number.POSITIVE_INFINITY;
  let allowed = Number.POSITIVE_INFINITY;
  const assertMaySend = (): void => {
    // Some allowed requests have not been sent yet, and some sent requests are repeated.
    if (allowed <= 0 || client.requests() >= lastRequest) haltInconclusive('the run has sent as many requests as it may', 'choice');
    allowed -= 1;
  };
  const traces = createTraces(options);
  const { apiKey, createdEarlier = false } = options;
  const api = createApi({
    traces,
    client,
    recorder,
    knowledge,
    budget,
    breaker,
    dialect,
    apiKey,
    createdEarlier,
    spareName,
    assertMaySend,
  });
  let share: number | undefined;
  let portion = EVERYTHING;
  let longestTable = 0;
  let fit: Fit | undefined;
  let beginnings = 0;
  let first: Exchange | undefined;

  const base = {
    options,
    api,
    knowledge,
    commandOf: (exchange: Exchange) => redact(exchange).curl,
    random: createRandom(options.seed),
    room: budget.room,
    // Half: the requests for which the store is filled must fit, too.
    hasTimeFor: (requests: number) => fit === undefined || requests <= fit.requests / 2,
    async all<Item, Result>(items: readonly Item[], work: (item: Item, index: number) => Promise<Result>): Promise<Result[]> {
      const settled = await Promise.allSettled(items.map(work));
      return settled.map((result) => {
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      });
    },
    portion<Row>(rows: readonly Row[]): readonly Row[] {
      longestTable = Math.max(longestTable, rows.length);
      const spread = rows.map((_row, place) => place).sort((a, b) => ((a * GOLDEN) % 1) - ((b * GOLDEN) % 1));
      // If a table is shorter than another one of the same check, its rows are sent again.
      const from = portion.from % Math.max(1, rows.length);
      const most = Math.min(portion.most, Math.max(1, Math.ceil(rows.length * (fit?.share ?? 1))));
      const taken = new Set(spread.slice(from, from + most));
      return rows.filter((_row, place) => taken.has(place));
    },
    cases(planned: number): number {
      // A run with few requests is bounded by their number: if it drew fewer cases at a distance, it would leave out the same ones each
      // day.
      if (options.frugal === true) share = 1;
      if (share === undefined) {
        share = affordable({ elapsed: client.elapsed(), requests: client.requests() });
        if (share < 1)
          notices.add(
            `Properties ran ${Math.max(1, Math.round(share * 100))}% of their cases, because the service is slow or limits the rate of requests`,
          );
      }
      return Math.max(1, Math.round(planned * DEPTH_FACTORS[options.depth] * Math.min(share, fit?.share ?? 1)));
    },
    outOfTime(): boolean {
      // Waiting for a rate limit of the service does not count.
      const spent = client.elapsed() - client.heldBack() > options.timeBudget;
      if (spent) notices.add(`The time budget of ${options.timeBudget / 1000} s was spent: properties drew no new cases from then on`);
      return spent;
    },
    async poll(ask: () => Promise<Exchange>, done: (exchange: Exchange) => boolean, least = 1): Promise<Exchange> {
      const begin = performance.now();
      for (let step = 1; ; step += 1) {
        const asked = performance.now() - begin;
        const exchange = await ask();
        const spent = performance.now() - begin;
        const shown = done(exchange);
        if (shown && step > 1) patience.served(spent);
        const window = patience.window();
        if (shown || (asked >= window && (step >= least || exchange.outcome.kind === 'failed'))) return exchange;
        const pause = Math.min((options.consistencyWindow / POLL_STEPS) * Math.min(step, 4) * 0.5, window - spent);
        await setTimeout(Math.max(pause, 5));
      }
    },
    beginnings: () => beginnings,
    pause: (milliseconds: number) => setTimeout(milliseconds),
    notice: (sentence: string) => void notices.add(sentence),
    close: () => client.close(),
  };
  const fixtures = createFixtures(base);
  const session: Session = { ...base, api: boundCreations(api, options, client.isFar), fixtures };

  return {
    session,
    async start() {
      first = await reach(session, breaker);
    },
    firstContact: async () => (first === undefined ? undefined : findMistake(session, first)),
    history: recorder.history,
    recorder,
    noteBroken: patience.broken,
    conduct: log.conduct,
    redact,
    redactText: (text) => showText(text, redactText),
    requests: () => client.requests(),
    again: api.again,
    async beginAnew(patience) {
      for (const begin = performance.now(); ; await setTimeout(ALIVE_PAUSE)) {
        const { outcome } = await client.send(aliveRequest(options.apiKey), { beyondBound: true });
        if (outcome.kind === 'answered' && outcome.answer.status < LEAST_SERVER_ERROR) break;
        if (performance.now() - begin > patience) return false;
      }
      breaker.reset();
      fixtures.forget();
      beginnings += 1;
      return true;
    },
    elapsed: () => client.elapsed(),
    limitRequests: (most) => {
      lastRequest = client.requests() + most;
      allowed = most;
    },
    takePortion: (taken) => {
      portion = taken;
      longestTable = 0;
    },
    fitInto: (fitting) => {
      fit = fitting;
    },
    longestTable: () => longestTable,
    slowBecause: client.slowBecause,
    allowedRate: client.allowedRate,
    summary() {
      const show = (text: string): string => showText(text, redactText);
      const postponed = exchanges.reduce((sum, exchange) => sum + exchange.postponed, 0);
      const retried = exchanges.filter((exchange) => exchange.retried).length;
      const sentAgain = exchanges.filter(({ firstTry }) => firstTry !== undefined).length;
      const waits =
        postponed === 0
          ? []
          : [
              `${postponed} responses asked to wait (429 or 503 with Retry-After); the suite waited ${Math.round(client.waited() / 100) / 10} s in all`,
            ];
      const unasked =
        client.unasked() === 0
          ? []
          : [
              `On ${client.unasked()} connections the service sent a response that no request had asked for: whoever uses such a connection again may take it for the response to another request`,
            ];
      const sentences = [client.fewServed(), client.hangs()].filter((sentence) => sentence !== undefined);
      const stale = retried === 0 ? [] : [`Reads repeated because the service had closed a kept-alive connection: ${retried}`];
      const momentary =
        sentAgain === 0
          ? []
          : [`Requests sent again because the service intermittently rejected the API key or broke off a response: ${sentAgain}`];
      return {
        animals: {
          created: knowledge.entries.map((animal) => ({ ...animal, id: show(animal.id), name: show(animal.name) })),
          ambiguous: knowledge.ambiguous.map(show),
          budget: options.readOnly ? 0 : options.maxCreates,
          prefix: options.namePrefix,
        },
        operations: operationsIn(exchanges),
        traits: redactTraits(traitsIn(exchanges), show),
        departures: dialect.departures().map((departure) => ({ ...departure, description: show(departure.description) })),
        notices: [...notices, ...waits, ...stale, ...momentary, ...unasked, ...sentences].map(show),
      };
    },
  };
}

/** Clauses that say that an animal is there: waiting does not repair a breach of them. */
const VISIBILITY: ReadonlySet<ClauseId> = new Set<ClauseId>([
  'list.complete',
  'list.filter-complete',
  'list.read-only',
  'create.independent',
  'create.round-trip',
  'create.unusual-categories',
  'create.unusual-names',
  'get.agrees-with-list',
  'get.durable',
  'get.repeatable',
  'get.success',
  'deprecation.replacement',
  'deprecation.still-works',
]);

/**
 * The fraction of the consistency window that is waited once such a clause is broken, and the factor to the longest time that the service
 * has needed.
 */
const LEAST = 0.1;
const MARGIN = 1.5;

/** How long the session waits until a service shows what it must. */
export type Patience = {
  /** Milliseconds from the first request on: the consistency window, or less once waiting is known to be in vain. */
  window(): number;
  /** The expected response came after this many milliseconds. */
  served(after: number): void;
  /** A clause is broken, whatever follows. */
  broken(clause: ClauseId): void;
};

/**
 * The session waits the whole consistency window for a service that shows animals late. For one that was seen to lose them, it waits as
 * long as the service has ever needed for those that it did show: a broken service does not cost a window for each animal. For a conforming
 * one nothing changes.
 */
export function createPatience(consistencyWindow: number): Patience {
  let longest = 0;
  let inVain = false;
  return {
    window: () => (inVain ? Math.min(consistencyWindow, Math.max(consistencyWindow * LEAST, longest * MARGIN)) : consistencyWindow),
    served(after) {
      longest = Math.max(longest, after);
    },
    broken(clause) {
      inVain ||= VISIBILITY.has(clause);
    },
  };
}
