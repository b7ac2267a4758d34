import type { CheckId } from '../../clause/clause.ts';
import type { SessionClause } from '../../judge/judge-check.ts';
import { selectAmong } from '../../judge/select.ts';
import type { History } from '../history/history.ts';
import type { RotationSource } from '../judge-target.ts';
import type { Sample } from '../sample.ts';
import type { Target } from '../target.ts';
import { continuedAfter, observingChecks, type RotatingCheck, rotatingChecks } from './plan.ts';
import { type Coverage, coverageOf, type Turn, type Turns } from './turn.ts';

export type RotationParts = {
  readonly clauses: readonly SessionClause[];
  /** Keeps the turns over a restart. */
  readonly history: Pick<History, 'turns' | 'keepTurns' | 'onSetAside'>;
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

const MINUTE = 60_000;

/** A target by its name, with what it selects. */
type Rotating = Pick<Target, 'name'> & Partial<Pick<Target, 'only' | 'skip'>>;

type Selected = Pick<RotationSource, 'checks' | 'clauses'> & {
  /** Checks of open clauses, which take turns as well and judge nothing. */
  readonly observing: readonly RotatingCheck[];
};

/** The checks that take turns, with what is known of them on each target. */
export type Rotation = {
  /** What the next run of a target goes on with. */
  of(target: Rotating): RotationSource;
  /** What a run goes on with that stands by itself: the minute decides where it begins, so that all runs together come by every check. */
  alone(target: Rotating & Pick<Target, 'rotation'>): RotationSource;
  /** Remembers the turns of a run. */
  keep(sample: Pick<Sample, 'target' | 'rotation'>): void;
  coverage(target: Rotating & Pick<Target, 'rotation'>): Coverage;
};

export function createRotation({ clauses, history, wall }: RotationParts): Rotation {
  const all: Selected = { checks: rotatingChecks(clauses), observing: observingChecks(clauses), clauses };
  const ids = new Set([...all.checks, ...all.observing].map(({ check }) => check.id));
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
    for (const [id, turn] of stored) {
      // Of a check that is no longer there nothing can be said, and nothing would ever mend its failure. One that had its turn since is known better.
      if (ids.has(id) && !turns.has(id)) turns.set(id, turn);
    }
    return turns;
  }

  /** Most targets select everything, and the others share a few selections. */
  function selected({ only = [], skip = [] }: Rotating): Selected {
    if (only.length + skip.length === 0) return all;
    const key = JSON.stringify([only, skip]);
    const kept = selections.get(key) ?? select({ only, skip });
    selections.set(key, kept);
    return kept;
  }

  function select(selection: Pick<Target, 'only' | 'skip'>): Selected {
    const some = selectAmong(clauses, { ...selection, exhaustive: true });
    return { checks: rotatingChecks(some), observing: observingChecks(some), clauses: some };
  }

  /** What is known of the checks that a target selects: a failure of one that it no longer selects stands no more. */
  function knownOf(target: Rotating, some: Selected): Turns {
    const turns = turnsOf(target.name);
    if (some === all) return turns;
    return new Map(
      [...some.checks, ...some.observing].flatMap(({ check }) => {
        const turn = turns.get(check.id);
        return turn === undefined ? [] : [[check.id, turn] as const];
      }),
    );
  }

  return {
    of(target) {
      const { checks: some, observing, clauses: chosen } = selected(target);
      return { checks: [...some, ...observing], clauses: chosen, turns: knownOf(target, selected(target)) };
    },
    alone(target) {
      const { checks: some, clauses: chosen } = selected(target);
      const minute = Math.floor(wall() / MINUTE);
      return { checks: continuedAfter(minute, target.rotation.budget, some), clauses: chosen, turns: new Map(), recorded: true };
    },
    keep({ target, rotation }) {
      const turns = turnsOf(target);
      const fresh = rotation.filter((turn) => turns.get(turn.check) !== turn);
      for (const turn of fresh) turns.set(turn.check, turn);
      history.keepTurns(target, fresh);
    },
    coverage(target) {
      const some = selected(target);
      return coverageOf(some.checks, knownOf(target, some), { ...target.rotation, now: wall() });
    },
  };
}
