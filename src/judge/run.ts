// Runs a plan of rows: looks at what is there, sends rows by phase, asks again what came too early, and judges the history.

import { setImmediate as breathe } from 'node:timers/promises';
import type { ClauseId } from '../clause/clause.ts';
import type { Clause } from '../oracle/rule.ts';
import { usualLetterCase } from '../oracle/standing.ts';
import { judgeHistory, type Verdict } from '../oracle/verdicts.ts';
import { createWorld, type World } from '../oracle/world.ts';
import type { Choice, Consent, Plan, StoreState } from '../plan/choose.ts';
import type { PairsMet } from '../plan/fill.ts';
import type { ConditionWording } from '../plan/halve.ts';
import { type Group, isGroup, type Row, vectorsOf } from '../plan/row.ts';
import { plainNameOf } from '../session/compose.ts';
import { type Contact, findMistake, reachService } from '../session/first-contact.ts';
import type { ReasonNotSent, Received } from '../session/history.ts';
import { createLanes } from '../session/lanes.ts';
import type { Depth, SessionOptions } from '../session/session.ts';
import type { ComposeContext, Sent, Vector } from '../session/vector.ts';
import { type Client, createClient } from '../wire/client.ts';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';
import { BAD_REQUEST, LEAST_SERVER_ERROR } from '../wire/statuses.ts';
import { type Again, againOf } from './again.ts';
import type { Condition } from './condition.ts';
import { conditionsOf } from './conditions.ts';
import { joinPhasesInOrder, type NumberedPhase } from './distance.ts';
import { Phases, readOf } from './phases.ts';
import { type AgainPlan, repeatBrokenRows } from './repetition.ts';
import { INTERRUPTED, RunTime } from './run-time.ts';
import { type NumberedRow, numbered, REPEATED, RowSending } from './sending.ts';

export type RunInput = {
  readonly options: SessionOptions;
  readonly clauses: readonly Clause[];
  readonly compose: (vector: Vector, context: ComposeContext) => Sent;
  /** Begins with a list without parameters. */
  readonly opening: readonly Vector[];
  readonly planOf: (found: StoreState, choice: Choice & { readonly seed: number }) => Plan;
  /** How it says when clauses are broken; undefined: it does not ask. */
  readonly wording?: ConditionWording;
  /** What is sent again for what was broken; undefined: it does not repeat that. */
  readonly again?: AgainPlan;
  /** The clauses that are judged, with what is sent for their sake; all without it. */
  readonly only?: ReadonlySet<ClauseId>;
  /** Tokens that are nearly the API key are sent unless this is false. */
  readonly nearMisses?: boolean;
  /** At most about so many requests; by default as many as the depth has. */
  readonly requests?: number;
  /** Milliseconds until the run ends, whatever is left. */
  readonly deadline?: number;
  /** Ends the run at once: what is known by then is judged. */
  readonly stop?: AbortSignal;
  /** Called after each row, and every second. */
  readonly onProgress?: (progress: Progress) => void;
  /** Called with each exchange, those included that do not count. */
  readonly onReceived?: (received: Received) => void;
  /** Sends more once the plan was sent. Returns how many requests may be sent after that to learn when clauses are broken. */
  readonly more?: (sending: Sending) => Promise<number>;
};

/** How more is sent after the plan. */
export type Sending = {
  /** Sends a row; undefined for each request that is not sent. */
  readonly send: (row: Row) => Promise<readonly (Received | undefined)[]>;
  /** Judges what was received so far. */
  readonly judge: () => readonly Verdict[];
  readonly requests: () => number;
  readonly elapsed: () => number;
  readonly isOver: () => boolean;
  /** Whether responses take so long that what need not follow each other does not. */
  readonly isFar: () => boolean;
};

export type Progress = {
  readonly phase: string;
  /** Requests so far, and how many the plan has. */
  readonly requests: number;
  readonly planned: number;
  /** Of the rows of the plan, how many were sent or left out. */
  readonly done: number;
  readonly of: number;
  /** How many clauses were broken when `soFar` was called last. */
  readonly failed: number;
  /** Why the run is slower than usual at the moment, in words. */
  readonly slowBecause: string | undefined;
  /** Requests per second that the service was seen to allow. */
  readonly allowedRate: number | undefined;
  /**
   * What the run would return if it ended now, without when clauses are broken. It is to be read at once, because its history grows. Whatever is new is
   * judged, which may take some 100 ms.
   */
  readonly soFar: () => RunResult;
};

