import type { CheckId } from '../../clause/clause.ts';
import { selectAmong } from '../../judge/selection.ts';
import type { SessionClause } from '../../oracle/world.ts';
import type { History } from '../history.ts';
import type { RotationSource } from '../judge-target.ts';
import type { Sample } from '../sample.ts';
import type { Target } from '../target.ts';
import { type Coverage, coverageOf, type Turn, type Turns, turning, turningOfRun } from './turns.ts';

export type RotationParts = {
  readonly clauses: readonly SessionClause[];
  readonly history: Pick<History, 'turns' | 'keepTurns' | 'onSetAside'>;
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

const MINUTE = 60_000;

type Rotating = Pick<Target, 'name' | 'rotation'> & Partial<Pick<Target, 'only' | 'skip'>>;

type Selected = Pick<RotationSource, 'kinds' | 'clauses'> & { readonly ids: ReadonlySet<CheckId> };

/** The largest fraction of a budget for a turn of a table: a run includes several. */
export const SHARE = 1 / 2;

export type Rotation = {
  of(target: Rotating): RotationSource;
  /** The source for a single run: the minute is its number. */
  alone(target: Rotating): RotationSource;
  keep(sample: Pick<Sample, 'target' | 'rotation'>): void;
  coverage(target: Rotating): Coverage;
};

/**
 * The source for a run that knows nothing about others: its number decides where it begins, so that all of them together send every
 * request.
 */
export function aloneAs(run: number, budget: number, { kinds, clauses }: Pick<RotationSource, 'kinds' | 'clauses'>): RotationSource {
  return { kinds: turningOfRun(run, budget, kinds), clauses, turns: new Map(), recorded: true };
}

export function createRotation({ clauses, history, wall }: RotationParts): Rotation {
  const selections = new Map<string, Selected>();
  const known = new Map<string, Map<CheckId, Turn>>();
  /** Targets whose turns in the file are known. */
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
    // A later turn takes precedence.
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

  /** The known turns of a target's kinds. A kind that it no longer has is left out: nothing would ever clear its failure. */
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
