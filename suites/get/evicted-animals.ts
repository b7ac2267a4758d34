import type { Finding } from '../../src/clause/outcome.ts';
import { finding } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { readExisting } from './reading.ts';

const STRANGERS = 8;
const LEAST_GONE = 5;

/**
 * Animals that the first list showed and that are all gone at the end of the run. Other areas of the service may be able to remove
 * some; that none of several is left after the run added its own is not an accident.
 */
export async function judgeEvicted(s: Session): Promise<Finding | undefined> {
  const pets = await s.fixtures.recognized();
  const others = pets.filter(({ id }) => !s.knowledge.created.has(String(id)));
  const step = Math.max(1, Math.floor(others.length / STRANGERS));
  const watched = others.filter((_unused, index) => index % step === 0).slice(0, STRANGERS);
  const gone: Exchange[] = [];
  for (const { id } of watched) {
    const reading = await readExisting(s, id);
    if (reading.kind !== 'gone') return undefined;
    gone.push(reading.exchange);
  }
  const [first, ...rest] = gone;
  if (first === undefined || gone.length < LEAST_GONE) return undefined;
  return finding([first, ...rest], {
    summary: `${gone.length} animals in the first list of the run are all gone after ${s.knowledge.created.size} creations`,
    expected: ['creations leave other animals in the store'],
    received: `404 for each of the ${gone.length}`,
  });
}
