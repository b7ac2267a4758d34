import type { CheckId } from '../../clause/clause.ts';
import type { SessionClause } from '../../judge/judge-check.ts';
import type { History } from '../history/history.ts';
import type { RotationSource } from '../judge-target.ts';
import type { Sample } from '../sample.ts';
import type { Target } from '../target.ts';
import { observingChecks, type RotatingCheck, rotatingChecks } from './plan.ts';
import { type Coverage, coverageOf, type Turn } from './turn.ts';

export type RotationParts = {
  readonly clauses: readonly SessionClause[];
  /** Keeps the turns over a restart. */
  readonly history: Pick<History, 'turns' | 'keepTurns'>;
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

/** The checks that take turns, with what is known of them on each target. */
export type Rotation = {
  /** What the next run of a target goes on with. */
  of(target: Pick<Target, 'name'>): RotationSource;
  /** Remembers the turns of a run. */
  keep(sample: Pick<Sample, 'target' | 'rotation'>): void;
  coverage(target: Pick<Target, 'name' | 'rotation'>): Coverage;
};

export function createRotation({ clauses, history, wall }: RotationParts): Rotation {
  const checks: readonly RotatingCheck[] = rotatingChecks(clauses);
  const observing = observingChecks(clauses);
  const ids = new Set([...checks, ...observing].map(({ check }) => check.id));
  const known = new Map<string, Map<CheckId, Turn>>();

  function turnsOf(target: string): Map<CheckId, Turn> {
    const kept = known.get(target);
    if (kept !== undefined) return kept;
    // Of a check that is no longer there nothing can be said, and nothing would ever mend its failure.
    const read = new Map([...history.turns(target)].filter(([id]) => ids.has(id)));
    known.set(target, read);
    return read;
  }

  return {
    of: ({ name }) => ({ checks: [...checks, ...observing], clauses, turns: turnsOf(name) }),
    keep({ target, rotation }) {
      const turns = turnsOf(target);
      const fresh = rotation.filter((turn) => turns.get(turn.check) !== turn);
      for (const turn of fresh) turns.set(turn.check, turn);
      history.keepTurns(target, fresh);
    },
    coverage: ({ name, rotation }) => coverageOf(checks, turnsOf(name), { ...rotation, now: wall() }),
  };
}
