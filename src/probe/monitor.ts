import { describeInternalError } from '../judge/check.ts';
import type { SessionClause } from '../oracle/world.ts';
import { watchLateness } from '../wire/lateness.ts';
import { cleanText, createRedactor, createWholeRedactor, type Redactor } from '../wire/redact.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { messageOf } from '../wire/wording.ts';
import { createPusher } from './alerts/alertmanager.ts';
import { CAUSES } from './alerts/cause.ts';
import { createCommonCauses } from './alerts/common-cause.ts';
import { createWelcome, type Ending, endingOf } from './alerts/endings.ts';
import { type AlertEvent, alertOf, eventsOfOpen, reactTo, sentenceOf } from './alerts/event.ts';
import type { Pending } from './alerts/ledger.ts';
import { createMaintenance } from './alerts/maintenance.ts';
import { createUnservedWatch, failUnserved, wantsConfirmation } from './alerts/target-state.ts';
import { createPostman, deliver, takes } from './alerts/webhook.ts';
import { describeChange } from './changes/change.ts';
import { Changes } from './changes/changes.ts';
import { type Clock, createRepeater, createThrottled } from './clock.ts';
import type { MonitorConfig } from './config/config.ts';
import { nameFormerAnimals } from './former-animals.ts';
import { createHeart, faultOf } from './heartbeat.ts';
import type { Log, LogAbout } from './log-line.ts';
import { createMetrics } from './metrics/metrics.ts';
import { discountOwnFault } from './own-fault.ts';
import { createRotation } from './rotation/rotation.ts';
import type { Sample } from './sample.ts';
import { type Outcome, type Purpose, Scheduler } from './schedule.ts';
import { createSharedProbes } from './shared-probes.ts';
import { createSmoke, type SmokeOptions, type SmokeResult } from './smoke.ts';
import { openStorage } from './storage.ts';
import { TARGET_DEFAULTS, type Target } from './target.ts';
import { iso } from './text.ts';
import { createRepetition, failRun } from './unhandled.ts';
import { createFreshView, type MonitorView, type VerdictSince } from './view.ts';

export type MonitorOptions = {
  readonly config: MonitorConfig;
  readonly clauses: readonly SessionClause[];
  /** Where the rotating checks come from: all clauses. */
  readonly rotating: readonly SessionClause[];
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Reads the configuration again; throws ConfigError. */
  readonly loadConfig: () => MonitorConfig;
  /** Whether the files of the configuration have changed since it was read; asked at regular intervals. */
  readonly configChanged?: () => boolean;
};

export type ReloadResult = { readonly ok: true } | { readonly ok: false; readonly problem: string };

export type Monitor = {
  start(): void;
  /**
   * One run within that many milliseconds, by the checks of that module, which feeds neither alerts nor history, with its exchanges for
   * `debug`; undefined if too many are running.
   */
  probe(target: Target, options: { deadline: number; module: string | undefined; debug: boolean }): Promise<SmokeResult> | undefined;
  view(): MonitorView;
  /** In the text format of Prometheus. */
  metrics(): Promise<Buffer>;
  reload(): ReloadResult;
  /**
   * Notes an error that nothing handles: the run in whose course it was thrown is unknown. False if such errors repeat, so that the process
   * should end.
   */
  survives(error: unknown): boolean;
  readonly ready: () => boolean;
  readonly config: () => MonitorConfig;
  readonly version: string;
  readonly changes: Pick<Changes, 'behavior' | 'recent'>;
  /** Completes the running runs, and writes everything. */
  stop(): Promise<void>;
};

const FLUSH_EVERY = 1_000;
const PRUNE_EVERY = 600_000;
const LOOK_AFTER_EVERY = 60_000;
/** A change is read once two looks see the same: within a minute. */
const LOOK_FOR_CHANGES_EVERY = 20_000;
/** The number of intervals without a run after which an alert in Alertmanager ends: longer than a restart, and than a run that is skipped. */
const INTERVALS_WITHOUT_A_RUN = 3;
/** Milliseconds for which an announcement, which has no end, is open in Alertmanager. */
const ANNOUNCEMENT_LIFE = 3_600_000;

