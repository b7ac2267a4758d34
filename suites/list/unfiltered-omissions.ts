import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, finding, petOf, petsOf, statusOf } from '../../src/expect/expect.ts';
import { isInt64 } from '../../src/schema/int64.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { ignoringHalts } from '../judging/ignoring-halts.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { askLargest } from '../judging/lists/ask-largest.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { initialLists } from '../judging/lists/initial-lists.ts';
import { leftOutOf } from '../judging/lists/left-out-of.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';
import { pollList } from '../judging/lists/poll-list.ts';

const NEXT = [-2n, -1n, 1n, 2n];
const MOST_NEIGHBOURS = 8;

/** An animal that a response other than the unfiltered list shows. */
type Sighting = { readonly id: bigint; readonly exchange: Exchange };

async function wholeList(s: Session): Promise<Exchange> {
  const whole = await askLargest(s);
  petsOf(whole);
  if (!hasRoom(whole)) haltInconclusive("the page is full, and an animal on a later page can't be seen", 'circumstance');
  return whole;
}

/** Findings for existing animals that the unfiltered list omits throughout the consistency window despite having room. */
async function judgeSightings(s: Session, sightings: readonly Sighting[], where: string): Promise<readonly Finding[]> {
  if (sightings.length === 0) return [];
  const again = await pollList(s, { limit: 100 }, sightings);
  if (!hasRoom(again)) return [];
  const missing = leftOutOf(again, sightings);
  const reads = await s.all(missing, ({ id }) => readBack(s, id));
  return missing.flatMap(({ id, exchange }, index) => {
    const read = reads[index];
    if (read?.pet === undefined) return [];
    return [
      finding([exchange, read.exchange, again], {
        summary: `animal ${id} is ${where}, but the unfiltered list omits it despite having room`,
        expected: [`animal ${id} in the unfiltered list`],
        received: `${idsIn(again).size} other animals`,
      }),
    ];
  });
}

/** Animals that a filtered list shows and the unfiltered list omits. */
async function onlyInFiltered(s: Session): Promise<readonly Finding[]> {
  const whole = await wholeList(s);
  const filtered = await s.all(PET_STATUSES, (status) => askList(s, { status }));
  const sightings = filtered.flatMap((exchange) => missingFrom(whole, petsOf(exchange)).map(({ id }) => ({ id, exchange })));
  return judgeSightings(s, sightings, 'in a filtered list');
}

/** Judges the unfiltered list by what filtered lists show. */
export async function judgeAgainstFiltered(s: Session): Promise<Outcome> {
  await ignoringHalts(() => initialLists(s));
  return judgeRows(s, {
    rows: [s],
    judge: onlyInFiltered,
    evidence: 'the unfiltered list shows every animal in the filtered lists',
  });
}

/** Unlisted ids adjacent to listed ones, those in gaps first. */
function neighbours(listed: readonly bigint[]): readonly bigint[] {
  const sorted = listed.toSorted((a, b) => (a < b ? -1 : 1));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const near = new Set(sorted.flatMap((id) => NEXT.map((step) => id + step)).filter((id) => isInt64(id) && !listed.includes(id)));
  const inside = [...near].filter((id) => id > first && id < last);
  return [...inside, ...[...near].filter((id) => !inside.includes(id))].slice(0, MOST_NEIGHBOURS);
}

/** Animals with ids adjacent to listed ones that getPet shows and the unfiltered list omits. */
async function unlistedNeighbours(s: Session): Promise<readonly Finding[]> {
  const whole = await wholeList(s);
  const reads = await s.all(neighbours(petsOf(whole).map(({ id }) => id)), async (id) => ({ id, exchange: await s.api.get(id) }));
  const sightings = reads.filter(({ id, exchange }) => statusOf(exchange) === 200 && petOf(exchange).id === id);
  if (sightings.length > 0 && answerOf(await s.api.get(await s.fixtures.absentId())).status === 200) {
    haltInconclusive('getPet returns animals that do not exist', 'get.not-found');
  }
  return judgeSightings(s, sightings, 'found by its id');
}

/** Judges the unfiltered list by what getPet shows for ids adjacent to listed ones. */
export async function judgeNeighbours(s: Session): Promise<Outcome> {
  return judgeRows(s, {
    rows: [s],
    judge: unlistedNeighbours,
    evidence: 'no unlisted animal has an id adjacent to a listed one',
  });
}
