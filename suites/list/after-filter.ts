import { failOr, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { judgeable } from '../judging/ownership.ts';

const LARGEST = 100;
/** So many animals of one status on a page without filter, and of another one on the next, are no accident. */
const LEAST = 3;

type Pair = { readonly filtered: Exchange; readonly whole: Exchange };

/** A list with a status and then one without. */
async function askPair(s: Session, status: PetStatus, options: CallOptions): Promise<Pair> {
  const filtered = judgeable(await s.api.list({ limit: LARGEST, status }, options));
  return { filtered, whole: judgeable(await s.api.list({ limit: LARGEST }, options)) };
}

/** The same, sent so closely one after the other that hardly anything comes between them. */
async function askAtOnce(s: Session, status: PetStatus): Promise<Pair> {
  const [filtered, whole] = await Promise.all([s.api.list({ limit: LARGEST, status }), s.api.list({ limit: LARGEST })]);
  return { filtered: judgeable(filtered), whole: judgeable(whole) };
}

/** The one status of all animals in a list; undefined where they have several, or are few. */
function onlyStatus(list: Exchange): PetStatus | undefined {
  const pets = petsOf(list);
  const [first] = pets;
  return pets.length >= LEAST && pets.every(({ status }) => status === first?.status) ? first?.status : undefined;
}

/** Two lists without status that show, each, a single one, and not the same. */
function filteredByOthers(pairs: readonly Pair[]): Finding | undefined {
  const uniform = pairs.filter(({ whole }) => onlyStatus(whole) !== undefined);
  const [first] = uniform;
  const other = uniform.find(({ whole }) => first !== undefined && onlyStatus(whole) !== onlyStatus(first.whole));
  if (first === undefined || other === undefined) return undefined;
  const [one, two] = [onlyStatus(first.whole), onlyStatus(other.whole)];
  return finding([first.filtered, first.whole, other.filtered, other.whole], {
    summary: `lists without status, each asked for behind a filtered one, show only animals that are ${one} and then only animals that are ${two}`,
    expected: ['animals of any status: no filtering'],
    received: `${petsOf(first.whole).length} animals, all ${one}; then ${petsOf(other.whole).length}, all ${two}`,
  });
}

/**
 * Asks for lists without status, each behind one with a status: a page may happen to show a single status, also each time the same
 * one, but not one status now and another then.
 */
export async function judgeAfterFilter(s: Session): Promise<Outcome> {
  await s.fixtures.admitted();
  const connection = s.api.connect();
  const pairs: Pair[] = [];
  try {
    for (const status of PET_STATUSES) {
      pairs.push(await askPair(s, status, { connection }));
      pairs.push(await askAtOnce(s, status));
    }
  } finally {
    await connection.close();
  }
  const filled = new Set(pairs.filter(({ filtered }) => petsOf(filtered).length > 0).map(({ filtered }) => filtered.request.intent.status));
  if (filled.size < 2) return inconclusive('animals of at least two statuses are needed', 'circumstance');
  return failOr([filteredByOthers(pairs)], pass(`${pairs.length} lists behind filtered ones, none filtered by the status of another`));
}