export type RunResult = {
  readonly world: World;
  readonly verdicts: readonly Verdict[];
  readonly requests: number;
  readonly created: number;
  readonly conditions: readonly Condition[];
  /** By what each broken clause is seen to be broken once more; missing if that is not known of this run. */
  readonly again?: readonly Again[];
  readonly pairs: PairsMet;
  /** How often it waited until what came too early counts. */
  readonly waits: number;
  /** Why the run ended before its plan did. */
  readonly stopped: string | undefined;
  /** Clauses for whose sake more would have been sent with a larger budget. */
  readonly curtailed: ReadonlySet<ClauseId>;
  /** What was asked for by the bytes that were sent; undefined where the same bytes were sent again. */
  readonly vectorOf: (sent: Sent) => Vector | undefined;
  /** The group of which these bytes were sent as a part. */
  readonly groupOf: (sent: Sent) => Group | undefined;
  readonly phases: readonly { readonly title: string; readonly from: number; readonly requests: number }[];
  /** What was waited for, or cut short, in sentences. */
  readonly notices: readonly string[];
  /** Why nothing else can be judged: a wrong address, a wrong key, no pet store. */
  readonly mistake?: string;
  /** How many animals a next run with the same options creates; only of a whole run that found the store empty. */
  readonly nextRun?: number;
  /** What only the connections know: milliseconds of waits that the service asked for, responses without a request, and more, in sentences. */
  readonly wire: { readonly waited: number; readonly unasked: number; readonly sentences: readonly string[] };
};

const LANES = 3;
/** Milliseconds between two reports of progress where no row has ended. */
const HEARTBEAT = 1_000;
const FIRST_CONTACT = 'the first contact';
/** When it asks again to learn when clauses are broken. */
export const NARROWING_TITLE = 'asking when it fails';
/** When it repeats what was broken. */
export const REPETITION_TITLE = 'the broken requests again';
/** Requests of both, and how many there are to repeat at any rate. */
const [MOST_QUESTIONS, LEAST_REPEATED] = [200, 60];
/** So many animals are created to learn when clauses are broken. */
const MOST_ASKED_CREATIONS = 40;
const MOST_CATEGORIES = 12;
const FALLBACK_CATEGORIES = Array.from({ length: 10 }, (_unused, index) => BigInt(index + 1));
/** About as many requests and animals as a run at each depth has at most. */
export const BOUNDS: Readonly<Record<Depth, { readonly requests: number; readonly creations: number }>> = {
  quick: { requests: 400, creations: 60 },
  standard: { requests: Number.POSITIVE_INFINITY, creations: 250 },
  thorough: { requests: 3_500, creations: 300 },
};
/** Of the budget of creations, what no plan uses up: each that must be rejected takes one until it is. */
const LEFT_FOR_REJECTED = 16;

/** Sends what the plan has, and returns the verdicts on the history, whenever it ends. */
export const runSuite = (run: RunInput): Promise<RunResult> => new RunOfPlan(run).toEnd();

type Opening = { readonly found: StoreState; readonly categories: readonly bigint[] };
/** What a run tells unless it is stopped before: the mistake for which nothing is judged, or when the broken clauses are broken, and by what. */
type RunFindings = Partial<Pick<RunResult, 'mistake' | 'conditions' | 'again'>>;

class RunOfPlan {
  private readonly asked: RunInput;
  private readonly client: Client;
  private readonly history: ReturnType<typeof createWorld>;
  private readonly time: RunTime;
  private readonly rows: RowSending;
  private readonly phases: Phases;
  private readonly notices = new Set<string>();
  /** Until the service is reached, only the last exchange counts. */
  private lastBeforeReached: readonly Received[] | undefined = [];
  private isOver = false;
  private phase = FIRST_CONTACT;
  private quickest = Number.POSITIVE_INFINITY;
  private askedCreations = 0;
  private mostRequests = Number.POSITIVE_INFINITY;
  private judged: { readonly exchanges: number; readonly unsent: number; readonly verdicts: readonly Verdict[] } | undefined;
  private planned: number;
  /** Requests of the opening, then of the plan too. */
  private rowsInAll: number;
  private plan: Plan | undefined;
  private planAgain: ((size: number) => Plan) | undefined;
  private found: StoreState = { size: 0, rarestStatus: 'available', known: 0 };
  private rest: readonly NumberedRow[] = [];
  private known: { readonly requests: number; readonly result: RunResult } | undefined;

