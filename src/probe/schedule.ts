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

export type Scheduler<Item extends Scheduled> = {
  /** Replaces the items; unchanged ones keep their beat. */
  set(items: readonly Item[]): void;
  /** Starts no new runs; resolves when the running ones are done. */
  stop(): Promise<void>;
  readonly running: () => number;
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
const SLOW_RUN = 0.5;

/** Milliseconds between the end of a run and its confirmation: ten seconds, give or take, because targets may fail together. */
const CONFIRM_AFTER = { least: 8_000, spread: 4_000 } as const;

type Entry<Item> = {
  item: Item;
  /** The next beat on the monotonic clock. */
  next: number;
  cancel: () => void;
  cancelConfirmation: () => void;
  busy: boolean;
  slow: boolean;
};
type Waiting<Item> = { readonly entry: Entry<Item>; readonly due: number };

/**
 * Runs each item on its own beat of the monotonic clock: nothing drifts, nothing is made up for, nothing runs twice at once. Between two
 * beats there is at most one confirmation, for which no beat waits.
 */
export function createScheduler<Item extends Scheduled>(options: SchedulerOptions<Item>): Scheduler<Item> {
  const { clock, places, run, onSkip, onDelay } = options;
  const entries = new Map<string, Entry<Item>>();
  const waiting: Waiting<Item>[] = [];
  const underWay = new Set<Promise<void>>();
  const slowPlaces = Math.max(1, Math.floor(places * SLOW_PLACES));
  let slowUnderWay = 0;
  let stopped = false;

  function start(entry: Entry<Item>, purpose: Purpose): void {
    const begin = clock.monotonic();
    const { slow } = entry;
    slowUnderWay += slow ? 1 : 0;
    const work = run(entry.item, purpose)
      .then(({ confirm }) => {
        if (confirm && !purpose.confirms) planConfirmation(entry, clock.monotonic() - begin);
      })
      .finally(() => {
        entry.busy = false;
        entry.slow = clock.monotonic() - begin > entry.item.deadline * SLOW_RUN;
        slowUnderWay -= slow ? 1 : 0;
        underWay.delete(work);
        admit();
      });
    underWay.add(work);
  }

  const isHeldBack = ({ slow }: Entry<Item>): boolean => slow && slowUnderWay >= slowPlaces;

  /** `took`: the milliseconds of the run that is repeated, and so probably of its confirmation. */
  function planConfirmation(entry: Entry<Item>, took: number): void {
    if (stopped || entries.get(entry.item.name) !== entry) return;
    const wait = CONFIRM_AFTER.least + (hashOf(`${entry.item.name} ${entry.next}`) % CONFIRM_AFTER.spread);
    entry.cancelConfirmation = clock.after(wait, () => {
      const isSoonAnyway = clock.monotonic() + Math.max(took, CONFIRM_AFTER.least) > entry.next;
      const isFull = underWay.size >= places || isHeldBack(entry);
      if (entry.busy || isSoonAnyway || isFull) return;
      entry.busy = true;
      start(entry, { confirms: true });
    });
  }

  /** Starts waiting items if there is a place; skips one that has waited so long that its run would overlap the next one. */
  function admit(): void {
    for (let at = 0; !stopped && underWay.size < places && at < waiting.length; ) {
      const next = waiting[at];
      if (next === undefined) return;
      const { item } = next.entry;
      const delay = clock.monotonic() - next.due;
      const late = delay > item.interval - item.deadline;
      if (!late && isHeldBack(next.entry)) {
        at += 1;
        continue;
      }
      waiting.splice(at, 1);
      if (late) {
        next.entry.busy = false;
        onSkip(item, 'capacity');
        continue;
      }
      onDelay(item, delay);
      start(next.entry, { confirms: false });
    }
  }

  function tick(entry: Entry<Item>, due: number): void {
    entry.cancelConfirmation();
    // Runs that were missed while the process was asleep are not made up for.
    arm(entry, Math.max(due + entry.item.interval, nextDue(entry.item, clock.monotonic() + 1)));
    if (entry.busy) {
      onSkip(entry.item, 'overlap');
      return;
    }
    entry.busy = true;
    waiting.push({ entry, due });
    admit();
  }

  function arm(entry: Entry<Item>, due: number): void {
    entry.next = due;
    entry.cancel = clock.after(due - clock.monotonic(), () => tick(entry, due));
  }

  function disarm(entry: Entry<Item>): void {
    entry.cancel();
    entry.cancelConfirmation();
  }

  function add(item: Item): void {
    const next = nextDue(item, clock.monotonic());
    const entry: Entry<Item> = { item, next, cancel: () => undefined, cancelConfirmation: () => undefined, busy: false, slow: false };
    entries.set(item.name, entry);
    arm(entry, next);
  }

  function change(entry: Entry<Item>, item: Item): void {
    const beat = entry.item.interval;
    entry.item = item;
    if (beat === item.interval) return;
    entry.cancel();
    arm(entry, nextDue(item, clock.monotonic()));
  }

  return {
    set(items) {
      const wanted = new Set(items.map(({ name }) => name));
      for (const [name, entry] of entries) {
        if (wanted.has(name)) continue;
        disarm(entry);
        entries.delete(name);
      }
      for (const item of items) {
        const entry = entries.get(item.name);
        if (entry === undefined) add(item);
        else change(entry, item);
      }
    },
    async stop() {
      stopped = true;
      for (const entry of entries.values()) disarm(entry);
      entries.clear();
      waiting.length = 0;
      await Promise.all(underWay);
    },
    running: () => underWay.size,
  };
}
