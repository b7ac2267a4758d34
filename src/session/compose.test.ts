import { describe, expect, test } from 'vitest';
import { TABLES } from '../../suites/tables/tables.ts';
import { createComposer, effectsOf, plainNameOf, valueNamed } from './compose.ts';
import type { ComposeContext, Vector } from './vector.ts';

const CONTEXT: ComposeContext = {
  ...{ apiKey: 'pk-7Hq2XvR9sLmT4wZa', seed: 1, rowNumber: 0, runTag: 'abc', categoryId: 3n },
  knownIds: [41n, 42n],
  cookies: [],
};

const compose = createComposer(TABLES);

const bodyOf = (vector: Vector): string => Buffer.from(compose(vector, CONTEXT).body ?? []).toString();

describe('compose', () => {
  test('sends a list as it stands in the document', () => {
    expect(compose({ op: 'list', limit: 37, status: 'sold' }, CONTEXT)).toEqual({
      method: 'GET',
      target: '/pets?limit=37&status=sold',
      headers: [
        ['accept', 'application/json'],
        ['user-agent', 'petstore-conformance'],
        ['authorization', 'Bearer pk-7Hq2XvR9sLmT4wZa'],
      ],
      body: undefined,
      framing: 'length',
      connection: 'kept',
    });
  });

  test('puts every part of a creation in its place', () => {
    const sent = compose(
      {
        op: 'create',
        ...{ name: 'quotes', category: '2147483648', status: 'pending', members: 'color', order: 'reversed' },
        ...{
          client: 'no User-Agent',
          credential: 'none',
          framing: 'chunked',
          path: 'matrix parameter',
          connection: 'fresh',
          type: 'text/plain',
        },
      },
      CONTEXT,
    );
    expect({ ...sent, body: Buffer.from(sent.body ?? []).toString() }).toEqual({
      method: 'POST',
      target: '/pets;v=1',
      headers: [
        ['accept', 'application/json'],
        ['content-type', 'text/plain'],
      ],
      body: `{"color":"brown","status":"pending","categoryId":2147483648,"name":"'ConformanceAbcAaaa \\"double\\" 'single' \`back\` “curly” ‘curly’ «guillemets»'"}`,
      framing: 'chunked',
      connection: 'fresh',
    });
  });

  test('takes numbers for limits, known animals, and rows', () => {
    expect(compose({ op: 'list', limit: 1 }, CONTEXT).target).toBe('/pets?limit=1');
    expect(compose({ op: 'get', id: 1 }, CONTEXT).target).toBe('/pets/42');
    expect(bodyOf({ op: 'create', name: 5 })).toBe(`{"name":"${plainNameOf({ runTag: 'abc', rowNumber: 5 })}","categoryId":3}`);
  });

  test('takes texts that begin with an equals sign for drawn values', () => {
    expect(compose({ op: 'list', limit: '=5 0' }, CONTEXT).target).toBe('/pets?limit=5%200');
    expect(bodyOf({ op: 'create', name: '=>" Zo\\u00eb"', category: '=-7', status: '=true' })).toBe(
      '{"name":"ConformanceAbcAaaa Zoë","categoryId":-7,"status":true}',
    );
  });

  test('sends the cookies of a credential and of a client in one header', () => {
    const { headers } = compose({ op: 'list', credential: 'cookie api_key', client: 'cookies of other services' }, CONTEXT);
    expect(headers.filter(([name]) => name === 'cookie')).toEqual([['cookie', `api_key=${CONTEXT.apiKey}; theme=dark; _ga=GA1.2.3`]]);
  });

  test('rejects a value and a dimension that the tables do not have', () => {
    expect(() => compose({ op: 'list', limit: 'hasOwnProperty' }, CONTEXT)).toThrow('there is no value "hasOwnProperty"');
    expect(() => compose({ op: 'get', limit: 3 } as unknown as Vector, CONTEXT)).toThrow('"get" has no dimension "limit"');
  });
});

describe('effectsOf', () => {
  test('are those of all values, and of the operation', () => {
    expect(effectsOf(TABLES, { op: 'list', limit: 3 })).toEqual(new Set(['read']));
    expect(effectsOf(TABLES, { op: 'list', credential: 'header x-api-key' })).toEqual(new Set(['intrusive', 'read']));
    expect(effectsOf(TABLES, { op: 'create', credential: 'header x-api-key' })).toEqual(new Set(['intrusive', 'write']));
  });
});

describe('valueNamed', () => {
  test('is the usual value where a row names none', () => {
    expect(valueNamed(TABLES.list.credential)).toBe(TABLES.list.credential.values['valid']);
  });
});
