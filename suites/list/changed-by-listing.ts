import { inconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeAnswer, finding } from '../../src/expect/expect.ts';
import { agreeOn, type PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { askLargest } from '../judging/lists/ask-largest.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { unlessStoreIsVolatile } from '../judging/lists/concurrent-changes.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';

const ROUNDS = 6;
const LEAST_ROUNDS = 2;
const OFTEN = 3;
const FEW_GONE = 3;
const WATCHED = 6;

/**
 * Animals that the run has listed and that are no longer listed or found. The document shows no way to remove one, but other
 * areas of the service may have one: a single animal that disappears is not a finding, several are.
 */
async function vanished(s: Session, known: readonly PetView[]): Promise<Finding | undefined> {
  const list = await askLargest(s);
  if (!hasRoom(list)) return undefined;
  const missing = missingFrom(list, known).slice(0, FEW_GONE + 2);
  if (missing.length < FEW_GONE) return undefined;
  const reads = await s.all(missing, ({ id }) => readBack(s, id));
  const gone = reads.filter(({ pet }) => pet === undefined);
  const [first, ...rest] = gone.map(({ exchange }) => exchange);
  if (first === undefined || gone.length < FEW_GONE) return undefined;
  return finding([first, ...rest, list], {
    summary: `${gone.length} previously listed animals are no longer listed or found`,
    expected: ['listing leaves the animals in the store'],
    received: describeAnswer(list),
  });
}

/** A few of the animals that lists have shown. */
async function severalOf(s: Session): Promise<readonly bigint[]> {
  const sample = await s.fixtures.sample(Number.MAX_SAFE_INTEGER);
  return sample.slice(0, WATCHED).map(({ id }) => id);
}

/** Whether statuses change as often while nobody lists, over the same time: then other clients change them. */
async function othersChange(s: Session, { ids, listed }: { ids: readonly bigint[]; listed: number }): Promise<boolean> {
  const statuses = async () => {
    let reads = await s.all(ids, (id) => readBack(s, id));
    const [first] = reads;
    const begin = first?.exchange.timings.startedAt ?? 0;
    while (reads.some(({ exchange: { timings } }) => timings.startedAt + timings.duration - begin < listed))
      reads = await s.all(ids, (id) => readBack(s, id));
    return reads.map(({ pet }) => pet?.status);
  };
  let changes = 0;
  let before = await statuses();
  for (let round = 0; round < ROUNDS; round += 1) {
    const after = await statuses();
    if (after.some((status, index) => status !== before[index])) changes += 1;
    before = after;
  }
  return changes >= OFTEN;
}

/** A finding when the status of an animal keeps changing across lists. One change may be a store order; one per list is not. */
async function restless(s: Session, id: bigint): Promise<Finding | undefined> {
  const exchanges: Exchange[] = [];
  let changes = 0;
  let before = await readBack(s, id);
  for (let round = 0; round < ROUNDS && (round < LEAST_ROUNDS || changes > 0); round += 1) {
    const list = await askList(s);
    const after = await readBack(s, id);
    if (before.pet === undefined || after.pet === undefined) return undefined;
    if (!agreeOn('status', before.pet, after.pet)) {
      changes += 1;
      exchanges.push(before.exchange, list, after.exchange);
    }
    before = after;
  }
  const [first, ...rest] = exchanges;
  if (changes < OFTEN || first === undefined) return undefined;
  const listed = Math.max(...exchanges.map(({ timings }) => timings.duration));
  if (await othersChange(s, { ids: await severalOf(s), listed })) return undefined;
  return finding([first, ...rest], {
    summary: `the status of animal ${id} changed during ${changes} of ${ROUNDS} list requests`,
    expected: ['the same status before and after'],
    received: `${changes} changes`,
  });
}

/** Judges whether listing changes the status of animals or removes them. */
export async function judgeChangedByListing(s: Session): Promise<Outcome> {
  const sample = await s.fixtures.sample(Number.MAX_SAFE_INTEGER);
  const [first] = sample;
  if (first === undefined) return inconclusive('the lists show no animal', 'circumstance');
  const known = [...s.knowledge.seen.values()];
  const watched = sample.length === 1 ? [first] : [first, sample.at(-1) ?? first];
  const rows = await s.all(watched, ({ id }) => judgeRow(() => restless(s, id)));
  rows.push(await judgeRow(() => vanished(s, known)));
  const outcome = combineRows(rows, `${known.length} animals still exist, ${watched.length} of them unchanged across lists`);
  return unlessStoreIsVolatile(s, outcome, ['newcomers']);
}
