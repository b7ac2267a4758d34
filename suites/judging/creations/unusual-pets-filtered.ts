import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { finding, petOf, statusOf } from '../../../src/expect/expect.ts';
import type { Session } from '../../../src/session/session.ts';
import type { KnownAnimal } from '../../../src/session/state/run-state.ts';
import type { Exchange, PetStatus } from '../../../src/wire/exchange.ts';
import { judgeBatch } from '../judge-batch.ts';
import { hasRoom } from '../lists/has-room.ts';
import { idsIn } from '../lists/ids-in.ts';
import { missingFrom } from '../lists/missing-from.ts';
import { pollList } from '../lists/poll-list.ts';
import { firstLists } from './first-lists.ts';
import { readBack } from './read-back.ts';
import { requireFirstListed } from './require-first-listed.ts';
import { send } from './send.ts';
import type { UnusualRow } from './unusual-field.ts';
import { judgeUnusual } from './unusual-pets.ts';

const MORE_ATTEMPTS = 3;

type Found = { readonly row: UnusualRow; readonly animal: KnownAnimal };

function hiddenFinding({ row, animal }: Found, list: Exchange): Finding {
  return finding([animal.exchange, list], {
    summary: `status=${animal.sent.status} omits animal ${animal.id} (${row.what}), which has that status; the list has room for it`,
    expected: [`animal ${animal.id} in the list`],
    received: `${idsIn(list).size} other animals`,
  });
}

/** Halts when the list omits plain animals of its status too, or unfiltered lists do. */
async function requirePlainListed(s: Session, list: Exchange, status: PetStatus): Promise<void> {
  await requireFirstListed(s);
  const { animals } = await firstLists(s);
  const plain = animals.filter(({ sent }) => sent.status === status).map(({ pet }) => pet);
  if (missingFrom(list, plain).length > 0) haltInconclusive(`status=${status} omits plain animals too`, 'list.filter-complete');
}

/** Halts when another animal like it is listed, or when it is listed once it is not the newest: the unusual value did not make the difference then. */
async function requireHiddenAgain(s: Session, { row, animal }: Found, status: PetStatus): Promise<void> {
  for (let attempt = 0; attempt < MORE_ATTEMPTS; attempt += 1) {
    const { exchange } = await send(s, row.sent, 'unusual');
    if (statusOf(exchange) !== 201) return;
    const again = petOf(exchange);
    const list = await pollList(s, { status, limit: 100 }, [again]);
    if (missingFrom(list, [again]).length === 0)
      haltInconclusive('one animal is not listed, but another one like it is', 'create.independent');
    if ((await readBack(s, again.id)).pet === undefined) haltInconclusive(`animal ${again.id} can't be found either`, 'list.complete');
    if (missingFrom(list, [animal]).length === 0)
      haltInconclusive(`status=${status} omits an animal until another one is created`, 'list.filter-complete');
  }
}

/** Unusual animals of one status that the filtered list omits despite having room, although getPet shows them with that status. */
async function judgeHidden(s: Session, status: PetStatus, found: readonly Found[]): Promise<readonly (Finding | undefined)[]> {
  const animals = found.map(({ animal }) => animal);
  const list = await pollList(s, { status, limit: 100 }, animals);
  const missing = missingFrom(list, animals);
  if (missing.length === 0) return [];
  if (!hasRoom(list)) haltInconclusive("the pages are full, and an animal on a later page can't be seen", 'circumstance');
  await requirePlainListed(s, list, status);
  const hidden: (Finding | undefined)[] = [];
  for (const one of found.filter(({ animal }) => missing.includes(animal))) {
    const { pet } = await readBack(s, one.animal.id);
    if (pet?.status !== status) continue;
    await requireHiddenAgain(s, one, status);
    hidden.push(hiddenFinding(one, list));
  }
  return hidden;
}

/**
 * Judges unusual animals created while filtered lists have room to spare: each is rejected or kept, and its status finds it. Animals
 * created later are among so many that a list may omit them.
 */
export async function judgeUnusualFound(s: Session, rows: readonly UnusualRow[]): Promise<readonly Finding[]> {
  const changed = await judgeBatch(s, { rows, judge: (row) => judgeUnusual(s, row) });
  if (changed.length > 0) return changed;
  const created = [...s.knowledge.created.values()];
  const found = rows.flatMap((row) => {
    const animal = created.find(({ sent }) => sent.name === row.sent.name && sent.categoryId === row.sent.categoryId);
    return animal === undefined ? [] : [{ row, animal }];
  });
  const statuses = [...new Set(found.flatMap(({ animal }) => animal.sent.status ?? []))];
  return judgeBatch(s, {
    rows: statuses,
    judge: (status) =>
      judgeHidden(
        s,
        status,
        found.filter(({ animal }) => animal.sent.status === status),
      ),
  });
}
