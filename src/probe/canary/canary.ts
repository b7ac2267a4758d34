import { messageOf } from '../../wire/wording.ts';
import type { Clock } from '../clock.ts';
import type { TargetRun } from '../judge-target.ts';
import type { SmokeOptions } from '../smoke.ts';
import type { Target } from '../target.ts';
import type { CanaryPlan } from './checks.ts';
import { type Books, type CreationLedger, openCreationLedger, type Settlement, spentOf } from './ledger.ts';
import { type CanaryLimits, createCanarySchedule, spacingOf } from './limits.ts';

/** The state of a target's creations for the page, the API, and the metrics. */
export type CanaryState = Pick<CanaryLimits, 'perDay' | 'lifetime'> & {
  /** Undefined if the ledger can't be read: then nothing is created either. */
  readonly books: Books | undefined;
  /** The number of animals that may still be created. */
  readonly left: number;
  /** Milliseconds between two creations. */
  readonly spacing: number;
  /** When the next creation is due, wall clock in milliseconds; undefined if the budget is spent or the ledger can't be read. */
  readonly dueAt: number | undefined;
};

export type CanaryOptions = {
  /** Undefined: there is no ledger, so nothing is ever created. */
  readonly file: string | undefined;
  readonly clock: Clock;
  /** Reports failed writes. */
  readonly onProblem: (problem: string) => void;
  /** Reports other problems of the probe, not of the service. */
  readonly note: (problem: string) => void;
  readonly onSettled: (target: string, state: Settlement['state']) => void;
};

/** Periodically creates an animal on targets that allow it, and checks the latest one. */
export type Canary = {
  /** Opens the ledger if one of the targets may be written to, and assigns animals created under former names to them. */
  use(targets: readonly Target[]): void;
  /** What follows the reads of a scheduled run; nothing for a target that is only read. */
  after(target: Target): Pick<SmokeOptions, 'after'>;
  /** Undefined for a target that is only read. */
  state(target: Target): CanaryState | undefined;
  /** The current problem of the ledger; undefined if there is none. */
  problem(): string | undefined;
  close(): void;
};

/** The minimum number of milliseconds left for a canary to begin: there must be time to look for the creation. */
const LEAST_TIME = 6_000;

/** Whether the reads of the run were completed, and a list was returned: a service that can't be read is not written to. */
function isReadable({ record, late, unreachable }: TargetRun): boolean {
  const lists = record.operations.find(({ operation }) => operation === 'listPets');
  return !late && unreachable === undefined && lists?.statuses['200'] !== undefined;
}

/** The canary over all targets of a monitor. */
export function createCanary({ file, clock, onProblem, note, onSettled }: CanaryOptions): Canary {
  const schedule = createCanarySchedule(clock);
  let ledger: CreationLedger | undefined;
  // Loaded only where something is created: it loads all clauses, and a monitor that only reads needs few of them.
  let runner: Promise<typeof import('./run.ts')> | undefined;
  const load = () => {
    runner ??= import('./run.ts');
    return runner;
  };

  function stateOf({ name, writes }: Target): CanaryState | undefined {
    if (writes === undefined) return undefined;
    const { perDay, lifetime } = writes;
    const books = ledger?.books(name);
    const left = books === undefined ? 0 : Math.max(0, lifetime - spentOf(books));
    const spacing = spacingOf(writes);
    const dueAt = books === undefined || left === 0 ? undefined : schedule.dueAt(name, { spacing, lastAt: books.lastAt });
    return { perDay, lifetime, books, left, spacing, dueAt };
  }

  function creation(target: Target, writes: CanaryLimits, live: CreationLedger): CanaryPlan {
    const { name, baseUrl } = target;
    const known = live.lastAnimal(name, baseUrl);
    const categoryId = writes.categoryId ?? known?.sent.categoryId;
    return {
      kind: 'create',
      categoryId,
      createdEarlier: known !== undefined,
      reserve(sent) {
        const reserved = live.reserve({ target: name, baseUrl, sent }, writes);
        if (reserved.ok) schedule.took(name);
        return reserved;
      },
    };
  }

  function planOf(target: Target, writes: CanaryLimits): CanaryPlan | undefined {
    const state = stateOf(target);
    if (ledger === undefined || state?.books === undefined) return undefined;
    const due = schedule.isDue(target.name, { spacing: spacingOf(writes), lastAt: state.books.lastAt });
    if (due && state.left > 0 && state.books.today < writes.perDay) return creation(target, writes, ledger);
    const animal = ledger.lastAnimal(target.name, target.baseUrl);
    if (animal === undefined) return undefined;
    const { id, sent, at } = animal;
    return { kind: 'read', animal: { id, sent, createdOn: new Date(at).toISOString().slice(0, 10) } };
  }

  async function follow(target: Target, run: TargetRun, left: { deadline: number; now: Date }): Promise<TargetRun> {
    const { writes } = target;
    if (writes === undefined || !isReadable(run)) return run;
    const begin = performance.now();
    const settle = (number: number, settlement: Settlement): void => {
      ledger?.settle(number, settlement);
      onSettled(target.name, settlement.state);
    };
    try {
      const { runCanary } = await load();
      const plan = planOf(target, writes);
      const deadline = left.deadline - (performance.now() - begin);
      if (plan === undefined) return run;
      if (deadline >= LEAST_TIME) return await runCanary(run, plan, { target, deadline, now: left.now, settle });
      note(`${target.name}: the reads left ${Math.round(deadline)} ms of the deadline, too little for the canary`);
      return run;
    } catch (error) {
      return { ...run, errors: [...run.errors, `the canary broke: ${messageOf(error)}`] };
    }
  }

  return {
    use(targets) {
      const written = targets.flatMap(({ name, baseUrl, writes }) => (writes === undefined ? [] : [{ target: name, baseUrl }]));
      if (file === undefined || written.length === 0) return;
      // Loaded before the first run, so that it does not count towards its deadline; a failure shows there.
      load().catch(() => undefined);
      ledger ??= openCreationLedger({ file, clock, onProblem, onAbandoned: (target) => onSettled(target, 'ambiguous') });
      ledger.adopt(
        written,
        targets.map(({ name }) => name),
      );
    },
    after: (target) => (target.writes === undefined ? {} : { after: (run, left) => follow(target, run, left) }),
    state: stateOf,
    problem: () =>
      ledger === undefined || ledger.available() ? undefined : 'the ledger of created animals is unavailable, so nothing is created',
    close: () => ledger?.close(),
  };
}