  constructor(asked: RunInput) {
    const { options, clauses, compose, deadline, stop: interruption } = asked;
    const client = createClient(options);
    const { apiKey, baseUrl, now, consistencyWindow: window, leftoverIds, categoryIds } = options;
    const history = createWorld({ apiKey, baseUrl, now, window, leftoverIds, categoryIds });
    const { elapsed } = client;
    this.asked = asked;
    this.client = client;
    this.history = history;
    this.planned = asked.opening.length;
    this.rowsInAll = asked.opening.length;
    this.time = new RunTime({
      elapsed,
      ...(deadline === undefined ? {} : { deadline, isAllForPlan: asked.more !== undefined }),
      ...(interruption === undefined ? {} : { interruption }),
    });
    this.rows = new RowSending({
      ...{ options, compose, elapsed, lanes: createLanes(client), stopped: this.time.reasonToStop, isFar: () => this.phases.isFar() },
      // What is told when the run has ended is the history of that moment.
      history: {
        ...{ now: history.now, factsOf: history.factsOf },
        skip: (unsent) => {
          if (!this.isOver) history.skip(unsent);
        },
      },
      sendFewerThan: (inFlight) => client.sendFewerThan(inFlight),
      notice: (sentence) => void this.notices.add(sentence),
      add: (received) => this.add(received),
    });
    this.phases = new Phases({
      ...{ client, clauses, now: history.now, rows: this.rows, time: this.time, quickest: () => this.quickest },
      onRow: (phase) => this.report(phase),
    });
  }

  async toEnd(): Promise<RunResult> {
    const { client, history, rows, time } = this;
    const heartbeat = setInterval(() => this.report(), HEARTBEAT);
    const running = this.runAll();
    // What is in flight when the run is stopped fails with its connection.
    running.catch(() => undefined);
    try {
      const told = (await Promise.race([running, time.whenStopped()])) ?? {};
      const reason = time.reasonToStop();
      if (reason !== undefined) rows.skipRest(this.rest, reason);
      this.enterEarly();
      this.isOver = true;
      const nextRun = reason === undefined ? this.creationsOfNextRun() : undefined;
      return this.withAgain({ ...this.resultOf(history.now(), reason), ...told, ...(nextRun === undefined ? {} : { nextRun }) });
    } finally {
      this.isOver = true;
      clearInterval(heartbeat);
      time.close();
      await client.close();
    }
  }

  /** With what a later run sends for the broken clauses that this one did not repeat, too. */
  private withAgain(result: RunResult): RunResult {
    const { again, clauses } = this.asked;
    if (again === undefined) return result;
    const { again: repeated = [] } = result;
    const failed = result.verdicts.filter(({ verdict }) => verdict === 'fail');
    const verdicts = failed.filter(({ clause: { id } }) => !repeated.some(({ clause }) => clause === id));
    const still = repeated.filter(({ clause }) => failed.some(({ clause: { id } }) => id === clause));
    return { ...result, again: [...still, ...againOf({ ...result, verdicts }, clauses)] };
  }

  private resultOf(world: World, reason: ReasonNotSent | undefined): RunResult {
    const { client, phases, rows } = this;
    return {
      ...{ world, verdicts: this.verdictsOn(world), requests: client.requests(), created: rows.created() },
      ...{ phases: [...phases.sent], waits: phases.waits, vectorOf: rows.vectorOf, groupOf: rows.groupOf, notices: [...this.notices] },
      ...{ stopped: reason?.missing, conditions: [] },
      curtailed: new Set(this.plan?.leftOut.flatMap((one) => one.for ?? [])),
      pairs: this.plan?.pairsIn(rows.vectorsSent()) ?? { met: 0, of: 0 },
      wire: {
        ...{ waited: client.waited(), unasked: client.unasked() },
        sentences: [client.fewServed(), client.describeHangs()].filter((sentence) => sentence !== undefined),
      },
    };
  }

