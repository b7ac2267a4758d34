import { setTimeout } from 'node:timers/promises';
import type { ClauseId } from '../clause/clause.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { redactTraits } from '../clause/run-statistics.ts';
import { createClient } from '../wire/client.ts';
import { type Exchange, unreadReason } from '../wire/exchange.ts';
import { describeExtra } from '../wire/extra-headers.ts';
import { oncePerObject } from '../wire/once.ts';
import { sessionRedactor, showText } from '../wire/redact.ts';
import { type RedactedExchange, redactExchange } from '../wire/redacted-exchange.ts';
import { describeRoute } from '../wire/route.ts';
import { LEAST_SERVER_ERROR } from '../wire/statuses.ts';
import { createTraces } from '../wire/traces.ts';
import type { CallOptions } from './client/api.ts';
import { createBreaker } from './client/circuit-breaker.ts';
import { findMistake, reach } from './client/first-contact.ts';
import { aliveRequest, createApi } from './client/sending.ts';
import { createDialect } from './dialect.ts';
import { createFixtures } from './fixtures.ts';
import { createNames, inForm, type NameForm, PREFIX, SPARE_NAMES } from './names.ts';
import { createRandom } from './numbers.ts';
import { createPatience } from './patience.ts';
import { createRunSize, type RunSize } from './run-size.ts';
import type { Session, SessionOptions } from './session.ts';
import { type Conduct, createConductLog } from './state/conduct.ts';
import { createOperations, createRecorder, createTraits, type History, type Recorder } from './state/history.ts';
import { trackRunState } from './state/run-state.ts';
import { boundCreations, createWriteBudget } from './state/write-budget.ts';

/** A session, and what its owner (gate, probe, library) needs in addition to the checks. */
export type OpenSession = Pick<RunSize, 'limitRequests' | 'takePortion' | 'fitInto' | 'longestTable'> & {
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
  /** Why the run is currently slower than usual, in words; undefined if it is not. */
  slowBecause(): string | undefined;
  /** Requests per second that the service was seen to allow; undefined if it rejected none for their rate. */
  allowedRate(): number | undefined;
};

/** Milliseconds between two questions whether the service is back. */
const ALIVE_PAUSE = 250;

/** Whether the first list shows that there was no animal. */
function wasEmpty(first: Exchange | undefined): boolean {
  if (first?.outcome.kind !== 'answered') return false;
  const { status, json } = first.outcome.answer;
  return status === 200 && json.ok && Array.isArray(json.value) && json.value.length === 0;
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
  const redactText = sessionRedactor(options);
  const redact = oncePerObject((exchange: Exchange) => redactExchange(exchange, { ...options, redact: redactText }));
  const notices = new Set<string>();
  const breaker = createBreaker({
    aliveRequest: () => client.send(aliveRequest(options.apiKey), { beyondBound: true }),
    notice: (sentence) => void notices.add(sentence),
    elapsed: client.elapsed,
  });
  const dialect = createDialect();
  const patience = createPatience(options.consistencyWindow);
  const nameForm: { current: NameForm } = { current: 'capitalized' };
  const spareNames = createNames({ tag: options.runTag, first: SPARE_NAMES });
  const size = createRunSize(options, { client, notice: (sentence) => void notices.add(sentence) });
  const traces = createTraces();
  const api = createApi({
    traces,
    client,
    recorder,
    knowledge,
    budget,
    breaker,
    dialect,
    apiKey: options.apiKey,
    spareName: () => spareNames(nameForm.current),
    assertMaySend: size.assertMaySend,
  });
  const operations = createOperations();
  const traitsSoFar = createTraits();
  let beginnings = 0;
  let first: Exchange | undefined;

  const base = {
    options,
    api,
    knowledge,
    commandOf: (exchange: Exchange) => redact(exchange).curl,
    random: createRandom(options.seed),
    room: budget.room,
    hasTimeFor: size.hasTimeFor,
    async all<Item, Result>(items: readonly Item[], work: (item: Item, index: number) => Promise<Result>): Promise<Result[]> {
      const settled = await Promise.allSettled(items.map(work));
      return settled.map((result) => {
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      });
    },
    portion: size.portion,
    cases: size.cases,
    outOfTime: size.outOfTime,
    poll: patience.poll,
    beginnings: () => beginnings,
    pause: (milliseconds: number) => setTimeout(milliseconds),
    notice: (sentence: string) => void notices.add(sentence),
    close: () => client.close(),
  };
  const fixtures = createFixtures({ ...base, nameForm });
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
    limitRequests: size.limitRequests,
    takePortion: size.takePortion,
    fitInto: size.fitInto,
    longestTable: size.longestTable,
    slowBecause: client.slowBecause,
    allowedRate: client.allowedRate,
    summary() {
      const show = (text: string): string => showText(text, redactText);
      const reached = [...describeRoute(options, options.baseUrl), ...describeExtra(options.headers)];
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
      const unread = [
        ...Map.groupBy(
          exchanges.flatMap((exchange) => unreadReason(exchange) ?? []),
          (reason) => reason,
        ),
      ].map(
        ([reason, { length }]) =>
          `${length === 1 ? 'The body of 1 response is' : `The bodies of ${length} responses are`} not judged: ${reason}`,
      );
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
          ...(wasEmpty(first) ? { nextRun: knowledge.entries.length - fixtures.madeForLack() } : {}),
          prefix: inForm(PREFIX, nameForm.current),
        },
        operations: operations(exchanges),
        traits: redactTraits(traitsSoFar(exchanges), show),
        departures: dialect.departures().map((departure) => ({ ...departure, description: show(departure.description) })),
        notices: [...reached, ...notices, ...waits, ...unread, ...stale, ...momentary, ...unasked, ...sentences].map(show),
      };
    },
  };
}
