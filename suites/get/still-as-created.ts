import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeRequest, finding, petOf } from '../../src/expect/expect.ts';
import type { Field } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type KnownAnimal, knownStatus } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { lastLists } from '../judging/lists/large-lists.ts';
import { differing, shownField } from '../judging/pet-fields.ts';
import { failsListed } from './fails-listed.ts';
import { readExisting } from './reading.ts';

function changed(animal: KnownAnimal, read: Exchange, field: Field): Finding {
  const received = petOf(read);
  const before = shownField({ ...animal.answered, status: knownStatus(animal) }, field);
  return finding([animal.exchange, read], {
    summary: `${describeRequest(read)} now shows ${shownField(received, field)}, but the animal was created with ${before}`,
    expected: [before],
    received: shownField(received, field),
    pointer: `/${field}`,
  });
}

/** A 404 and the 200 that followed it. */
export type Missed = readonly [Exchange, Exchange];

/**
 * Judges whether the animal still is as its 201 showed it; create.answer judges the 201 itself. Adds to `missed` a read that first returned
 * 404 although the animal was older than the consistency window.
 */
export async function judgeStillAsCreated(s: Session, animal: KnownAnimal, missed: Missed[] = []): Promise<readonly Finding[] | Finding> {
  const reading = await readExisting(s, animal.id);
  if (reading.kind === 'gone') haltInconclusive(`animal ${animal.id} was removed in the meantime`, 'circumstance');
  if (reading.kind === 'wrong') {
    const { exchanges, summary } = reading.finding;
    // It is there, and getPet does not find others either.
    if ((await failsListed(s)) && (await lastLists(s)).some((list) => idsIn(list).has(String(animal.id))))
      haltInconclusive(summary, 'get.success');
    return {
      ...reading.finding,
      summary: `a created animal can no longer be found: ${reading.finding.summary}`,
      exchanges: [animal.exchange, ...exchanges],
    };
  }
  const { pet, missed: before } = reading;
  if (before !== undefined && before.timings.startedAt - animal.createdAt > s.options.consistencyWindow)
    missed.push([before, reading.exchange]);
  if (pet.id !== animal.id) haltInconclusive(`GET /pets/${animal.id} returned animal ${pet.id}`, 'get.identity');
  const known = { ...animal.answered, status: knownStatus(animal) };
  const fields = differing(known, pet).filter((field) => field !== 'status' || known.status !== undefined);
  return fields.map((field) => changed(animal, reading.exchange, field));
}