  /** As if the run was interrupted now. */
  private soFar(): RunResult {
    const requests = this.client.requests();
    if (this.known?.requests === requests) return this.known.result;
    const now = this.history.now();
    const unsent = [...now.unsent, ...this.rows.unhandled(this.rest, INTERRUPTED)];
    const result = this.resultOf({ ...now, unsent }, INTERRUPTED);
    this.known = { requests, result };
    return result;
  }

  private report(phase = this.phase): void {
    this.phase = phase;
    this.asked.onProgress?.(this.progressIn(phase));
  }

  private progressIn(phase: string): Progress {
    const { client, known, planned, rows } = this;
    const failed = known?.result.verdicts.filter(({ verdict }) => verdict === 'fail').length ?? 0;
    return {
      ...{ phase, requests: client.requests(), planned, done: rows.countHandled(), of: this.rowsInAll, failed },
      ...{ slowBecause: client.slowBecause(), allowedRate: client.allowedRate(), soFar: () => this.soFar() },
    };
  }

  /** How many animals a run creates that finds the store as this one leaves it, if this one found it empty. */
  private creationsOfNextRun(): number | undefined {
    const { seen } = this.history.now();
    const creations = this.planAgain?.(seen.size).creations;
    // One more shows which category is accepted.
    return creations === undefined || creations === 0 ? creations : creations + 1;
  }

  private async runAll(): Promise<RunFindings> {
    const { options, wording } = this.asked;
    const contact: Contact = {
      options,
      send: async (vector) => (await this.rows.send(vector)).received[0],
      reset: () => this.rows.reset(),
    };
    const reached = await reachService(contact);
    this.enterEarly();
    const mistake = reached === undefined ? undefined : await findMistake(contact, reached);
    if (mistake !== undefined) return { mistake };
    await this.runPlan();
    // What is asked after the end takes none of the time that was kept for it.
    if (this.asked.more === undefined) this.time.isEnd = false;
    this.mostRequests = await this.sendMore();
    // Judging long lists takes tens of milliseconds, and a monitor has other targets in between.
    await breathe();
    const before = this.client.requests();
    const conditions = wording === undefined ? () => [] : await this.phases.timed(NARROWING_TITLE, () => this.findConditions(wording));
    const left = MOST_QUESTIONS - (this.client.requests() - before);
    await breathe();
    const again = await this.repeatBroken(Math.max(LEAST_REPEATED, left));
    // Last, so that what is counted is what the clauses count.
    return { conditions: conditions(), ...again };
  }

  /** Repeats what was broken as a later run does that is to see whether it is repaired. */
  private async repeatBroken(most: number): Promise<Pick<RunResult, 'again'>> {
    const { client, history, phases, rows } = this;
    const { again, clauses } = this.asked;
    const verdicts = this.verdictsOn(history.now());
    if (again === undefined || !verdicts.some(({ verdict }) => verdict === 'fail')) return {};
    const { vectorOf, groupOf } = rows;
    const { opening, planOf } = again;
    const { size } = history.now().seen;
    const found: StoreState = { ...this.found, size, known: size };
    const rowsFor = (some: readonly Again[]): readonly Row[] => [
      ...opening,
      ...planOf(some)(found, this.choice()).phases.flatMap((phase) => phase.rows),
    ];
    phases.readBack = readOf;
    return {
      again: await repeatBrokenRows(againOf({ world: history.now(), verdicts, vectorOf, groupOf }, clauses), {
        ...{ clauses, vectorOf, groupOf, rowsFor, now: history.now, mostRequests: Math.min(most, this.mostRequests - client.requests()) },
        send: (all) =>
          phases.run({ title: REPETITION_TITLE, rows: numbered(all, REPEATED), isInOrder: true, readsBack: true, settles: 'once' }),
      }),
    };
  }

  /** How many requests the run may have sent at its end. */
  private async sendMore(): Promise<number> {
    const { asked, client, phases, rows, time } = this;
    if (asked.more === undefined) return Number.POSITIVE_INFINITY;
    const left = await asked.more({
      send: async (row) => (await rows.send(row)).received,
      judge: () => this.verdictsOn(this.history.now()),
      ...{ requests: client.requests, elapsed: client.elapsed, isFar: phases.isFar },
      isOver: () => time.reasonToStop() !== undefined,
    });
    return client.requests() + left;
  }

