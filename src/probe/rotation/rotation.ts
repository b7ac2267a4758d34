import type { CheckId } from '../../clause/clause.ts';
import type { SessionClause } from '../../judge/judge-check.ts';
import { selectAmong } from '../../judge/select.ts';
import type { History } from '../history/history.ts';
import type { RotationSource } from '../judge-target.ts';
import type { Sample } from '../sample.ts';
import type { Target } from '../target.ts';
import { continuedAfter, type RotatingCheck, rotatingChecks } from './plan.ts';
import { type Coverage, coverageOf, type Turn, type Turns } from './turn.ts';

export type RotationParts = {
  readonly clauses: readonly SessionClause[];
  /** Keeps the turns over a restart. */
  readonly history: Pick<History, 'turns' | 'keepTurns'>;
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

const MINUTE = 60_000;

/** A target by its name, with what it selects. */
type Rotating = Pick<Target, 'name'> & Partial<Pick<Target, 'only' | 'skip'>>;

type Selected = Pick<RotationSource, 'checks' | 'clauses'>;

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
  const checks: readonly RotatingCheck[] = rotatingChecks(clauses);
  const ids = new Set(checks.map(({ check }) => check.id));
  const all: Selected = { checks, clauses };
  const selections = new Map<string, Selected>();
  const known = new Map<string, Map<CheckId, Turn>>();

  function turnsOf(target: string): Map<CheckId, Turn> {
    const kept = known.get(target);
    if (kept !== undefined) return kept;
    // Of a check that is no longer there nothing can be said, and nothing would ever mend its failure.
    const read = new Map([...history.turns(target)].filter(([id]) => ids.has(id)));
    known.set(target, read);
    return read;
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
    return { checks: rotatingChecks(some), clauses: some };
  }

  /** What is known of the checks that a target selects: a failure of one that it no longer selects stands no more. */
  function knownOf(target: Rotating, { checks: some }: Selected): Turns {
    const turns = turnsOf(target.name);
    if (some === checks) return turns;
    return new Map(
      some.flatMap(({ check }) => {
        const turn = turns.get(check.id);
        return turn === undefined ? [] : [[check.id, turn] as const];
      }),
    );
  }

  return {
    of(target) {
      const some = selected(target);
      return { ...some, turns: knownOf(target, some) };
    },
    alone(target) {
      const some = selected(target);
      const minute = Math.floor(wall() / MINUTE);
      return { ...some, checks: continuedAfter(minute, target.rotation.budget, some.checks), turns: new Map(), recorded: true };
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
