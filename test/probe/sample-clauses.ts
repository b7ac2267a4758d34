import type { Event } from '../../src/oracle/event.ts';
import { schemaProblems } from '../../src/schema/validators.ts';
import { describeRequest } from '../../src/session/expect.ts';
import type { Operation } from '../../src/wire/exchange.ts';
import { defineRules, type SuiteClause } from '../../suites/define.ts';

const common = { level: 'required', section: '1. List animals', quote: ['a sentence of the document'], likelyCause: 'none' } as const;
const kind = { step: 'read', fault: 'list-forbidden' } as const;

/** A request of that operation with the key returns 200. */
function succeeds(operation: Operation) {
  return {
    layer: 'status',
    judge({ intent, exchange, status }: Event) {
      if (intent.operation !== operation || status === undefined) return 'not-applicable';
      if (status === 200) return 'holds';
      return { summary: `${describeRequest(exchange)} returned ${status}`, expected: ['200'], received: String(status) };
    },
  } as const;
}

/** A few clauses that never change: the tests are about what the probe does with verdicts, not about the suites. */
export const sampleClauses: readonly SuiteClause[] = [
  defineRules({
    ...common,
    id: 'list.success',
    chapter: 'list-pets',
    requirement: 'GET /pets with the key is answered 200 with Pets',
    rules: [succeeds('listPets')],
    sent: [
      { ...kind, id: 'plain', title: 'The list is answered 200', smoke: true, send: ({ api }) => api.list({ limit: 5 }) },
      { ...kind, id: 'not-in-the-selection', title: 'A check that is no smoke check does not run', send: ({ api }) => api.list() },
      {
        ...kind,
        id: 'writes',
        title: 'A check that writes does not run, whatever it says of smoke',
        smoke: true,
        effect: 'write',
        send: ({ fixtures }) => fixtures.create(),
      },
    ],
  }),
  defineRules({
    ...common,
    id: 'get.success',
    chapter: 'get-pet',
    requirement: 'an existing animal is answered 200',
    rules: [succeeds('getPet')],
    sent: [
      {
        ...kind,
        id: 'plain',
        title: 'An existing animal is answered 200',
        smoke: true,
        needs: ['readable'],
        send: ({ api }, { readable }) => api.get(readable.id),
      },
    ],
  }),
  defineRules({
    ...common,
    id: 'record.pets',
    chapter: 'records',
    requirement: 'a list satisfies Pets',
    rules: [
      {
        layer: 'schema',
        judge({ intent, answer }) {
          if (intent.operation !== 'listPets' || answer?.status !== 200) return 'not-applicable';
          const wrong = !answer.json.ok || schemaProblems('pets', answer.json.value).length > 0;
          return wrong ? { summary: 'the list is no Pets', expected: ['Pets'], received: 'something else' } : 'holds';
        },
      },
    ],
    met: [{ id: 'schema', title: 'A list satisfies Pets', fault: 'list-forbidden' }],
  }),
];