  private async runPlan(): Promise<void> {
    const { rows, phases } = this;
    const { found, categories } = await this.open();
    const plan = this.planFor(found);
    this.plan = plan;
    this.found = found;
    phases.readBack = plan.read;
    // Before it is known how far away the service is: the same row has the same number, and thus the same bytes.
    let number = this.asked.opening.length + MOST_CATEGORIES;
    const inOrder = plan.phases.map((phase): NumberedPhase => {
      const own = numbered(phase.rows, number);
      number += phase.rows.flatMap(vectorsOf).length;
      return { ...phase, rows: own };
    });
    this.rest = inOrder.flatMap((phase) => phase.rows);
    const vectors = this.rest.flatMap(({ row }) => vectorsOf(row));
    this.planned = this.client.requests() + vectors.length;
    for (const { vector, missing } of plan.leftOut) rows.skip(vector, 0, { why: 'choice', missing });
    const needsCategory = found.known === 0 || vectors.some(({ op }) => op === 'create');
    if (!this.asked.options.readOnly && needsCategory) await this.findCategory(categories, found.rarestStatus);
    this.rowsInAll = rows.countHandled() + vectors.length;
    for (const phase of phases.isFar() ? joinPhasesInOrder(inOrder) : inOrder) await phases.run(phase);
    phases.skipUnanswered();
  }

  /** The first requests, one after the other; those of animals as far as the lists have shown any. */
  private async open(): Promise<Opening> {
    const { history, phases, rows } = this;
    const { opening, options } = this.asked;
    const lists = opening.filter(({ op }) => op === 'list').slice(1);
    await phases.run({ title: 'the opening', rows: numbered(lists, 1), isInOrder: true });
    const shown = [...history.now().seen.values()];
    rows.lists(shown.map(({ id }) => id));
    const reads = opening.filter((row) => row.op === 'get' && (typeof row.id !== 'number' || row.id < shown.length));
    await phases.run({ title: 'the first reads', rows: numbered(reads, 1 + lists.length), isInOrder: true });
    const count = (status: PetStatus): number => shown.filter((one) => one.status === status).length;
    const places = PET_STATUSES.map((status) => [status, shown.findIndex((one) => one.status === status)] as const);
    const firstOf = Object.fromEntries(places.filter(([, place]) => place >= 0));
    const rarestStatus = PET_STATUSES.reduce((one, other) => (count(other) < count(one) ? other : one));
    const categories = new Set([...options.categoryIds, ...shown.flatMap(({ categoryId }) => categoryId ?? []), ...FALLBACK_CATEGORIES]);
    return {
      found: { size: shown.length, rarestStatus, known: shown.length, firstOf },
      categories: [...categories].slice(0, MOST_CATEGORIES),
    };
  }

  private planFor(found: StoreState): Plan {
    const { planOf } = this.asked;
    const choice = this.choice();
    if (found.size === 0) this.planAgain = (size) => planOf({ ...found, size, known: size }, choice);
    return planOf(found, choice);
  }

  private choice(): Choice & { readonly seed: number } {
    const { only, options, requests } = this.asked;
    const { depth, maxCreates, rate, seed } = options;
    const bounds = BOUNDS[depth];
    const durations = this.history
      .now()
      .all.map(({ at, done }) => done - at)
      .sort((a, b) => a - b);
    // As fast as the first requests were, or as the rate allows.
    const each = Math.max((durations[durations.length >> 1] ?? 0) / LANES, rate > 0 ? 1_000 / rate : 0);
    const left = (requests ?? bounds.requests) - this.client.requests();
    const inTime = this.time.requestsLeft(each);
    return {
      ...(only === undefined ? {} : { clauses: only }),
      ...{ seed, isThorough: depth === 'thorough', consents: consentsOf(this.asked) },
      ...(inTime < left ? { requests: inTime, isShortOfTime: true } : { requests: left }),
      creations: Math.min(bounds.creations, maxCreates - Math.min(maxCreates / 4, LEFT_FOR_REJECTED)) - 1,
    };
  }

  /** One plain creation with each category, until one is accepted. */
  private async findCategory(categories: readonly bigint[], status: PetStatus): Promise<void> {
    const { rows } = this;
    for (const [index, category] of categories.entries()) {
      rows.useCategory(category);
      if (!(await this.isRejected({ op: 'create', status }, this.asked.opening.length + index))) return;
    }
  }

