import type { Context, Parts } from '../core/parts.ts';
import { Problem } from '../core/problem.ts';
import { problemReply } from '../core/replies.ts';
import { empty, type Fault, type FaultNeeds, fault, few, writing } from './fault.ts';
import { crash, crashIf, every, header, pause } from './helpers.ts';

const clause = 'errors.no-server-error';

function crashWhen(name: string, summary: string, condition: (context: Context) => boolean, needs?: FaultNeeds): Fault {
  return fault(name, clause, summary, (parts) => crashIf(parts, condition), needs);
}

function crashOnName(name: string, summary: string, condition: (text: string) => boolean): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    insert: (store, pet) => (condition(pet.name) ? crash() : parts.insert(store, pet)),
  });
  return fault(name, clause, summary, replace, writing);
}

function limitText({ call }: Context): string {
  return call.operation === 'listPets' ? (call.query.get('limit') ?? '20') : '20';
}

/** Requests that crash the server: 500 with an Error body. */
export const serverErrorFaults: readonly Fault[] = [
  crashOnName('quote-in-name-crashes', 'A single quote in the name breaks the SQL statement.', (text) => text.includes("'")),
  crashOnName('double-quote-in-name-crashes', 'A double quote in the name breaks the query document.', (text) => text.includes('"')),
  crashOnName('backslash-in-name-crashes', 'A backslash in the name breaks the statement.', (text) => text.includes('\\')),
  crashOnName('emoji-in-name-crashes', 'The column is three-byte UTF-8: an emoji answers 500.', (text) =>
    /[\u{10000}-\u{10FFFF}]/u.test(text),
  ),
  crashOnName('nul-in-name-crashes', 'The database takes no U+0000: 500.', (text) => text.includes('\0')),
  crashOnName('lone-surrogate-in-name-crashes', 'Half a surrogate pair cannot be encoded: 500.', (text) => !text.isWellFormed()),
  crashOnName('long-name-crashes', 'A name above 255 characters does not fit its column: 500.', (text) => text.length > 255),
  crashOnName('very-long-name-crashes', 'A name above 4000 characters does not fit its column: 500.', (text) => text.length > 4000),
  crashOnName('empty-name-crashes', 'An empty name crashes in name[0].toUpperCase().', (text) => text === ''),
  crashOnName('format-in-name-crashes', 'The name is used as a format: %s and %n crash.', (text) => /%[sdnx]/.test(text)),
  crashOnName(
    'property-name-crashes',
    'Names are keys of a plain object: constructor, toString and __proto__ crash.',
    (text) => text in {},
  ),
  fault(
    'duplicate-name-crashes',
    clause,
    'The unique index on name is not handled: a taken name answers 500.',
    (parts) => ({
      insert: (store, pet) => (store.animals.some(({ name }) => name === pet.name) ? crash() : parts.insert(store, pet)),
    }),
    writing,
  ),
  fault(
    'negative-category-crashes',
    clause,
    'A negative categoryId breaks the unsigned column: 500.',
    (parts) => ({
      insert: (store, pet) => (pet.categoryId < 0n ? crash() : parts.insert(store, pet)),
    }),
    writing,
  ),
  fault(
    'unknown-category-crashes',
    clause,
    'A categoryId that does not exist breaks the foreign key: 500.',
    (parts) => ({
      insert: (store, pet) => (pet.categoryId > 1000n || pet.categoryId < 1n ? crash() : parts.insert(store, pet)),
    }),
    writing,
  ),
  crashWhen('limit-not-a-number-crashes', 'limit=abc crashes in the database.', (context) => !/^-?\d+(\.\d+)?$/.test(limitText(context))),
  crashWhen('limit-negative-crashes', 'A negative limit crashes in the database.', (context) => limitText(context).startsWith('-')),
  crashWhen('limit-zero-crashes', 'limit=0 divides by zero.', (context) => limitText(context) === '0'),
  crashWhen('limit-huge-crashes', 'A limit beyond 32 bits crashes.', (context) => Number(limitText(context)) > 2 ** 31),
  crashWhen('limit-repeated-crashes', 'limit given twice is an array, and crashes.', ({ call }) => call.query.getAll('limit').length > 1),
  crashWhen(
    'status-unknown-crashes',
    'An unknown status filter crashes in Enum.valueOf().',
    ({ call }) => !['available', 'pending', 'sold', null].includes(call.query.get('status')),
  ),
  crashWhen('lower-case-scheme-crashes', 'The scheme word in lower case is not found, and the missing token crashes.', ({ call }) =>
    header(call, 'authorization').startsWith('bearer '),
  ),
  crashWhen('quote-in-id-crashes', 'A quote in petId breaks the SQL statement.', ({ call }) => /'/.test(call.petId)),
  crashWhen(
    'empty-store-crashes',
    'A list of an empty store crashes.',
    ({ call, store }) => call.operation === 'listPets' && store.animals.length === 0,
    empty,
  ),
  crashWhen(
    'no-content-type-crashes',
    'A POST without Content-Type crashes.',
    ({ call }) => call.operation === 'createPet' && header(call, 'content-type') === '',
    writing,
  ),
  fault('every-25th-request-crashes', clause, 'Every twenty-fifth request crashes.', (parts) => {
    const turn = every(25);
    return crashIf(parts, () => turn());
  }),
  fault(
    'every-9th-creation-crashes',
    clause,
    'Every ninth creation runs into a deadlock: 500.',
    (parts) => {
      const turn = every(9);
      return crashIf(parts, ({ call }) => call.operation === 'createPet' && turn());
    },
    writing,
  ),
  fault(
    'every-8th-read-crashes',
    clause,
    'Every eighth read of an animal crashes.',
    (parts) => {
      const turn = every(8);
      return crashIf(parts, ({ call }) => call.operation === 'getPet' && turn());
    },
    few,
  ),
  fault('overload-crashes', clause, 'More than five requests at a time exhaust the pool: 500.', (parts) => {
    let open = 0;
    return {
      dispatch: async (context) => {
        open += 1;
        try {
          if (open > 5) crash();
          await pause(10);
          return await parts.dispatch(context);
        } finally {
          open -= 1;
        }
      },
    };
  }),
  fault(
    'create-put-off-for-ever',
    clause,
    'The breaker in front of the store never closes again: creations are answered 503 with Retry-After.',
    () => ({
      createPet: (context) => problemReply(context, new Problem(503, 'unavailable', 'Try again later', { 'retry-after': '1' })),
    }),
    { ...few, writes: true },
  ),
];
