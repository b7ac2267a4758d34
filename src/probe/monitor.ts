// The daemon without its sockets: schedules targets, and feeds verdicts into metrics, history, and alerts.

import type { OwnClause } from '../oracle/own.ts';
import { watchOwnDelay } from '../wire/own-delay.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { messageOf } from '../wire/wording.ts';
import { Alerting } from './alerts/alerting.ts';
import { CAUSES } from './alerts/cause.ts';
import { createMaintenance, type Maintenance } from './alerts/maintenance.ts';
import { createUnservedWatch, failUnserved, wantsConfirmation } from './alerts/target-state.ts';
import { describeChange } from './changes/change.ts';
import { Changes } from './changes/changes.ts';
import { type Clock, createRepeater, createThrottled } from './clock.ts';
import type { MonitorConfig } from './config/config.ts';
import { failureOf } from './failure.ts';
import { nameFormerAnimals } from './former-animals.ts';
import { createHeartbeat, faultOf } from './heartbeat.ts';
import { createRedactSink, Journal } from './journal.ts';
import type { Log } from './log-line.ts';
import { Metrics } from './metrics/metrics.ts';
import { createFreshView, type FreshView, type MonitorView, type VerdictSince } from './monitor-view.ts';
import { discountOwnFault } from './own-fault.ts';
import type { Sample } from './sample.ts';
import { type Outcome, type Purpose, Scheduler } from './schedule.ts';
import { createSharedProbes } from './shared-probes.ts';
import { createSmoke, type Smoke, type SmokeOptions, type SmokeResult, withoutExchange } from './smoke.ts';
import { type MonitorStorage, openStorage } from './storage.ts';
import { NO_CLAUSES, type ProbeSuite, suiteWith } from './suite.ts';
import type { Target } from './target.ts';
import { iso } from './text.ts';
import type { AskedTurn } from './turn.ts';
import { TurnKeeping, type TurnTarget } from './turn-keeping.ts';
import { createRepetitionDetector, failRun } from './unhandled.ts';

export type MonitorOptions = {
  readonly config: MonitorConfig;
  /** Clauses of your own, judged in addition. */
  readonly ownClauses?: readonly OwnClause[];
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Reads the configuration again; throws ConfigError. */
  readonly loadConfig: () => MonitorConfig;
  /** Whether the files of the configuration have changed since it was read; asked at regular intervals. */
  readonly configChanged?: () => boolean;
};

export type ReloadResult = { readonly ok: true } | { readonly ok: false; readonly problem: string };

type ProbeOptions = { readonly deadline: number; readonly module: string | undefined; readonly debug: boolean };

const FLUSH_EVERY = 1_000;
/** Of the failures that are kept for later runs: a thousand targets may fail at the same time. */
const MOST_EXCHANGES = 3;
const PRUNE_EVERY = 600_000;
const LOOK_AFTER_EVERY = 60_000;
/** A change is read once two looks see the same: within a minute. */
const LOOK_FOR_CHANGES_EVERY = 20_000;

/** Throws FolderInUseError. */
export class Monitor {
  readonly version: string;
  readonly changes: Changes;
  private readonly options: MonitorOptions;
  private readonly clock: Clock;
  private readonly figures: Metrics;
  private readonly journal: Journal;
  private readonly storage: MonitorStorage;
  private readonly alerting: Alerting;
  private readonly suite: ProbeSuite;
  private readonly turns: TurnKeeping;
  private readonly maintenance: Maintenance;
  private readonly scheduler: Scheduler<Target>;
  private readonly probes: ReturnType<typeof createSharedProbes>;
  private readonly repeater: ReturnType<typeof createRepeater>;
  private readonly ownDelay: ReturnType<typeof watchOwnDelay>;
  private readonly repeats: () => boolean;
  private readonly beat: () => Promise<void>;
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<Buffer>;
  private readonly shown: FreshView;
  private readonly asked = createUnservedWatch();
  private readonly last = new Map<string, Sample>();
  private readonly since = new Map<string, VerdictSince>();
  private current: MonitorConfig;
  private targets: ReadonlyMap<string, Target> = new Map();
  private invalid: { readonly problem: string; readonly since: number } | undefined;
  private isStopping = false;
  private lastRun: number;

