import { describe, expect, test } from 'vitest';
import { FOLLOW_UP } from '../../src/oracle/contrast/follow-up-evidence.ts';
import { eventOf } from '../../src/oracle/world.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { breakParts, defectCalled } from '../prove/grid/defects.ts';
import { judgeReference, judgeServer, startParts } from '../prove/judge-reference.ts';

const READ_AFTER_A_FILTERED_LIST = 'get: ends with a comma in the JSON (after a filtered list)';
const CREATION_AFTER_A_FILTERED_LIST = 'create: returns 202 (after a filtered list)';

/** The findings of a run on a server with the defect, and the requests that it repeats to find out more. */
async function judged(name: string | undefined, session: Partial<SessionOptions> = {}) {
  const { parts } = breakParts(name === undefined ? undefined : defectCalled(name), { clock: { now: () => Date.now() } });
  const asked: Exchange[] = [];
  const { records, created } = await judgeServer(() => startParts(parts, { seedAnimals: 8 }), {
    session: { consistencyWindow: 400, ...session },
    onExchange: (exchange) => {
      if (Object.values(FOLLOW_UP).some((asker) => asker === exchange.request.asker)) asked.push(exchange);
    },
  });
  const failed = records.filter(({ verdict }) => verdict === 'fail');
  return { asked, created, contrasts: failed.map(({ clause, contrast }) => [clause, contrast] as const) };
}

describe('a run that can not tell when a clause is broken', () => {
  test('repeats requests with a wrong response, after pauses and in company, and reports what that shows', async () => {
    const { asked, contrasts } = await judged(READ_AFTER_A_FILTERED_LIST);
    expect(contrasts).not.toEqual([]);
    for (const [clause, contrast] of contrasts) {
      expect(clause).toBe('media.well-formed');
      expect(contrast).toMatchObject({ asked: true, elsewhere: { broken: 0 } });
      expect(contrast?.when).toBe('right after GET /pets with a status');
    }
    expect(asked.length).toBeLessThan(90);
    // Requests sent in company create nothing.
    expect(asked.filter(({ outcome }) => outcome.kind === 'answered' && outcome.answer.status === 201)).toEqual([]);
  });

  test('pauses as long as before the one wrong response', async () => {
    const { records } = await judgeReference({ faults: ['first-after-idle-second-crashes'], seedAnimals: 8 });
    const contrasts = records.flatMap(({ verdict, contrast }) => (verdict === 'fail' ? [contrast] : []));
    expect(contrasts.map((contrast) => contrast?.asked)).toEqual([true]);
    expect(contrasts[0]?.when).toMatch(/^after 1\.\d s or more without any request$/);
  });

  test('investigates a creation with new animals, within the budget, and sends no creation twice', async () => {
    // How many of the usual 250 are left for this depends on what else the run has created.
    const { asked, created, contrasts } = await judged(CREATION_AFTER_A_FILTERED_LIST, { maxCreates: 300 });
    expect(contrasts.map(([clause, contrast]) => [clause, contrast?.when])).toContainEqual([
      'create.success',
      'right after GET /pets with a status',
    ]);
    const bodies = asked
      .filter(({ request: { asker, method } }) => method === 'POST' && asker === FOLLOW_UP.again)
      .map(({ request: { body } }) => body);
    expect(bodies.length).toBeGreaterThan(4);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(created).toBeLessThanOrEqual(300);
  });

  test('divides a name that the service changes until few characters are left', async () => {
    const { records, created } = await judgeReference({ faults: ['stored-name-tabs-expanded'], seedAnimals: 8 });
    const contrasts = records.flatMap(({ verdict, contrast }) => (verdict === 'fail' ? [contrast] : []));
    expect(contrasts).toMatchObject([{ when: 'with a tab in the name', asked: true, elsewhere: { broken: 0 } }]);
    expect(created).toBeLessThanOrEqual(250);
  });

  test('sends each header otherwise, where nearly every creation is wrong', async () => {
    const { contrasts } = await judged('create: the 201 has the name in capitals (with Accept: application/json)');
    expect(contrasts).toMatchObject([
      ['create.answer', { when: 'with `accept: application/json`', asked: true, elsewhere: { broken: 0 } }],
    ]);
  });

  test('reads what it creates, where 201s do not show what is wrong', async () => {
    const { asked, contrasts } = await judged('create: stores the name in small letters, and shows what was sent (a body with line ends)');
    const expected = { when: 'with a body with white space in its JSON', asked: true, elsewhere: { broken: 0 } };
    expect(contrasts.map(([clause]) => clause)).toContain('record.same-animal');
    for (const [, contrast] of contrasts) expect(contrast).toMatchObject(expected);
    // Each creation that was asked about, right before its read.
    const events = asked.map(eventOf);
    const created = events.filter(
      ({ asker, pet, intent }) => asker === FOLLOW_UP.again && intent.operation === 'createPet' && pet !== undefined,
    );
    const wasRead = (id: bigint | undefined): boolean => events.some(({ intent }) => intent.operation === 'getPet' && intent.petId === id);
    expect(created.length).toBeGreaterThan(4);
    expect(created.filter(({ pet }) => wasRead(pet?.id)).length).toBeGreaterThan(4);
  });

  test('creates none beyond the budget', async () => {
    const { created } = await judged(CREATION_AFTER_A_FILTERED_LIST, { maxCreates: 40 });
    expect(created).toBeLessThanOrEqual(40);
  });
});

test('animals that are wrong in the store say how they were created, whichever response shows it', async () => {
  const { contrasts } = await judged('create: stores category 1, and shows what was sent (an id that five divides)');
  expect(contrasts.map(([clause]) => clause)).toContain('record.same-animal');
  for (const [, contrast] of contrasts)
    expect(contrast).toMatchObject({ when: 'for ids that 5 divides', unit: 'animal', elsewhere: { broken: 0 } });
});

test.each([
  ['a conforming server', undefined, {}],
  ['a run that only reads', READ_AFTER_A_FILTERED_LIST, { readOnly: true, intrusive: false }],
] as const)('%s gets no more requests', async (_case, name, session) => {
  expect((await judged(name, session)).asked).toEqual([]);
});