  /** Whether the service rejects a plain creation, also with a name in the letter case of its other animals, which is kept if it accepts that. */
  private async isRejected(creation: Vector, number: number): Promise<boolean> {
    const { history, notices, rows } = this;
    const { runTag } = this.asked.options;
    const before = rows.created();
    const code = (await rows.send(creation, number)).received[0]?.response?.status;
    if (code === undefined || code >= LEAST_SERVER_ERROR || rows.created() > before) return false;
    const letterCase = usualLetterCase(history.now());
    if (code !== BAD_REQUEST || letterCase === undefined || letterCase === 'words') return true;
    rows.useLetterCase(letterCase);
    await rows.send(creation);
    if (rows.created() === before) {
      rows.useLetterCase(undefined);
      return true;
    }
    const [own, other] = [undefined, letterCase].map((one) => plainNameOf({ runTag, rowNumber: 0, letterCase: one }));
    notices.add(
      `The service rejects names like ${own}, and its animals have names in ${letterCase} case, so created animals have names like ${other}`,
    );
    return false;
  }

  private findConditions(wording: ConditionWording): Promise<() => readonly Condition[]> {
    const { history, rows } = this;
    const broken = this.verdictsOn(history.now()).flatMap(({ verdict, clause }) => (verdict === 'fail' ? [clause.id] : []));
    return conditionsOf(broken, {
      ...{ clauses: this.asked.clauses, wording, now: history.now, vectorOf: rows.vectorOf, groupOf: rows.groupOf },
      ask: (row) => this.ask(row),
    });
  }

  /** Sends a row to learn when a clause is broken, and looks at what it creates. */
  private async ask(row: Row): Promise<readonly number[] | undefined> {
    const { rows } = this;
    const { readOnly, maxCreates } = this.asked.options;
    const vectors = vectorsOf(row);
    const creations = vectors.filter(({ op }) => op === 'create').length;
    const mayCreate = !readOnly && this.askedCreations + creations <= MOST_ASKED_CREATIONS && rows.created() + creations <= maxCreates;
    const isBeyond = this.client.requests() + vectors.length > this.mostRequests;
    if (isBeyond || this.time.reasonToStop() !== undefined || (creations > 0 && !mayCreate)) return undefined;
    const { received, created } = await rows.send(row);
    this.report(NARROWING_TITLE);
    this.askedCreations += created.length;
    // Each is looked at where it shows among the fewest.
    const status = PET_STATUSES.find((one) => vectors.some((vector) => vector.op === 'create' && vector.status === one)) ?? 'none';
    const looks = created.flatMap((id): Vector[] => [readOf(id), { op: 'list', limit: 100, status }]);
    const reads: (Received | undefined)[] = [];
    for (const look of looks) reads.push(...(await rows.send(look)).received);
    const told = isGroup(row) && row.isForLast === true ? received.slice(-1) : received;
    return [...told, ...reads].flatMap((one) => one?.number ?? []);
  }

  /** The same history is judged once. */
  private verdictsOn(world: World): readonly Verdict[] {
    const { clauses, only } = this.asked;
    const [exchanges, unsent] = [world.all.length, world.unsent.length];
    if (this.judged?.exchanges === exchanges && this.judged.unsent === unsent) return this.judged.verdicts;
    const verdicts = judgeHistory(clauses, world).filter(({ clause }) => only === undefined || only.has(clause.id));
    this.judged = { exchanges, unsent, verdicts };
    return verdicts;
  }

  private add(received: Received): void {
    if (this.isOver) return;
    this.asked.onReceived?.(received);
    if (received.response !== undefined) this.quickest = Math.min(this.quickest, received.done - received.at);
    if (this.lastBeforeReached === undefined) this.history.add(received);
    else this.lastBeforeReached = [received];
  }

  private enterEarly(): void {
    for (const received of this.lastBeforeReached ?? []) this.history.add(received);
    this.lastBeforeReached = undefined;
  }
}

function consentsOf({ options, nearMisses = true }: RunInput): ReadonlySet<Consent> {
  const { readOnly, intrusive } = options;
  return new Set<Consent>([
    ...(readOnly ? [] : (['write'] as const)),
    ...(intrusive ? (['intrusive'] as const) : []),
    ...(nearMisses ? (['near miss'] as const) : []),
  ]);
}
