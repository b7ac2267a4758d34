import { failOr, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { onConnection } from '../judging/on-connection.ts';

const LARGEST = 100;
/** This many animals of one status on an unfiltered page, and of another one on the next, are not a coincidence. */
const LEAST = 3;

type Pair = { readonly filtered: Exchange; readonly whole: Exchange };

/** A list with a status, then one without. */
async function askPair(s: Session, status: PetStatus, options: CallOptions): Promise<Pair> {
  const filtered = judgeable(await s.api.list({ limit: LARGEST, status }, options));
  return { filtered, whole: judgeable(await s.api.list({ limit: LARGEST }, options)) };
}

/** The same, sent so close together that hardly anything happens in between. */
async function askAtOnce(s: Session, status: PetStatus): Promise<Pair> {
  const [filtered, whole] = await Promise.all([s.api.list({ limit: LARGEST, status }), s.api.list({ limit: LARGEST })]);
  return { filtered: judgeable(filtered), whole: judgeable(whole) };
}

/** The status that all animals in a list share; undefined if they have several, or are few. */
function onlyStatus(list: Exchange): PetStatus | undefined {
  const pets = petsOf(list);
  const [first] = pets;
  return pets.length >= LEAST && pets.every(({ status }) => status === first?.status) ? first?.status : undefined;
}

/** Two unfiltered lists that each show a single status, and not the same one. */
function filteredByOthers(pairs: readonly Pair[]): Finding | undefined {
  const uniform = pairs.filter(({ whole }) => onlyStatus(whole) !== undefined);
  const [first] = uniform;
  const other = uniform.find(({ whole }) => first !== undefined && onlyStatus(whole) !== onlyStatus(first.whole));
  if (first === undefined || other === undefined) return undefined;
  const [one, two] = [onlyStatus(first.whole), onlyStatus(other.whole)];
  return finding([first.filtered, first.whole, other.filtered, other.whole], {
    summary: `unfiltered lists requested right after filtered ones returned only ${one} animals and later only ${two} ones`,
    expected: ['animals of any status'],
    received: `${petsOf(first.whole).length} animals, all ${one}; then ${petsOf(other.whole).length}, all ${two}`,
  });
}

/**
 * Requests unfiltered lists, each right after a filtered one: a page may happen to show a single status, even the same one every
 * time, but not one status now and another one later.
 */
export async function judgeAfterFilter(s: Session): Promise<Outcome> {
  const pairs: Pair[] = [];
  await onConnection(s, async (connection) => {
    for (const status of PET_STATUSES) {
      pairs.push(await askPair(s, status, { connection }));
      pairs.push(await askAtOnce(s, status));
    }
  });
  const filled = new Set(pairs.filter(({ filtered }) => petsOf(filtered).length > 0).map(({ filtered }) => filtered.request.intent.status));
  if (filled.size < 2) return inconclusive('the store lacks animals of at least two statuses', 'circumstance');
  return failOr([filteredByOthers(pairs)], pass(`${pairs.length} unfiltered lists after filtered ones, none of them filtered`));
}