  constructor(options: MonitorOptions) {
    const { clock, version } = options;
    const wall = (): number => clock.wall();
    this.options = options;
    this.clock = clock;
    this.version = version;
    this.current = options.config;
    this.lastRun = clock.monotonic();
    this.figures = new Metrics(version);
    this.journal = new Journal({
      ...{ clock, log: options.log },
      redact: createRedactSink(
        () => this.current.secrets(),
        () => this.current.addressParts(),
      ),
      onUnexpected: this.figures.unexpected,
    });
    const onProblem = (problem: string): void => {
      this.figures.storageFailed();
      this.journal.note(problem);
    };
    this.storage = openStorage({ data: options.config.data, clock, onProblem });
    const { history, alertStore } = this.storage;
    this.ownDelay = watchOwnDelay(clock);
    this.repeats = createRepetitionDetector(() => clock.monotonic());
    this.suite = suiteWith(options.ownClauses ?? NO_CLAUSES);
    this.turns = new TurnKeeping({ planOf: this.suite.planOf, history, wall });
    this.changes = new Changes({ history, wall });
    this.maintenance = createMaintenance({ planned: () => this.current.maintenance, wall });
    this.probes = createSharedProbes({ clock, most: () => this.current.concurrentRuns });
    this.alerting = new Alerting({
      ...{ clock, alertStore, metrics: this.figures, journal: this.journal, config: this.config },
      targetOf: (name) => this.targets.get(name),
    });
    this.beat = createHeartbeat({
      clock,
      heartbeat: () => this.current.heartbeat,
      fault: () => this.fault(),
      onSent: this.figures.heartbeat,
      onFailed: (problem) => {
        this.figures.noHeartbeat();
        this.journal.note(problem);
      },
    });
    this.scheduler = new Scheduler<Target>({
      clock,
      places: options.config.concurrentRuns,
      run: (target, purpose) => this.runOnce(target, purpose),
      onSkip: ({ name }, reason) => this.figures.skip(name, reason),
      onDelay: (_target, delay) => this.figures.delay(delay),
    });
    this.metrics = createThrottled(clock, async () => Buffer.from(this.writeFigures(), 'utf8'));
    this.repeater = createRepeater(clock, (error) => this.journal.unexpected('housekeeping broke', error));
    this.shown = createFreshView({
      ...{ clock, version, storage: this.storage, config: this.config, last: this.last, since: this.since },
      ...{ causes: this.alerting.causes, changes: this.changes, maintenance: this.maintenance },
      coverage: (target) => this.turns.coverage(this.turnTarget(target)),
      problems: () => this.problems(),
    });
  }

  readonly config = (): MonitorConfig => this.current;
  readonly isReady = (): boolean => !this.isStopping;

  start(): void {
    if (this.current.data !== undefined) nameFormerAnimals(this.current.data.folder, this.journal.log);
    this.use(this.current);
    this.repeater.every(FLUSH_EVERY, () => this.housekeeping());
    this.repeater.every(PRUNE_EVERY, () => this.storage.history.prune());
    this.repeater.every(LOOK_AFTER_EVERY, () => this.storage.lookAfter());
    this.repeater.every(LOOK_FOR_CHANGES_EVERY, () => {
      if (this.options.configChanged?.() === true) this.reload();
    });
  }

  reload(): ReloadResult {
    const { log } = this.journal;
    try {
      this.use(this.options.loadConfig());
      for (const warning of this.current.warnings) log(warning, { level: 'warn' });
      this.invalid = undefined;
      log('configuration reloaded');
      if (fixedPart(this.current) !== fixedPart(this.options.config))
        log('server.host, server.port, data, and concurrentRuns change at the next start only', { level: 'warn' });
      return { ok: true };
    } catch (error) {
      this.invalid = { problem: this.journal.redact(messageOf(error)), since: this.invalid?.since ?? this.clock.wall() };
      this.figures.notReloaded(this.invalid.since);
      log(`configuration not reloaded: ${this.invalid.problem}`, { level: 'error' });
      return { ok: false, problem: this.invalid.problem };
    } finally {
      this.shown.forget();
    }
  }

