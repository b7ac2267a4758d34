// From what runs show to alerts: stored with the state of their target, sent to webhooks and Alertmanagers, and ended.

import type { Change } from '../changes/change.ts';
import type { Clock } from '../clock.ts';
import type { MonitorConfig } from '../config/config.ts';
import type { Journal } from '../journal.ts';
import type { LogAbout } from '../log-line.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Sample } from '../sample.ts';
import { TARGET_DEFAULTS, type Target } from '../target.ts';
import type { AlertStore, Pending } from './alert-store.ts';
import { createPusher } from './alertmanager.ts';
import { CommonCauses } from './common-cause.ts';
import { createNewWebhookNotifier, type Ending, endingOf } from './endings.ts';
import { type AlertEvent, alertOf, eventsOfOpen, reactTo, sentenceOf } from './event.ts';
import type { TargetState } from './target-state.ts';
import { createWebhookSender, deliver, takes } from './webhook.ts';

/** The number of intervals without a run after which an alert in Alertmanager ends: longer than a restart, and than a run that is skipped. */
const INTERVALS_WITHOUT_A_RUN = 3;
/** Milliseconds for which an announcement, which has no end, is open in Alertmanager. */
const ANNOUNCEMENT_LIFE = 3_600_000;

export type AlertingParts = {
  readonly clock: Clock;
  readonly alertStore: AlertStore;
  readonly metrics: Metrics;
  readonly journal: Journal;
  readonly config: () => MonitorConfig;
  readonly targetOf: (name: string) => Target | undefined;
};

export class Alerting {
  readonly causes: CommonCauses;
  private readonly parts: AlertingParts;
  private readonly webhookSender: ReturnType<typeof createWebhookSender>;
  private readonly pusher: ReturnType<typeof createPusher>;
  private readonly notifyNewWebhooks: () => void;

  constructor(parts: AlertingParts) {
    const { clock, alertStore, metrics, journal, config } = parts;
    const wall = (): number => clock.wall();
    const webhooks = (): MonitorConfig['webhooks'] => config().webhooks;
    const isConfigured = (webhook: string): boolean => webhooks().some(({ name }) => name === webhook);
    this.parts = parts;
    this.causes = new CommonCauses({
      ...{ alertStore, wall },
      dispatch: (name, ending) => this.dispatch(name, ending),
      link: () => this.linkTo(''),
    });
    this.notifyNewWebhooks = createNewWebhookNotifier({
      ...{ alertStore, webhooks, wall },
      linkTo: (target) => this.linkTo(target),
      onEvent: (webhook, event) => journal.log(`${event.status} for the webhook ${webhook}: ${sentenceOf(event)}`, aboutEvent(event)),
    });
    this.webhookSender = createWebhookSender({
      ...{ clock, alertStore, webhooks, deliver },
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
    const otherTargets = this.causes.note(sample);
    this.push(this.causes.end());
    const { state, events: ofState } = reactTo(before, sample, { link, rule, otherTargets });
    const events = [...ofState, ...changes.map((change) => alertOf(change, { link }))];
    this.dispatch(name, { state, events });
    this.causes.begin(sample, state);
    const open = eventsOfOpen(state, { status: 'firing', target: name, at: sample.at }, { link, rule });
    this.push([...events.filter(({ status }) => status !== 'firing'), ...open], target);
  }

  endAlerts(): void {
    const { alertStore, clock, config, targetOf } = this.parts;
    this.push(this.causes.end());
    for (const name of alertStore.targets()) {
      if (alertStore.state(name).common !== undefined) continue;
      const current = { name, target: targetOf(name), schedule: config().schedule, at: clock.wall(), link: this.linkTo(name) };
      const ending = endingOf(alertStore.state(name), current);
      if (ending === undefined) continue;
      this.dispatch(name, ending);
      this.push(ending.events, targetOf(name));
    }
    this.notifyNewWebhooks();
  }

  /** Alertmanagers forget what is open unless it is sent again: a common cause has no run of its own that does that. */
  pushCauses(): void {
    this.push(this.causes.open(), { interval: Math.max(...this.parts.config().targets.map(({ interval }) => interval)) });
  }

  async send(): Promise<void> {
    await Promise.all([this.webhookSender.round(), this.pusher.round()]);
  }

  unacceptedFor(): ReturnType<ReturnType<typeof createPusher>['unacceptedFor']> {
    return this.pusher.unacceptedFor();
  }

  /** When the oldest alert arose that no receiver has accepted yet although one was asked. */
  oldestUnaccepted(): number | undefined {
    const oldest = this.parts.alertStore.pending().find(({ attempts }: Pending) => attempts > 0);
    return oldest === undefined ? undefined : Date.parse(oldest.event.at);
  }

  /** Whether the alert of a target that is down is part of one for many, or waits until it is clear that it has one. */
  isShared(target: string): boolean {
    // Once a cause is over, an alert waits for the next run of its target.
    return this.causes.has(target) || this.parts.alertStore.state(target).outage?.held !== undefined;
  }

  /** Names of targets have no characters that need escaping. */
  private linkTo(target: string): string | null {
    const { publicUrl } = this.parts.config().server;
    return publicUrl === undefined ? null : `${publicUrl}/${this.parts.targetOf(target) === undefined ? '' : `?target=${target}`}`;
  }

  private dispatch(target: string, { state, events }: Ending): void {
    const { alertStore, clock, config, journal } = this.parts;
    const webhooks = (event: AlertEvent): readonly string[] =>
      config()
        .webhooks.filter((one) => takes(one, event))
        .map(({ name }) => name);
    alertStore.commit(target, { state, events, webhooks, at: clock.wall() });
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
