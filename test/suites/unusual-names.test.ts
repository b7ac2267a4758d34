import { expect, test } from 'vitest';
import { Problem } from '../../src/reference/core/parts.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { CHARACTER_NAMES } from '../../suites/cases/unusual-names.ts';
import { createUnusualNames } from '../../suites/create/unusual-names.clause.ts';
import { breakParts } from '../prove/grid/defects.ts';
import { judgeServer, startParts } from '../prove/judge-reference.ts';

const CHARACTERS = 'create.unusual-names/characters';

test('where a service rejects what a name begins and ends with, the name follows without it', async () => {
  const { parts } = breakParts(undefined, { clock: { now: () => Date.now() } });
  const reject = (name: unknown): boolean => typeof name === 'string' && /^[!-/:-@[-_{-~]/.test(name);
  const readName: typeof parts.readName = (name) =>
    reject(name) ? new Problem(400, 'invalid_name', 'a name begins with a letter') : parts.readName(name);
  const sent: Exchange[] = [];
  const { records } = await judgeServer(() => startParts({ ...parts, readName }, { seedAnimals: 8 }), {
    judged: [{ ...createUnusualNames, checks: createUnusualNames.checks.filter(({ id }) => id === CHARACTERS) }],
    onExchange: (exchange) => sent.push(exchange),
  });
  expect(records.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const creations = sent.filter(({ request: { asker, method } }) => asker === CHARACTERS && method === 'POST');
  const notesOf = (status: number) =>
    creations.flatMap(({ request, outcome }) =>
      outcome.kind === 'answered' && outcome.answer.status === status ? [request.intent.bodyNote] : [],
    );
  const within = CHARACTER_NAMES.flatMap((name) => name.within ?? []);
  expect(within.length).toBeGreaterThan(15);
  for (const { what } of within) expect(notesOf(201)).toContain(`with ${what}`);
  expect(notesOf(400).length).toBeGreaterThanOrEqual(within.length);
});
