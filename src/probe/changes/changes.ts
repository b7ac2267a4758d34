import type { History } from '../history.ts';
import type { Sample } from '../sample.ts';
import { CHANGE_KINDS, type Change, type Impression, keyOf } from './change.ts';
import { dayOf, type KnownValue, mustSurviveRestart, observationsOf, settleValue } from './known-value.ts';

/** Per target, whatever it returns. */
const MOST_VALUES = 200;
/** The number of runs without an animal after which it is forgotten: it may be on another page by now. */
const UNSEEN_RUNS = 200;
/** Changes kept without a history. */
const MOST_REMEMBERED = 500;

export type ChangesParts = {
  readonly history: Pick<
    History,
    'keepValue' | 'keepChange' | 'keepChangesAnew' | 'keepBehavior' | 'values' | 'changes' | 'behavior' | 'onSetAside'
  >;
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

type KnownOfTarget = {
  readonly values: Map<string, KnownValue>;
  /** Whether they include the known values in the file. Until those can be read, nothing is written over them. */
  isRead: boolean;
  /** Consecutive runs that did not show an animal, by its key. */
  readonly unseen: Map<string, number>;
  /** The day of the latest stored behavior, and its content. */
  kept: string | undefined;
};

/** A broken service says nothing about its behavior. */
const impressionsOf = ({ impressions, verdict }: Sample): readonly Impression[] =>
  verdict === 'fail' ? impressions.filter(({ kind }) => kind !== 'behavior') : impressions;

/** What changes on the targets over time, without breaking a clause. */
export class Changes {
  private readonly history: ChangesParts['history'];
  private readonly wall: () => number;
  private readonly known = new Map<string, KnownOfTarget>();
  /** Newest first. */
  private remembered: readonly Change[] = [];
  private isRemembered = false;

  constructor({ history, wall }: ChangesParts) {
    this.history = history;
    this.wall = wall;
    this.remember();
    history.onSetAside(() => this.writeAnew());
  }

  /** What a run shows that earlier runs did not, in order. */
  take(sample: Sample): readonly Change[] {
    if (sample.verdict === 'unknown') return [];
    this.remember();
    const one = this.of(sample.target);
    const late = this.read(sample.target, one);
    const impressions = impressionsOf(sample);
    const changes = [...late, ...impressions.flatMap((impression) => this.settle(impression, sample, one))];
    if (impressions.some(({ kind }) => kind === 'list')) this.forgetUnseen(sample.target, one, new Set(impressions.map(keyOf)));
    if (impressions.some(({ kind }) => kind === 'behavior')) this.keepBehavior(sample.target, one);
    for (const change of changes) this.history.keepChange(change);
    this.remembered = [...changes.toReversed(), ...this.remembered].slice(0, MOST_REMEMBERED);
    return changes;
  }

  /** Newest first; of all targets if none is named. */
  recent(most: number, target?: string): readonly Change[] {
    this.remember();
    if (target === undefined) return this.remembered.slice(0, most);
    const stored = this.history.changes(most, target) ?? [];
    return stored.length > 0 ? stored : this.remembered.filter((change) => change.target === target).slice(0, most);
  }

  /** The choices where the document is silent, as known at the end of a day; undefined if none are known. */
  behavior(target: string, at: number): ReturnType<typeof observationsOf> | undefined {
    const row = this.history.behavior(target, at);
    if (row !== undefined) return JSON.parse(row.json) as ReturnType<typeof observationsOf>;
    const values = this.known.get(target)?.values;
    const observations = values === undefined || at < dayOf(this.wall()) ? {} : observationsOf(values);
    return Object.keys(observations).length === 0 ? undefined : observations;
  }

  /** Forgets targets that are no longer configured; their file entries stay. */
  use(names: ReadonlySet<string>): void {
    for (const name of this.known.keys()) if (!names.has(name)) this.known.delete(name);
  }

  /** Adds the changes in the file, once they can be read, to those of this process that have not been written yet. */
  private remember(): void {
    if (this.isRemembered) return;
    const stored = this.history.changes(MOST_REMEMBERED);
    if (stored === undefined) return;
    this.isRemembered = true;
    this.remembered = stored;
  }

  /** The file was set aside: what is known goes into the new one. */
  private writeAnew(): void {
    this.history.keepChangesAnew(this.remembered.toReversed());
    for (const [target, one] of this.known) {
      one.kept = undefined;
      for (const [key, knownValue] of one.values) this.history.keepValue(target, key, knownValue);
      one.isRead = true;
    }
  }

  private of(target: string): KnownOfTarget {
    const one = this.known.get(target) ?? { values: new Map(), isRead: false, unseen: new Map(), kept: undefined };
    this.known.set(target, one);
    return one;
  }

  /**
   * Adds the known values in the file, once they can be read. What this process has seen until then counts as one run after them; only changes
   * that it has already reported stay as they are.
   */
  private read(target: string, one: KnownOfTarget): readonly Change[] {
    if (one.isRead) return [];
    const stored = this.history.values(target);
    // Opening a damaged file sets it aside: then only those of this process are left.
    if (stored === undefined || one.isRead) return [];
    const seen = [...one.values];
    one.isRead = true;
    one.values.clear();
    for (const [key, knownValue] of stored) one.values.set(key, knownValue);
    return seen.flatMap(([key, knownValue]) => {
      const kind = CHANGE_KINDS.find((name) => key.startsWith(`${name} `));
      const isReported = knownValue.before !== undefined || knownValue.varies !== undefined;
      if (kind === undefined || isReported || !stored.has(key)) {
        this.keep(target, one, [key, knownValue]);
        return [];
      }
      const subject = key.slice(kind.length + 1);
      const shown = knownValue.candidate === undefined ? [knownValue] : [knownValue, knownValue.candidate];
      return shown.flatMap(({ value, since }) => this.settle({ kind, subject, value }, { target, at: since }, one));
    });
  }

  private settle(impression: Impression, { target, at }: Pick<Sample, 'target' | 'at'>, one: KnownOfTarget): readonly Change[] {
    const { values } = one;
    const key = keyOf(impression);
    const before = values.get(key);
    if (before === undefined && values.size >= MOST_VALUES) return [];
    const { knownValue, report } = settleValue(before, impression, at);
    if (mustSurviveRestart(before, knownValue)) this.keep(target, one, [key, knownValue]);
    else values.set(key, knownValue);
    const { kind, subject } = impression;
    return report === undefined ? [] : [{ target, kind, subject, ...report, at }];
  }

  private keep(target: string, one: KnownOfTarget, [key, knownValue]: readonly [string, KnownValue | undefined]): void {
    if (knownValue === undefined) one.values.delete(key);
    else one.values.set(key, knownValue);
    if (one.isRead) this.history.keepValue(target, key, knownValue);
  }

  /** Animals that lists no longer show make room for others; they may be gone, or on another page. */
  private forgetUnseen(target: string, one: KnownOfTarget, seen: ReadonlySet<string>): void {
    const { values, unseen } = one;
    for (const key of values.keys()) {
      if (!key.startsWith('animal ')) continue;
      const runs = seen.has(key) ? 0 : (unseen.get(key) ?? 0) + 1;
      unseen.set(key, runs);
      if (runs < UNSEEN_RUNS) continue;
      unseen.delete(key);
      this.keep(target, one, [key, undefined]);
    }
  }

  /** At most one row per day, and none for a day like the one before. */
  private keepBehavior(target: string, one: KnownOfTarget): void {
    if (!one.isRead) return;
    const now = this.wall();
    one.kept ??= this.history.behavior(target, now)?.json ?? '';
    const json = JSON.stringify(observationsOf(one.values));
    if (json === '{}' || json === one.kept) return;
    one.kept = json;
    this.history.keepBehavior(target, { day: dayOf(now), json });
  }
}
