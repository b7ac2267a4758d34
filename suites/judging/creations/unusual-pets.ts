import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { describeAnswer, finding, petOf, statusOf } from '../../../src/expect/expect.ts';
import type { Creation, Session } from '../../../src/session/session.ts';
import type { Exchange, PetStatus } from '../../../src/wire/exchange.ts';
import { idsIn } from '../lists/ids-in.ts';
import { largeLists } from '../lists/large-lists.ts';
import { otherStatus } from '../other-status.ts';
import { failsListed } from '../reads/fails-listed.ts';
import { brokenFields } from './broken-fields.ts';
import { notRefused } from './not-refused.ts';
import { readBack } from './read-back.ts';
import { requirePlainFound } from './require-plain-found.ts';
import { requireStillCreates } from './require-still-creates.ts';
import { send } from './send.ts';
import { showName } from './show-name.ts';
import { judgeField, type UnusualRow } from './unusual-field.ts';

const IN_TURN = ['pending', 'sold', undefined] as const;

/** A status for the row with that index, so that no filtered list outgrows the largest page. */
export function statusInTurn(index: number): PetStatus | undefined {
  return IN_TURN.at(index % IN_TURN.length);
}

/** Judges an unusual NewPet: it is rejected with 400, or accepted with 201 and kept exactly, in the response and when it is read. */
export async function judgeUnusual(s: Session, row: UnusualRow): Promise<Finding | undefined> {
  const creation = await send(s, row.sent, 'unusual');
  const { exchange } = creation;
  const wrong = otherStatus(exchange, [201, 400, ...(row.also ?? [])], `POST /pets with ${row.what}`);
  if (wrong !== undefined) {
    await requireStillCreates(s, exchange);
    return wrong;
  }
  const status = statusOf(exchange);
  if (status === 400) return notRefused(exchange, `POST /pets with ${row.what}`);
  if (status !== 201) return undefined;
  const broken = await brokenFields(s);
  const answered = petOf(exchange);
  // create.answer judges a 201 that changes plain values too, and record.pet one that shows none; the stored value may still be correct.
  const inAnswer =
    broken.answered.has(row.field) || answered.gaps.includes(row.field)
      ? undefined
      : await judgeField(row, answered, { s, exchanges: [exchange], where: 'returned' });
  if (inAnswer !== undefined) return inAnswer;
  // If not even plain values are kept, what is stored of unusual ones proves nothing.
  if (broken.stored.has(row.field)) haltInconclusive(`not even the ${row.field} of plain animals is kept`, 'create.round-trip');
  const { exchange: read, pet } = await readBack(s, answered.id);
  if (pet === undefined) return judgeLost(s, creation, read);
  return judgeField(row, pet, { s, exchanges: [exchange, read], where: 'read back' });
}

const MORE_ATTEMPTS = 2;

/** An unusual animal that can't be found: sent again, because a service that intermittently loses any animal breaks list.complete. */
async function judgeLost(s: Session, creation: Creation, read: Exchange): Promise<Finding | undefined> {
  await requirePlainFound(s);
  for (let attempt = 0; attempt < MORE_ATTEMPTS; attempt += 1) {
    const again = await send(s, creation.sent, 'unusual');
    const found = statusOf(again.exchange) === 201 ? (await readBack(s, petOf(again.exchange).id)).pet : undefined;
    if (found !== undefined) haltInconclusive("one animal was created but can't be found, while another one like it can", 'list.complete');
  }
  // It is there, and getPet does not find others either.
  if ((await failsListed(s)) && (await largeLists(s)).some((list) => idsIn(list).has(String(petOf(creation.exchange).id))))
    haltInconclusive('getPet does not find animals that lists show', 'get.success');
  return finding([creation.exchange, read], {
    summary: `the creation of animal ${showName(creation.sent.name)} returned 201, but the animal can't be found afterwards`,
    expected: ['200 with the animal'],
    received: describeAnswer(read),
  });
}