/** The daemon without its sockets: schedules targets, and feeds verdicts into metrics, history, and alerts. Throws FolderInUseError. */
export function createMonitor(options: MonitorOptions): Monitor {
  const { clock, clauses, version } = options;
  let config = options.config;
  let targets = new Map<string, Target>();
  const redact = createRedactSink(
    () => config.secrets(),
    () => config.addressParts(),
  );
  const log: Log = (message, about) => options.log(redact(message), about);
  const problems = createProblems(clock, log);
  const metrics = createMetrics(version);
  const onProblem = (problem: string): void => {
    metrics.storageFailed();
    problems.note(redact(problem));
  };
  const storage = openStorage({ data: config.data, clock, onProblem });
  const { history, ledger } = storage;
  const lateness = watchLateness(clock);
  const repeats = createRepetition(() => clock.monotonic());
  const last = new Map<string, Sample>();
  const since = new Map<string, VerdictSince>();
  const rotation = createRotation({ clauses: options.rotating, history, wall: () => clock.wall() });
  const changes = new Changes({ history, wall: () => clock.wall() });
  const maintenance = createMaintenance({ planned: () => config.maintenance, wall: () => clock.wall() });
  const probes = createSharedProbes({ clock, most: () => config.concurrentRuns });
  const asked = createUnservedWatch();
  let invalid: { readonly problem: string; readonly since: number } | undefined;
  let stopping = false;
  let lastRun = clock.monotonic();

  /** Names of targets have no characters that need escaping. */
  const linkTo = (target: string): string | null =>
    config.server.publicUrl === undefined ? null : `${config.server.publicUrl}/${targets.has(target) ? `?target=${target}` : ''}`;
  const welcome = createWelcome({
    ledger,
    webhooks: () => config.webhooks,
    linkTo,
    wall: () => clock.wall(),
    onEvent: (webhook, event) => log(`${event.status} for the webhook ${webhook}: ${sentenceOf(event)}`, aboutEvent(event)),
  });
  const isConfigured = (webhook: string): boolean => config.webhooks.some(({ name }) => name === webhook);
  const postman = createPostman({
    clock,
    ledger,
    webhooks: () => config.webhooks,
    deliver,
    onDelivered(webhook) {
      if (isConfigured(webhook)) metrics.delivered(webhook);
    },
    onFailed(webhook, problem) {
      if (isConfigured(webhook)) metrics.undelivered(webhook);
      problems.note(redact(problem));
    },
  });

  const pusher = createPusher({
    clock,
    alertmanagers: () => config.alertmanagers,
    onPushed: metrics.pushed,
    onFailed(alertmanager, problem) {
      metrics.unpushed(alertmanager);
      problems.note(redact(problem));
    },
  });

  const beat = createHeart({
    clock,
    heartbeat: () => config.heartbeat,
    fault: () =>
      faultOf({
        clock,
        interval: config.schedule ? Math.min(...config.targets.map(({ interval }) => interval)) : undefined,
        lastRun,
        oldestAlert: oldestOf(ledger.pending()),
        unheard: pusher.unheard(),
      }),
    onSent: metrics.heartbeat,
    onFailed(problem) {
      metrics.noHeartbeat();
      problems.note(redact(problem));
    },
  });

  const smokeOf = (target: Target, more: Pick<SmokeOptions, 'rotation' | 'onExchange'> = {}) =>
    createSmoke(target, {
      ...more,
      clauses,
      version,
      now: () => new Date(clock.wall()),
      ...(config.dnsCanary === undefined ? {} : { dnsCanary: config.dnsCanary }),
    });

  function noteUnexpected(what: string, error: unknown): void {
    metrics.unexpected();
    problems.note(redact(`${what}: ${messageOf(error)}`), { details: `${what}: ${describeInternalError(error)}` });
  }

  function dispatch(target: string, { state, events }: Ending): void {
    const webhooks = (event: AlertEvent): readonly string[] => config.webhooks.filter((one) => takes(one, event)).map(({ name }) => name);
    ledger.commit(target, { state, events, webhooks, at: clock.wall() });
    for (const event of events) log(`${event.status}: ${sentenceOf(event)}`, aboutEvent(event));
  }

  /** Sends events to the Alertmanagers, which forget what is open unless it is sent again. */
  function push(events: readonly AlertEvent[], { interval }: Pick<Target, 'interval'> = TARGET_DEFAULTS): void {
    for (const event of events)
      pusher.send(event, event.status === 'announcement' ? ANNOUNCEMENT_LIFE : interval * INTERVALS_WITHOUT_A_RUN);
  }

  const causes = createCommonCauses({ ledger, dispatch, wall: () => clock.wall(), link: () => linkTo('') });

  /** Ends alerts that no run will end. */
  function endAlerts(): void {
    push(causes.end());
    for (const name of ledger.targets()) {
      if (ledger.state(name).common !== undefined) continue;
      const current = { name, target: targets.get(name), schedule: config.schedule, at: clock.wall(), link: linkTo(name) };
      const ending = endingOf(ledger.state(name), current);
      if (ending === undefined) continue;
      dispatch(name, ending);
      push(ending.events, targets.get(name));
    }
    welcome();
  }

  /** A run that says nothing about the service ends nothing. */
  function noteVerdict({ target, at, verdict }: Sample): void {
    const known = since.get(target);
    if (verdict === 'unknown' || verdict === known?.verdict) return;
    // After a restart, the history knows it.
    since.set(target, { verdict, at: known === undefined ? (history.since(target, verdict) ?? at) : at });
  }

  /** Metrics first: they must not depend on a disk. Says whether to confirm what the run found. */
  function take(name: string, seen: Sample): Outcome {
    const target = targets.get(name);
    // The run began before the configuration changed.
    if (target === undefined || !config.schedule) return { confirm: false };
    const before = ledger.state(seen.target);
    const window = maintenance.of(seen.target);
    // A text of our own errors, which no session has redacted.
    const note = seen.verdict === 'unknown' ? redact(seen.note) : seen.note;
    const sample = failUnserved(
      { ...seen, note, ...(window === undefined ? {} : { maintenance: window.reason }) },
      before.unanswered ?? {},
    );
    metrics.observe(sample);
    last.set(sample.target, sample);
    noteVerdict(sample);
    if (sample.ownFault === true) problems.note(HELD_UP, { level: 'warn' });
    else if (sample.verdict === 'unknown')
      problems.note(`${sample.target}: ${sample.note}`, { details: sample.note, target: sample.target, level: 'warn' });
    const [link, rule] = [linkTo(sample.target), target.alertRule];
    const others = causes.note(sample, target.interval);
    push(causes.end());
    const { state, events: ofState } = reactTo(before, sample, { link, rule, others });
    const changed = changes.take(sample);
    const listed = changed.filter(({ kind }) => window === undefined && target.alertOnChanges.includes(kind));
    const events = [...ofState, ...listed.map((change) => alertOf(change, { link }))];
    dispatch(sample.target, { state, events });
    causes.begin(sample, state);
    const { at } = sample;
    push(
      [
        ...events.filter(({ status }) => status !== 'firing'),
        ...eventsOfOpen(state, { status: 'firing', target: name, at }, { link, rule }),
      ],
      target,
    );
    for (const change of changed) {
      metrics.changed(change);
      log(`change: ${describeChange(change)}`, { target: change.target });
    }
    history.add(sample);
    // If a run says nothing about the service, its checks had no turn.
    if (sample.verdict !== 'unknown') rotation.keep(sample);
    metrics.rotated(sample.target, rotation.coverage(target));
    return { confirm: wantsConfirmation(before, sample) };
  }

  async function runOnce(target: Target, { confirms }: Purpose): Promise<Outcome> {
    let outcome: Outcome = { confirm: false };
    try {
      const begin = clock.monotonic();
      const loop = performance.eventLoopUtilization();
      const { sample } = await smokeOf(target, { rotation: rotation.of(target) }).run();
      const own = { stall: lateness.worstSince(begin), busy: performance.eventLoopUtilization(loop).utilization };
      outcome = take(target.name, { ...discountOwnFault(sample, own), ...(confirms ? { confirms } : {}) });
    } catch (error) {
      noteUnexpected(`a run of ${target.name} broke`, error);
    }
    lastRun = clock.monotonic();
    return outcome;
  }

  const scheduler = new Scheduler<Target>({
    clock,
    places: config.concurrentRuns,
    run: runOnce,
    onSkip: ({ name }, reason) => metrics.skip(name, reason),
    onDelay: (_target, delay) => metrics.delay(delay),
  });

  const repeater = createRepeater(clock, (error) => noteUnexpected('housekeeping broke', error));

  function use(next: MonitorConfig): void {
    config = next;
    lastRun = clock.monotonic();
    targets = new Map(next.targets.map((target) => [target.name, target]));
    metrics.setTargets(next.targets);
    metrics.setReceivers(next);
    metrics.reloaded(clock.wall());
    const names = new Set(targets.keys());
    for (const known of [last, since]) for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    changes.use(names);
    asked.keep(names);
    causes.use(next.schedule ? names : new Set());
    endAlerts();
    scheduler.set(next.schedule ? next.targets : []);
  }

  function reload(): ReloadResult {
    try {
      use(options.loadConfig());
      for (const warning of config.warnings) log(warning, { level: 'warn' });
      invalid = undefined;
      log('configuration reloaded');
      if (fixedPart(config) !== fixedPart(options.config))
        log('server.host, server.port, data, and concurrentRuns change at the next start only', { level: 'warn' });
      return { ok: true };
    } catch (error) {
      invalid = { problem: redact(messageOf(error)), since: invalid?.since ?? clock.wall() };
      metrics.notReloaded(invalid.since);
      log(`configuration not reloaded: ${invalid.problem}`, { level: 'error' });
      return { ok: false, problem: invalid.problem };
    } finally {
      view.forget();
    }
  }

  async function sendAlerts(): Promise<void> {
    await Promise.all([postman.round(), pusher.round()]);
  }

  function housekeeping(): void {
    history.flush();
    // Again, because the address of a webhook may change in its file, and stored alerts may become readable.
    endAlerts();
    push(causes.open(), { interval: Math.max(...config.targets.map(({ interval }) => interval)) });
    ledger.sync();
    beat().catch((error) => noteUnexpected('sending the heartbeat broke', error));
    sendAlerts().catch((error) => noteUnexpected('sending alerts broke', error));
  }

  const view = createFreshView({
    clock,
    version,
    storage,
    config: () => config,
    last,
    since,
    coverage: rotation.coverage,
    causes,
    changes,
    maintenance,
    problems() {
      const unavailable = history.available() ? [] : ['the history is unavailable'];
      const newer =
        invalid === undefined
          ? []
          : [`a newer configuration has been waiting since ${iso(invalid.since)}, because it is invalid: ${invalid.problem}`];
      return [...newer, ...unavailable, ...problems.now()];
    },
  });

  return {
    start() {
      if (config.data !== undefined) nameFormerAnimals(config.data.folder, log);
      use(config);
      repeater.every(FLUSH_EVERY, housekeeping);
      repeater.every(PRUNE_EVERY, () => history.prune());
      repeater.every(LOOK_AFTER_EVERY, () => {
        history.lookAfter();
        ledger.lookAfter();
      });
      repeater.every(LOOK_FOR_CHANGES_EVERY, () => {
        if (options.configChanged?.() === true) reload();
      });
    },
    probe(target, { deadline, module, debug }) {
      const turns = module === undefined || target.rotation.budget === 0 ? {} : { rotation: rotation.alone(target) };
      return probes.run({ target: target.name, module, debug, deadline }, async () => {
        const exchanges: RedactedExchange[] = [];
        const onExchange = debug ? { onExchange: (exchange: RedactedExchange) => void exchanges.push(exchange) } : {};
        const { sample, run } = await smokeOf(target, { ...turns, ...onExchange }).run({ deadline });
        const judged = asked.judge({ ...sample, note: sample.verdict === 'unknown' ? redact(sample.note) : sample.note });
        return { sample: judged, run, ...(debug ? { exchanges } : {}) };
      });
    },
    view: () => view.get(),
    metrics: createThrottled(clock, async () => {
      const windows = maintenance.windows();
      for (const { name } of config.targets) {
        const { health, outage } = ledger.state(name);
        metrics.standing(name, {
          down: health === 'down',
          maintenance: maintenance.of(name, windows) !== undefined,
          // Once a cause is over, an alert waits for the next run of its target.
          shared: causes.has(name) || outage?.held !== undefined,
        });
      }
      for (const cause of CAUSES) metrics.common(cause, causes.count(cause));
      return Buffer.from(metrics.text(), 'utf8');
    }),
    reload,
    survives(error) {
      noteUnexpected('an unexpected error', error);
      failRun(error);
      if (!repeats()) return true;
      log('unexpected errors repeat: the monitor ends', { level: 'error' });
      return false;
    },
    ready: () => !stopping,
    config: () => config,
    version,
    changes,
    async stop() {
      stopping = true;
      repeater.stop();
      await scheduler.stop();
      await probes.settled();
      lateness.stop();
      // One last round: the findings of the last runs should be sent before the process ends.
      await sendAlerts();
      storage.close();
    },
  };
}

