// When targets run: on their beat, and soon after it to confirm what it found.

import type { Clock } from './clock.ts';

export type Scheduled = {
  readonly name: string;
  /** Milliseconds. */
  readonly interval: number;
  /** Milliseconds. */
  readonly deadline: number;
};

/** Why a due run did not take place: the previous one is still running, or all places are taken for too long. */
export const SKIP_REASONS = ['overlap', 'capacity'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What a run is for: `confirms` repeats the run before it, between two beats. */
export type Purpose = { readonly confirms: boolean };

/** `confirm`: the run should be repeated soon, because it found something else than the one before it. */
export type Outcome = { readonly confirm: boolean };

export type SchedulerOptions<Item extends Scheduled> = {
  readonly clock: Clock;
  /** Over all items. */
  readonly places: number;
  /** Must not reject. */
  readonly run: (item: Item, purpose: Purpose) => Promise<Outcome>;
  readonly onSkip: (item: Item, reason: SkipReason) => void;
  /** Milliseconds between the moment a run of the beat was due and its start. */
  readonly onDelay: (item: Item, delay: number) => void;
};

/** FNV-1a, 32 bits: distributes names evenly, and gives the same name the same place on every start. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  // Names that differ only in their last digit must not end up next to each other.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The first moment from `now` on that is on the item's beat: `hash mod interval` after a multiple of its interval. */
export function nextDue(item: Pick<Scheduled, 'name' | 'interval'>, now: number): number {
  const phase = hashOf(item.name) % item.interval;
  return Math.ceil((now - phase) / item.interval) * item.interval + phase;
}

/** The fraction of the places that items whose last run was slow may hold together: hanging ones leave places for the others. */
const SLOW_PLACES = 0.5;
/** The fraction of its deadline from which a run is slow. */
const SLOW_FROM = 0.5;

/** Milliseconds between the end of a run and its confirmation: ten seconds, give or take, because targets may fail together. */
const CONFIRM_AFTER = { least: 8_000, spread: 4_000 } as const;

type Entry<Item> = {
  item: Item;
  /** The next beat on the monotonic clock. */
  next: number;
  cancel: () => void;
  cancelConfirmation: () => void;
  isBusy: boolean;
  isSlow: boolean;
};
type Waiting<Item> = { readonly entry: Entry<Item>; readonly due: number };

/**
 * Runs each item on its own beat of the monotonic clock: nothing drifts, nothing is made up for, nothing runs twice at once. Between two
 * beats there is at most one confirmation, for which no beat waits.
 */
export class Scheduler<Item extends Scheduled> {
  private readonly options: SchedulerOptions<Item>;
  private readonly entries = new Map<string, Entry<Item>>();
  private readonly waiting: Waiting<Item>[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private slowUnderWay = 0;
  private isStopped = false;

  constructor(options: SchedulerOptions<Item>) {
    this.options = options;
  }

  /** Replaces the items; unchanged ones keep their beat. */
  set(items: readonly Item[]): void {
    const wanted = new Set(items.map(({ name }) => name));
    for (const [name, entry] of this.entries) {
      if (wanted.has(name)) continue;
      disarm(entry);
      this.entries.delete(name);
    }
    for (const item of items) {
      const entry = this.entries.get(item.name);
      if (entry === undefined) this.add(item);
      else this.change(entry, item);
    }
  }

  /** Starts no new runs; resolves when the running ones are done. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const entry of this.entries.values()) disarm(entry);
    this.entries.clear();
    this.waiting.length = 0;
    await Promise.all(this.underWay);
  }

  private now(): number {
    return this.options.clock.monotonic();
  }

  private add(item: Item): void {
    const next = nextDue(item, this.now());
    const entry: Entry<Item> = { item, next, cancel: () => undefined, cancelConfirmation: () => undefined, isBusy: false, isSlow: false };
    this.entries.set(item.name, entry);
    this.arm(entry, next);
  }

  private change(entry: Entry<Item>, item: Item): void {
    const beat = entry.item.interval;
    entry.item = item;
    if (beat === item.interval) return;
    entry.cancel();
    this.arm(entry, nextDue(item, this.now()));
  }

  private arm(entry: Entry<Item>, due: number): void {
    entry.next = due;
    entry.cancel = this.options.clock.after(due - this.now(), () => this.tick(entry, due));
  }

  private tick(entry: Entry<Item>, due: number): void {
    entry.cancelConfirmation();
    // Runs that were missed while the process was asleep are not made up for.
    this.arm(entry, Math.max(due + entry.item.interval, nextDue(entry.item, this.now() + 1)));
    if (entry.isBusy) {
      this.options.onSkip(entry.item, 'overlap');
      return;
    }
    entry.isBusy = true;
    this.waiting.push({ entry, due });
    this.admit();
  }

  /** Starts waiting items if there is a place; skips one that has waited so long that its run would overlap the next one. */
  private admit(): void {
    for (let at = 0; !this.isStopped && !this.isFull() && at < this.waiting.length; ) {
      const next = this.waiting[at];
      if (next === undefined) return;
      const { item } = next.entry;
      const delay = this.now() - next.due;
      const isLate = delay > item.interval - item.deadline;
      if (!isLate && this.isHeldBack(next.entry)) {
        at += 1;
        continue;
      }
      this.waiting.splice(at, 1);
      if (isLate) {
        next.entry.isBusy = false;
        this.options.onSkip(item, 'capacity');
        continue;
      }
      this.options.onDelay(item, delay);
      this.start(next.entry, { confirms: false });
    }
  }

  private isFull(): boolean {
    return this.underWay.size >= this.options.places;
  }

  private isHeldBack({ isSlow }: Entry<Item>): boolean {
    return isSlow && this.slowUnderWay >= Math.max(1, Math.floor(this.options.places * SLOW_PLACES));
  }

  private start(entry: Entry<Item>, purpose: Purpose): void {
    const begin = this.now();
    const { isSlow } = entry;
    this.slowUnderWay += isSlow ? 1 : 0;
    const work = this.options
      .run(entry.item, purpose)
      .then(({ confirm }) => {
        if (confirm && !purpose.confirms) this.planConfirmation(entry, this.now() - begin);
      })
      .finally(() => {
        entry.isBusy = false;
        entry.isSlow = this.now() - begin > entry.item.deadline * SLOW_FROM;
        this.slowUnderWay -= isSlow ? 1 : 0;
        this.underWay.delete(work);
        this.admit();
      });
    this.underWay.add(work);
  }

  /** `took`: the milliseconds of the run that is repeated, and so probably of its confirmation. */
  private planConfirmation(entry: Entry<Item>, took: number): void {
    if (this.isStopped || this.entries.get(entry.item.name) !== entry) return;
    const wait = CONFIRM_AFTER.least + (hashOf(`${entry.item.name} ${entry.next}`) % CONFIRM_AFTER.spread);
    entry.cancelConfirmation = this.options.clock.after(wait, () => {
      const isSoonAnyway = this.now() + Math.max(took, CONFIRM_AFTER.least) > entry.next;
      if (entry.isBusy || isSoonAnyway || this.isFull() || this.isHeldBack(entry)) return;
      entry.isBusy = true;
      this.start(entry, { confirms: true });
    });
  }
}

function disarm({ cancel, cancelConfirmation }: Entry<unknown>): void {
  cancel();
  cancelConfirmation();
}