  private use(next: MonitorConfig): void {
    const { figures } = this;
    this.current = next;
    this.lastRun = this.clock.monotonic();
    this.targets = new Map(next.targets.map((target) => [target.name, target]));
    figures.setTargets(next.targets);
    figures.setReceivers(next);
    figures.reloaded(this.clock.wall());
    const names = new Set(this.targets.keys());
    for (const known of [this.last, this.since]) for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    this.changes.use(names);
    this.asked.keep(names);
    this.alerting.causes.use(new Map(next.schedule ? next.targets.map(({ name, interval }) => [name, interval]) : []));
    this.alerting.endAlerts();
    this.scheduler.set(next.schedule ? next.targets : []);
  }

  private async runOnce(target: Target, { confirms }: Purpose): Promise<Outcome> {
    let outcome: Outcome = { confirm: false };
    try {
      const begin = this.clock.monotonic();
      const loop = performance.eventLoopUtilization();
      const asked = this.turnTarget(target);
      const turn = this.turns.next(asked);
      const { sample, run } = await this.smokeOf(target, {
        ...(turn === undefined ? {} : { turn }),
        standing: (sent) => this.turns.failuresNotAsked(asked, sent),
      }).run();
      const own = { stall: this.ownDelay.longestSince(begin), busy: performance.eventLoopUtilization(loop).utilization };
      const seen = { ...discountOwnFault(sample, own), ...(confirms ? { confirms } : {}) };
      // If a run says nothing about the service, it had no turn.
      if (turn !== undefined && seen.verdict !== 'unknown') this.keepTurn(asked, turn, run);
      outcome = this.take(target.name, seen);
    } catch (error) {
      this.journal.unexpected(`a run of ${target.name} broke`, error);
    }
    this.lastRun = this.clock.monotonic();
    return outcome;
  }

  private turnTarget(target: Target): TurnTarget {
    const only = this.suite.selected(target);
    return { name: target.name, ...target.turns, ...(only === undefined ? {} : { only }) };
  }

  /** With the failures of the run, for runs that do not send the same requests: the first few with their exchanges. */
  private keepTurn(target: TurnTarget, turn: AskedTurn, run: SmokeResult['run']): void {
    if (run?.sent === undefined) return;
    const failures = run.record.clauses
      .filter(({ verdict }) => verdict === 'fail')
      .map((clause, index) => (index < MOST_EXCHANGES ? failureOf(clause) : withoutExchange(failureOf(clause))));
    this.turns.keep(target, turn, { sent: run.sent, failures });
  }

  private smokeOf(target: Target, more: Pick<SmokeOptions, 'turn' | 'standing' | 'onExchange'>): Smoke {
    const { dnsCanary } = this.current;
    return createSmoke(target, {
      ...more,
      ownClauses: this.suite.own,
      version: this.version,
      now: () => new Date(this.clock.wall()),
      ...(dnsCanary === undefined ? {} : { dnsCanary }),
    });
  }

  /** Metrics first: they must not depend on a disk. Says whether to confirm what the run found. */
  private take(name: string, seen: Sample): Outcome {
    const { figures } = this;
    const target = this.targets.get(name);
    // The run began before the configuration changed.
    if (target === undefined || !this.current.schedule) return { confirm: false };
    const before = this.storage.alertStore.state(name);
    const window = this.maintenance.of(name);
    const inWindow = window === undefined ? {} : { maintenance: window.reason };
    const sample = failUnserved({ ...this.withoutSecrets(seen), ...inWindow }, before.unanswered ?? {});
    figures.observe(sample);
    this.last.set(name, sample);
    this.noteVerdict(sample);
    this.noteOwnFault(sample);
    const changed = this.changes.take(sample);
    const listed = changed.filter(({ kind }) => window === undefined && target.alertOnChanges.includes(kind));
    this.alerting.react(sample, { target, before, changes: listed });
    for (const change of changed) {
      figures.changed(change);
      this.journal.log(`change: ${describeChange(change)}`, { target: change.target });
    }
    this.storage.history.add(sample);
    figures.planned(name, this.turns.coverage(this.turnTarget(target)));
    return { confirm: wantsConfirmation(before, sample) };
  }

  /** A text of our own errors is one that no session has redacted. */
  private withoutSecrets(sample: Sample): Sample {
    return sample.verdict === 'unknown' ? { ...sample, note: this.journal.redact(sample.note) } : sample;
  }

  /** A run that says nothing about the service ends nothing. */
  private noteVerdict({ target, at, verdict }: Sample): void {
    const known = this.since.get(target);
    if (verdict === 'unknown' || verdict === known?.verdict) return;
    // After a restart, the history knows it.
    this.since.set(target, { verdict, at: known === undefined ? (this.storage.history.since(target, verdict) ?? at) : at });
  }