/** When the oldest alert arose that no receiver has accepted yet although one was asked. */
function oldestOf(pending: readonly Pending[]): number | undefined {
  const oldest = pending.find(({ attempts }) => attempts > 0);
  return oldest === undefined ? undefined : Date.parse(oldest.event.at);
}

/** Milliseconds for which a problem is shown, and after which it is logged again. */
const PROBLEM_SHOWN = 900_000;
const TOLD_AGAIN = 60_000;

/** What a running monitor keeps, whatever the file says. */
function fixedPart({ server: { host, port }, data, concurrentRuns }: MonitorConfig): string {
  return JSON.stringify([host, port, data, concurrentRuns]);
}

/** The same words for each run and target: a busy machine must not fill the log. Metrics count the runs, and the page shows each. */
const HELD_UP = 'this probe was held up or overloaded, so nothing is known about the services of some runs';

/** An alert that fires wants attention. */
function aboutEvent({ status, target }: AlertEvent): LogAbout {
  return { ...(target === null ? {} : { target }), level: status === 'firing' ? 'warn' : 'info' };
}

/** Problems of the probe itself: shown for a while, and counted permanently. */
function createProblems(clock: Clock, log: Log) {
  const recent = new Map<string, { readonly at: number; readonly wall: number }>();
  return {
    /** `details` are logged instead of the problem. */
    note(problem: string, { details = problem, ...about }: LogAbout & { readonly details?: string } = {}): void {
      const last = recent.get(problem);
      // A disk that stays full would fill the log with the same line each second.
      if (last === undefined || clock.monotonic() - last.at > TOLD_AGAIN) log(details, { level: 'error', ...about });
      recent.set(problem, { at: clock.monotonic(), wall: clock.wall() });
    },
    now: (): string[] => {
      for (const [problem, { at }] of recent) if (clock.monotonic() - at > PROBLEM_SHOWN) recent.delete(problem);
      // It may be over.
      return [...recent].map(([problem, { wall }]) => `${problem} (last at ${iso(wall)})`);
    },
  };
}

/** One sink for every text that leaves the monitor: replaces each current secret by value, in all its spellings, and each secret part of an address as a whole. */
export function createRedactSink(
  secrets: () => readonly string[],
  addressParts: () => readonly string[] = () => [],
): (text: string) => string {
  const ofSecret = createRedactors(createRedactor);
  const ofPart = createRedactors(createWholeRedactor);
  return (text) => cleanText(ofPart(addressParts(), ofSecret(secrets(), text)));
}

/** Applies the redactor of each secret to a text; each is made once. */
function createRedactors(create: (secret: string) => Redactor): (secrets: readonly string[], text: string) => string {
  const made = new Map<string, Redactor>();
  return (secrets, text) =>
    [...new Set(secrets)].reduce((shown, secret) => {
      const redactor = made.get(secret) ?? create(secret);
      made.set(secret, redactor);
      return redactor(shown);
    }, text);
}
