import type { Finding } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import { agreeOn, type Field, type PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isListed } from '../judging/lists/is-listed.ts';
import { differing, shownField } from '../judging/pet-fields.ts';

const PERSISTENCE = 12;

/** An animal as one response showed it. */
export type Read = { readonly exchange: Exchange; readonly pet: PetView };

/** The result of reading one animal several times. `vanished`: it was there once and then permanently gone. */
export type Series = { readonly findings: readonly Finding[]; readonly vanished: Finding | undefined };

function changed(first: Read, later: Read, field: Field): Finding {
  const before = shownField(first.pet, field);
  const after = shownField(later.pet, field);
  return finding([first.exchange, later.exchange], {
    summary: `${describeRequest(later.exchange)} returned ${before} and then ${after}`,
    expected: [before],
    received: after,
    pointer: `/${field}`,
  });
}

/**
 * What changed between the first and a later read. A store order may change the status of another client's animal: that is a
 * finding only if the status changes back.
 */
function changes(s: Session, reads: readonly Read[]): readonly Finding[] {
  const [first, ...later] = reads;
  if (first === undefined) return [];
  const ours = s.knowledge.created.has(String(first.pet.id));
  for (const [index, read] of later.entries()) {
    const fields = differing(first.pet, read.pet).filter((field) => {
      if (ours || field !== 'status') return true;
      return later.slice(index + 1).some(({ pet }) => agreeOn('status', pet, first.pet));
    });
    if (fields.length > 0) return fields.map((field) => changed(first, read, field));
  }
  return [];
}

/**
 * A 404 after a 200. A store that lags may show a new animal intermittently, so the consistency window passes first; only an animal that
 * is still missing at times, or for good, counts as lost.
 */
async function judgeFlapping(s: Session, first: Read, missing: Exchange): Promise<Series> {
  const ask = () => s.api.get(first.pet.id);
  const last = await s.poll(ask, () => false);
  const afterwards = statusOf(last) === 404 ? [last] : await s.all(Array.from({ length: PERSISTENCE }), ask);
  const again = afterwards.find((exchange) => statusOf(exchange) === 404);
  if (again === undefined) return { findings: [], vanished: undefined };
  const summary = `${describeRequest(again)} returned 200 and later 404`;
  const lost = finding([first.exchange, missing, again], { summary, expected: ['200 with the animal'] });
  const surely = s.knowledge.created.has(String(first.pet.id)) || statusOf(last) === 200 || (await isListed(s, first.pet.id));
  return surely ? { findings: [lost], vanished: undefined } : { findings: [], vanished: lost };
}

/** Judges reads of one animal after the first one. */
export async function judgeSeries(s: Session, first: Read, exchanges: readonly Exchange[]): Promise<Series> {
  const missing = exchanges.find((exchange) => answerOf(judgeable(exchange)).status === 404);
  if (missing !== undefined) return judgeFlapping(s, first, missing);
  const reads = exchanges.map((exchange) => ({ exchange, pet: petOf(exchange) }));
  // get.identity judges a different animal.
  const own = reads.filter(({ pet }) => pet.id === first.pet.id);
  return { findings: changes(s, [first, ...own]), vanished: undefined };
}