  private noteOwnFault({ ownFault, verdict, target, note }: Sample): void {
    if (ownFault === true) this.journal.note(HELD_UP, { level: 'warn' });
    else if (verdict === 'unknown') this.journal.note(`${target}: ${note}`, { details: note, target, level: 'warn' });
  }

  private housekeeping(): void {
    const { history, alertStore } = this.storage;
    history.flush();
    // Again, because the address of a webhook may change in its file, and stored alerts may become readable.
    this.alerting.endAlerts();
    this.alerting.pushCauses();
    alertStore.sync();
    this.beat().catch((error) => this.journal.unexpected('sending the heartbeat broke', error));
    this.alerting.send().catch((error) => this.journal.unexpected('sending alerts broke', error));
  }

  private fault(): ReturnType<typeof faultOf> {
    const { schedule, targets } = this.current;
    return faultOf({
      clock: this.clock,
      interval: schedule ? Math.min(...targets.map(({ interval }) => interval)) : undefined,
      lastRun: this.lastRun,
      oldestAlert: this.alerting.oldestUnaccepted(),
      unacceptedFor: this.alerting.unacceptedFor(),
    });
  }

  private problems(): string[] {
    const { invalid } = this;
    const unavailable = this.storage.history.isAvailable() ? [] : ['the history is unavailable'];
    const newer =
      invalid === undefined
        ? []
        : [`a newer configuration has been waiting since ${iso(invalid.since)}, because it is invalid: ${invalid.problem}`];
    return [...newer, ...unavailable, ...this.journal.problems()];
  }

  /**
   * One run within that many milliseconds, by the values of that module, which feeds neither alerts nor history, with its exchanges for
   * `debug`; undefined if too many are running.
   */
  probe(target: Target, { deadline, module, debug }: ProbeOptions): Promise<SmokeResult> | undefined {
    const turn = module === undefined ? undefined : this.turns.alone(this.turnTarget(target));
    return this.probes.run({ target: target.name, module, debug, deadline }, async () => {
      const exchanges: RedactedExchange[] = [];
      const onExchange = debug ? { onExchange: (exchange: RedactedExchange) => void exchanges.push(exchange) } : {};
      const { sample, run } = await this.smokeOf(target, { ...(turn === undefined ? {} : { turn }), ...onExchange }).run({ deadline });
      return { sample: this.asked.judge(this.withoutSecrets(sample)), run, ...(debug ? { exchanges } : {}) };
    });
  }

  view(): MonitorView {
    return this.shown.get();
  }

  private writeFigures(): string {
    const { figures, alerting, maintenance } = this;
    const windows = maintenance.windows();
    for (const { name } of this.current.targets)
      figures.setTargetState(name, {
        down: this.storage.alertStore.state(name).health === 'down',
        maintenance: maintenance.of(name, windows) !== undefined,
        shared: alerting.isShared(name),
      });
    for (const cause of CAUSES) figures.common(cause, alerting.causes.count(cause));
    return figures.text();
  }

  /**
   * Notes an error that nothing handles: the run in whose course it was thrown is unknown. False if such errors repeat, so that the process
   * should end.
   */
  survives(error: unknown): boolean {
    this.journal.unexpected('an unexpected error', error);
    failRun(error);
    if (!this.repeats()) return true;
    this.journal.log('unexpected errors repeat: the monitor ends', { level: 'error' });
    return false;
  }

  /** Completes the running runs, and writes everything. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.repeater.stop();
    await this.scheduler.stop();
    await this.probes.settled();
    this.ownDelay.stop();
    // One last round: the findings of the last runs should be sent before the process ends.
    await this.alerting.send();
    this.storage.close();
  }
}

export const createMonitor = (options: MonitorOptions): Monitor => new Monitor(options);

/** What a running monitor keeps, whatever the file says. */
function fixedPart({ server: { host, port }, data, concurrentRuns }: MonitorConfig): string {
  return JSON.stringify([host, port, data, concurrentRuns]);
}

/** The same words for each run and target: a busy machine must not fill the log. Metrics count the runs, and the page shows each. */
const HELD_UP = 'this probe was held up or overloaded, so nothing is known about the services of some runs';
