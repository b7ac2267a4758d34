// From what runs show to alerts: stored with the state of their target, sent to webhooks and Alertmanagers, and ended.

import type { Change } from '../changes/change.ts';
import type { Clock } from '../clock.ts';
import type { MonitorConfig } from '../config/config.ts';
import type { Journal } from '../journal.ts';
import type { LogAbout } from '../log-line.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Sample } from '../sample.ts';
import { TARGET_DEFAULTS, type Target } from '../target.ts';
import { createPusher } from './alertmanager.ts';
import { CommonCauses } from './common-cause.ts';
import { createWelcome, type Ending, endingOf } from './endings.ts';
import { type AlertEvent, alertOf, eventsOfOpen, reactTo, sentenceOf } from './event.ts';
import type { AlertLedger, Pending } from './ledger.ts';
import type { TargetState } from './target-state.ts';
import { createPostman, deliver, takes } from './webhook.ts';

/** The number of intervals without a run after which an alert in Alertmanager ends: longer than a restart, and than a run that is skipped. */
const INTERVALS_WITHOUT_A_RUN = 3;
/** Milliseconds for which an announcement, which has no end, is open in Alertmanager. */
const ANNOUNCEMENT_LIFE = 3_600_000;

export type AlertingParts = {
  readonly clock: Clock;
  readonly ledger: AlertLedger;
  readonly metrics: Metrics;
  readonly journal: Journal;
  readonly config: () => MonitorConfig;
  readonly targetOf: (name: string) => Target | undefined;
};

export class Alerting {
  readonly causes: CommonCauses;
  private readonly parts: AlertingParts;
  private readonly postman: ReturnType<typeof createPostman>;
  private readonly pusher: ReturnType<typeof createPusher>;
  /** Tells new webhooks of what is open. */
  private readonly welcome: () => void;

  constructor(parts: AlertingParts) {
    const { clock, ledger, metrics, journal, config } = parts;
    const wall = (): number => clock.wall();
    const webhooks = (): MonitorConfig['webhooks'] => config().webhooks;
    const isConfigured = (webhook: string): boolean => webhooks().some(({ name }) => name === webhook);
    this.parts = parts;
    this.causes = new CommonCauses({
      ...{ ledger, wall },
      dispatch: (name, ending) => this.dispatch(name, ending),
      link: () => this.linkTo(''),
    });
    this.welcome = createWelcome({
      ...{ ledger, webhooks, wall },
      linkTo: (target) => this.linkTo(target),
      onEvent: (webhook, event) => journal.log(`${event.status} for the webhook ${webhook}: ${sentenceOf(event)}`, aboutEvent(event)),
    });
    this.postman = createPostman({
      ...{ clock, ledger, webhooks, deliver },
      onDelivered(webhook) {
        if (isConfigured(webhook)) metrics.delivered(webhook);
      },
      onFailed(webhook, problem) {
        if (isConfigured(webhook)) metrics.undelivered(webhook);
        journal.note(problem);
      },
    });
    this.pusher = createPusher({
      clock,
      alertmanagers: () => config().alertmanagers,
      onPushed: metrics.pushed,
      onFailed(alertmanager, problem) {
        metrics.unpushed(alertmanager);
        journal.note(problem);
      },
    });
  }

  /** Alerts by a run, and by the changes that it shows; `before`: the state of the target before it. */
  react(sample: Sample, { target, before, changes }: { target: Target; before: TargetState; changes: readonly Change[] }): void {
    const [link, rule, name] = [this.linkTo(target.name), target.alertRule, target.name];
    const others = this.causes.note(sample);
    this.push(this.causes.end());
    const { state, events: ofState } = reactTo(before, sample, { link, rule, others });
    const events = [...ofState, ...changes.map((change) => alertOf(change, { link }))];
    this.dispatch(name, { state, events });
    this.causes.begin(sample, state);
    const open = eventsOfOpen(state, { status: 'firing', target: name, at: sample.at }, { link, rule });
    this.push([...events.filter(({ status }) => status !== 'firing'), ...open], target);
  }

  /** Ends alerts that no run will end. */
  endAlerts(): void {
    const { ledger, clock, config, targetOf } = this.parts;
    this.push(this.causes.end());
    for (const name of ledger.targets()) {
      if (ledger.state(name).common !== undefined) continue;
      const current = { name, target: targetOf(name), schedule: config().schedule, at: clock.wall(), link: this.linkTo(name) };
      const ending = endingOf(ledger.state(name), current);
      if (ending === undefined) continue;
      this.dispatch(name, ending);
      this.push(ending.events, targetOf(name));
    }
    this.welcome();
  }

  /** Alertmanagers forget what is open unless it is sent again: a common cause has no run of its own that does that. */
  pushCauses(): void {
    this.push(this.causes.open(), { interval: Math.max(...this.parts.config().targets.map(({ interval }) => interval)) });
  }

  async send(): Promise<void> {
    await Promise.all([this.postman.round(), this.pusher.round()]);
  }

  unheard(): ReturnType<ReturnType<typeof createPusher>['unheard']> {
    return this.pusher.unheard();
  }

  /** When the oldest alert arose that no receiver has accepted yet although one was asked. */
  oldest(): number | undefined {
    const oldest = this.parts.ledger.pending().find(({ attempts }: Pending) => attempts > 0);
    return oldest === undefined ? undefined : Date.parse(oldest.event.at);
  }

  /** Whether the alert of a target that is down is part of one for many, or waits until it is clear that it has one. */
  isShared(target: string): boolean {
    // Once a cause is over, an alert waits for the next run of its target.
    return this.causes.has(target) || this.parts.ledger.state(target).outage?.held !== undefined;
  }

  /** Names of targets have no characters that need escaping. */
  private linkTo(target: string): string | null {
    const { publicUrl } = this.parts.config().server;
    return publicUrl === undefined ? null : `${publicUrl}/${this.parts.targetOf(target) === undefined ? '' : `?target=${target}`}`;
  }

  private dispatch(target: string, { state, events }: Ending): void {
    const { ledger, clock, config, journal } = this.parts;
    const webhooks = (event: AlertEvent): readonly string[] =>
      config()
        .webhooks.filter((one) => takes(one, event))
        .map(({ name }) => name);
    ledger.commit(target, { state, events, webhooks, at: clock.wall() });
    for (const event of events) journal.log(`${event.status}: ${sentenceOf(event)}`, aboutEvent(event));
  }

  private push(events: readonly AlertEvent[], { interval }: Pick<Target, 'interval'> = TARGET_DEFAULTS): void {
    for (const event of events)
      this.pusher.send(event, event.status === 'announcement' ? ANNOUNCEMENT_LIFE : interval * INTERVALS_WITHOUT_A_RUN);
  }
}

/** An alert that fires wants attention. */
function aboutEvent({ status, target }: AlertEvent): LogAbout {
  return { ...(target === null ? {} : { target }), level: status === 'firing' ? 'warn' : 'info' };
}
