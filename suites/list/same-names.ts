import { haltInconclusive, notApplicable, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { firstLists } from '../judging/creations/first-lists.ts';
import { type Made, made } from '../judging/creations/made.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { send } from '../judging/creations/send.ts';
import { showName } from '../judging/creations/show-name.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';
import { pollList } from '../judging/lists/poll-list.ts';

const STATUS = 'sold';
/** Combines with the letter before it. */
const ACCENT = '\u0301';

/** The name with capital letters at its end; the prefix stays. */
function inCapitals(name: string): string {
  return name.slice(0, -3) + name.slice(-3).toUpperCase();
}

/** A plain animal and others with its name, also in capitals, as far as the service creates them. */
async function namesakes(s: Session): Promise<readonly Made[]> {
  const sent = await s.fixtures.plain(STATUS);
  const animals = [made(await send(s, sent))];
  for (const name of [sent.name, inCapitals(sent.name), `${sent.name}${ACCENT}`]) {
    const exchange = await s.api.create({ value: { ...sent, name } }, { domain: 'open' });
    if (statusOf(exchange) === 201) animals.push({ sent: { ...sent, name }, exchange, pet: petOf(exchange) });
  }
  return animals;
}

type Hidden = { readonly animal: Made; readonly list: Exchange; readonly read: Exchange };

/** The first of the animals that exists with its status and that the filtered list omits despite having room. */
async function firstHidden(s: Session, animals: readonly Made[]): Promise<Hidden | undefined> {
  const list = await pollList(
    s,
    { status: STATUS, limit: 100 },
    animals.map(({ pet }) => pet),
  );
  for (const animal of animals) {
    if (missingFrom(list, [animal.pet]).length === 0) continue;
    if (!hasRoom(list)) haltInconclusive("the pages are full, and an animal on a later page can't be seen", 'circumstance');
    const { pet, exchange } = await readBack(s, animal.pet.id);
    if (pet?.status === STATUS) return { animal, list, read: exchange };
  }
  return undefined;
}

/** Halts when the list omits plain animals with unique names too. */
async function requireOthersListed(s: Session, list: Exchange): Promise<void> {
  const { known } = await firstLists(s);
  const plain = known.map(({ pet }) => pet).filter(({ status }) => status === STATUS);
  if (missingFrom(list, plain).length > 0) haltInconclusive(`status=${STATUS} omits other animals too`, 'list.filter-complete');
}

function hiddenFinding({ animal, list, read }: Hidden, others: readonly Made[]): Finding {
  return finding([animal.exchange, ...others.map(({ exchange }) => exchange), read, list], {
    summary: `animal ${animal.pet.id} (${showName(animal.sent.name)}), one of ${others.length + 1} animals with the same name, is missing from GET /pets?status=${STATUS}, which has room for it`,
    expected: [`animal ${animal.pet.id} in the list`],
    received: `${idsIn(list).size} other animals`,
  });
}

/**
 * Creates animals that share a name. Whether a service allows that is open, but every animal it creates must be listed.
 * A second set must show the same omission, so that it was not an accident.
 */
export async function judgeSameNames(s: Session): Promise<Outcome> {
  const first = await namesakes(s);
  if (first.length === 1) return notApplicable('the service rejects names that are taken');
  const hidden = await firstHidden(s, first);
  if (hidden === undefined) return pass(`${first.length} animals with the same name are all listed`);
  await requireOthersListed(s, hidden.list);
  if ((await firstHidden(s, await namesakes(s))) === undefined)
    haltInconclusive('one animal is not listed, but another one like it is', 'create.independent');
  return {
    kind: 'fail',
    findings: [
      hiddenFinding(
        hidden,
        first.filter((animal) => animal !== hidden.animal),
      ),
    ],
  };
}
