import type { RunRecord } from '../src/clause/run-record.ts';
import { baseParts, seed } from '../src/reference/core/base.ts';
import { createStore, type Store } from '../src/reference/core/store.ts';
import { isPet } from '../src/schema/pet.ts';
import { readJson } from '../src/wire/json.ts';
import { faults } from './faults/index.ts';
import { KEY } from './judge-reference.ts';
import { type Judgement, judgeSetting } from './judge-server.ts';
import { CONFORMING_TIMEOUT, settingOf } from './result.ts';
import { faultCalled, startReference } from './server.ts';

/** What the runs after the first one say about a store that the first one has used. */
export type UsedStoreRun = {
  readonly exitCode: number;
  readonly headline: string;
  /** Failed clauses, advised ones included. */
  readonly failed: readonly string[];
  readonly notes: readonly string[];
};

/** A store that was used on a build with a fault, and what the repaired build is told about it. */
export type UsedStore = {
  /** Animals in it that are no Pets. */
  readonly invalid: number;
  /** Why no build can be right about it: two animals have one id, or one that is found by its id is in no list. */
  readonly torn: 'ids are shared' | 'lists lack what is found by id' | undefined;
  readonly repaired: UsedStoreRun;
};

const CATEGORIES = [1n, 2n, 3n, 4n, 5n];

/** A store with animals of a conforming build. */
export function newStore(animals: number): Store {
  const store = createStore();
  seed(store, baseParts, animals, CATEGORIES);
  return store;
}

function countInvalid({ animals }: Store): number {
  return animals.filter((pet) => {
    const reading = readJson(JSON.stringify(baseParts.petRecord(pet, 'list')));
    return !reading.ok || !isPet(reading.value);
  }).length;
}

function tornOf({ animals, byId }: Store): UsedStore['torn'] {
  const listed = new Set(animals.map(({ id }) => id));
  if (listed.size < animals.length) return 'ids are shared';
  return [...byId.keys()].every((id) => listed.has(id)) ? undefined : 'lists lack what is found by id';
}

function summarize({ conclusion: { exitCode, headline }, clauses }: RunRecord): UsedStoreRun {
  const failed = clauses.filter(({ verdict }) => verdict === 'fail');
  return { exitCode, headline, failed: failed.map(({ id }) => id).sort(), notes: failed.map(({ id, note }) => `${id}: ${note}`) };
}

/** Names of faults of `create.*`, and of what stores though it rejects. */
export const storingFaults: readonly string[] = faults
  .filter(({ clause }) => clause.startsWith('create.') || clause === 'auth.refused-stores-nothing')
  .map(({ name }) => name);

/**
 * Judges the clause of a fault on a server that has it, then everything on one without it that has the same store. Animals that have no name
 * of ours are made known as by `--leftovers`.
 */
export async function judgeUsedStore(name: string): Promise<UsedStore> {
  const { server, session } = settingOf([name]);
  const { clause } = faultCalled(name);
  const store = newStore(server.seedAnimals);
  const judge = (names: readonly string[], judgement: Judgement): Promise<RunRecord> =>
    judgeSetting(
      { start: () => startReference({ ...server, faults: names, store, apiKey: KEY }), session },
      { ...judgement, explained: false },
    );
  const before = await judge([name], { session: { runTag: 'first' }, only: [clause] });
  const leftoverIds = clause.startsWith('create.name') ? before.animals.created.map(({ id }) => id) : [];
  const invalid = countInvalid(store);
  const torn = tornOf(store);
  const after = await judge([], { session: { timeout: CONFORMING_TIMEOUT, runTag: 'again', leftoverIds } });
  return { invalid, torn, repaired: summarize(after) };
}

/** Whether the repaired build is judged as it should be: conformant, with one warning where animals are left that are not Pets. */
export function isJudgedRightly({ invalid, torn, repaired }: UsedStore): boolean {
  const expected = invalid > 0 ? 'record.leftovers' : '';
  return torn !== undefined || (repaired.exitCode === 0 && repaired.failed.join() === expected);
}

/** Judges a server three times, its store as the run before left it. */
export async function judgeThreeTimes(names: readonly string[], seedAnimals?: number): Promise<readonly UsedStoreRun[]> {
  const { server, session } = settingOf(names);
  const store = newStore(seedAnimals ?? server.seedAnimals);
  const runs: UsedStoreRun[] = [];
  const start = () => startReference({ ...server, store, apiKey: KEY });
  for (const runTag of ['first', 'again', 'third'])
    runs.push(summarize(await judgeSetting({ start, session }, { session: { timeout: CONFORMING_TIMEOUT, runTag }, explained: false })));
  return runs;
}
