import type { CheckId } from '../../clause/clause.ts';
import { selectAmong } from '../../judge/select.ts';
import type { SessionClause } from '../../oracle/rule.ts';
import type { History } from '../history/history.ts';
import type { RotationSource } from '../judge-target.ts';
import type { Sample } from '../sample.ts';
import type { Target } from '../target.ts';
import { turning, turningOfRun } from './plan.ts';
import { type Coverage, coverageOf, type Turn, type Turns } from './turn.ts';

export type RotationParts = {
  readonly clauses: readonly SessionClause[];
  /** Keeps the turns over a restart. */
  readonly history: Pick<History, 'turns' | 'keepTurns' | 'onSetAside'>;
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

const MINUTE = 60_000;

/** A target by its name, with what it selects and what a run may send. */
type Rotating = Pick<Target, 'name' | 'rotation'> & Partial<Pick<Target, 'only' | 'skip'>>;

/** What takes turns on some targets. */
type Selected = Pick<RotationSource, 'kinds' | 'clauses'> & { readonly ids: ReadonlySet<CheckId> };

/** The part of a budget that a turn of a table takes at most: a run gets to several. */
export const SHARE = 1 / 2;

/** The checks that take turns, with what is known of them on each target. */
export type Rotation = {
  /** What the next run of a target goes on with. */
  of(target: Rotating): RotationSource;
  /** What a run goes on with that stands by itself: the minute is its number. */
  alone(target: Rotating): RotationSource;
  /** Remembers the turns of a run. */
  keep(sample: Pick<Sample, 'target' | 'rotation'>): void;
  coverage(target: Rotating): Coverage;
};

/** What a run goes on with that knows nothing of others: its number decides where it begins, so that all of them together come by every request. */
export function aloneAs(run: number, budget: number, { kinds, clauses }: Pick<RotationSource, 'kinds' | 'clauses'>): RotationSource {
  return { kinds: turningOfRun(run, budget, kinds), clauses, turns: new Map(), recorded: true };
}

export function createRotation({ clauses, history, wall }: RotationParts): Rotation {
  const selections = new Map<string, Selected>();
  const known = new Map<string, Map<CheckId, Turn>>();
  /** Targets whose turns on file are known. */
  const read = new Set<string>();

  history.onSetAside(() => {
    for (const [target, turns] of known) history.keepTurns(target, [...turns.values()]);
  });

  function turnsOf(target: string): Map<CheckId, Turn> {
    const turns = known.get(target) ?? new Map<CheckId, Turn>();
    known.set(target, turns);
    const stored = read.has(target) ? undefined : history.turns(target);
    if (stored === undefined) return turns;
    read.add(target);
    // One that had its turn since is known better.
    for (const [id, turn] of stored) if (!turns.has(id)) turns.set(id, turn);
    return turns;
  }

  /** Most targets select everything, and the others share a few selections. */
  function selected({ only = [], skip = [] }: Rotating): Selected {
    const key = JSON.stringify([only, skip]);
    const kept = selections.get(key) ?? select({ only, skip });
    selections.set(key, kept);
    return kept;
  }

  function select(selection: Pick<Target, 'only' | 'skip'>): Selected {
    const some = selectAmong(clauses, { ...selection, exhaustive: true });
    const kinds = turning(some);
    return { kinds, clauses: some, ids: new Set(kinds.map(({ check }) => check.id)) };
  }

  /** What is known of the kinds of a target. Of one that it no longer has nothing can be said, and nothing would ever mend its failure. */
  function knownOf({ name }: Rotating, { ids }: Selected): Turns {
    return new Map([...turnsOf(name)].filter(([id]) => ids.has(id)));
  }

  return {
    of(target) {
      const some = selected(target);
      return { kinds: some.kinds, clauses: some.clauses, turns: knownOf(target, some), perTurn: SHARE * target.rotation.budget };
    },
    alone(target) {
      return aloneAs(Math.floor(wall() / MINUTE), target.rotation.budget, selected(target));
    },
    keep({ target, rotation }) {
      const turns = turnsOf(target);
      const fresh = rotation.filter((turn) => turns.get(turn.check) !== turn);
      for (const turn of fresh) turns.set(turn.check, turn);
      history.keepTurns(target, fresh);
    },
    coverage(target) {
      const some = selected(target);
      return coverageOf(some.kinds, knownOf(target, some), { ...target.rotation, now: wall() });
    },
  };
}
