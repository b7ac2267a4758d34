import { failOr, pass } from '../../src/clause/halt.ts';
import { petsOf, statusOf, wrongStatus } from '../../src/expect/expect.ts';
import { schemaProblems } from '../../src/schema/validators.ts';
import { defineClause, type SuiteClause } from '../../suites/define.ts';

const common = { section: '1. List animals', likelyCause: 'none', fault: 'list-forbidden', step: 'read', given: ['animal'] } as const;

/** A few clauses that stay as they are: the probe is tested on what it does with verdicts, not on the suites. */
export const sampleClauses: readonly SuiteClause[] = [
  defineClause({
    id: 'list.success',
    chapter: 'list-pets',
    level: 'required',
    quote: ['a sentence of the document'],
    requirement: 'GET /pets with the key is answered 200 with Pets',
    ...common,
    checks: [
      {
        ...common,
        id: 'plain',
        title: 'The list is answered 200',
        smoke: true,
        async run(session) {
          const exchange = await session.api.list({ limit: 5 });
          return failOr(
            [wrongStatus(exchange, [200], 'a list')],
            pass(`${statusOf(exchange) === 200 ? petsOf(exchange).length : 0} animals`),
          );
        },
      },
      {
        ...common,
        id: 'not-in-the-selection',
        title: 'A check that is no smoke check does not run',
        async run(session) {
          return failOr([wrongStatus(await session.api.list(), [599], 'a list')], pass(''));
        },
      },
      {
        ...common,
        id: 'writes',
        title: 'A check that writes does not run, whatever it says of smoke',
        smoke: true,
        effect: 'write',
        async run(session) {
          await session.fixtures.create();
          return pass('');
        },
      },
    ],
  }),
  defineClause({
    id: 'get.success',
    chapter: 'get-pet',
    level: 'required',
    quote: ['a sentence of the document'],
    requirement: 'an existing animal is answered 200',
    ...common,
    checks: [
      {
        ...common,
        id: 'plain',
        title: 'An existing animal is answered 200',
        smoke: true,
        async run(session) {
          const pet = await session.fixtures.existing();
          return failOr([wrongStatus(await session.api.get(pet.id), [200], 'an existing animal')], pass('one animal'));
        },
      },
    ],
  }),
  defineClause({
    id: 'record.pets',
    chapter: 'records',
    level: 'required',
    quote: ['a sentence of the document'],
    requirement: 'a list satisfies Pets',
    ...common,
    invariants: [
      {
        id: 'schema',
        title: 'A list satisfies Pets',
        fault: 'list-forbidden',
        judge({ request, outcome }) {
          if (request.intent.operation !== 'listPets' || outcome.kind === 'failed' || outcome.answer.status !== 200)
            return 'not-applicable';
          const wrong = !outcome.answer.json.ok || schemaProblems('pets', outcome.answer.json.value).length > 0;
          return wrong ? { summary: 'the list is no Pets', expected: ['Pets'], received: 'something else' } : 'holds';
        },
      },
    ],
  }),
];
