import type { Socket } from 'node:net';
import { readListQuery } from '../../src/reference/core/base.ts';
import { isInt64, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  notFound,
  type Parts,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import type { Pet, Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';

/** The base creation, and the animal that it stored, if it did. */
async function creation(parts: Parts, context: Context): Promise<{ readonly reply: Reply; readonly stored: Pet | undefined }> {
  let stored: Pet | undefined;
  const insert: Parts['insert'] = (store, pet) => {
    stored = pet;
    return parts.insert(store, pet);
  };
  const reply = await parts.createPet(withParts(context, { insert }));
  return { reply, stored };
}

/** Answers otherwise once some animals have been stored. */
const afterStoring =
  (answer: (pet: Pet, context: Context) => Problem | undefined): Patch =>
  (parts) => ({
    createPet: async (context) => {
      const { reply, stored } = await creation(parts, context);
      const problem = stored === undefined ? undefined : answer(stored, context);
      return problem === undefined ? reply : problemReply(context, problem);
    },
  });

/** The same request with another status filter; undefined for none. */
function withFilter(context: Context, status: string | undefined): Context {
  const query = new URLSearchParams(context.call.query);
  query.delete('status');
  if (status !== undefined) query.set('status', status);
  return { ...context, call: { ...context.call, query } };
}

/** Rewrites the JSON text of every response. */
const rewritten =
  (change: (text: string) => string): Patch =>
  (parts) => ({
    encode: (value) => change(Buffer.from(parts.encode(value)).toString('utf8')),
  });

// What witnesses share.
const post = (ask: Ask, body: unknown) =>
  ask({ method: 'POST', path: '/pets', body: typeof body === 'string' ? body : JSON.stringify(body) });
const all = (ask: Ask) => ask({ path: '/pets?limit=100' });
const animal = { name: 'Waldo', categoryId: 1 } as const;
const idIn = ({ text }: HttpResponse): string => /"id":(-?\d+)/.exec(text)?.[1] ?? 'none';
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { name?: unknown }).name;
const recordsIn = ({ status, text }: HttpResponse): readonly Pet[] => (status === 200 ? (JSON.parse(text) as Pet[]) : []);
const statusesIn = (response: HttpResponse) => new Set(recordsIn(response).map(({ status }) => status));

/** Adds animals one after the other. */
async function add(ask: Ask, count: number): Promise<readonly HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await post(ask, { ...animal, name: `Waldo${'abcdefghij'[index % 10]}` }));
  return responses;
}

// What single rows need.
const LARGEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const isUnsafe = ({ categoryId }: Pet): boolean => categoryId > LARGEST_SAFE || categoryId < -LARGEST_SAFE;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // State that outlives a request.
  {
    name: 'global-regex-remembers-a-wide-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'A JavaScript service asks WIDE.test(name) whether it needs UTF-8 or may take the fast path for Latin-1. WIDE has the flag /g and keeps lastIndex: of two names with one umlaut at the front, the second is searched from the middle and stored as U+FFFD.',
    patch: (parts) => {
      const wide = /[\u0080-\uffff]/g;
      return {
        readName: (value) => {
          const name = parts.readName(value);
          return name instanceof Problem || wide.test(name) ? name : Buffer.from(name, 'latin1').toString('utf8');
        },
      };
    },
    witness: async (ask) => {
      const first = await post(ask, { ...animal, name: 'Über' });
      const second = await post(ask, { ...animal, name: 'Über' });
      return nameIn(first) === 'Über' && nameIn(second) !== 'Über';
    },
  },
  {
    name: 'default-argument-keeps-status-error',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'create.status-optional',
    summary:
      'def validate(body, errors={}): Python makes the dictionary once. Each check removes or sets its field; the one of status is skipped when there is none. After a creation with a wrong status, those without a status are 400 until one has a good status.',
    patch: (parts) => {
      let kept: Problem | undefined;
      return {
        readStatus: (value) => {
          if (value === undefined) return kept;
          const status = parts.readStatus(value);
          kept = status instanceof Problem ? status : undefined;
          return status;
        },
      };
    },
    witness: async (ask) => {
      const before = await post(ask, animal);
      await post(ask, { ...animal, status: 'lost' });
      const after = await post(ask, animal);
      const healed = await post(ask, { ...animal, status: 'sold' });
      return before.status === 201 && after.status === 400 && healed.status === 201;
    },
  },
  {
    name: 'thread-local-filter-after-a-rejection',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.complete',
    summary:
      'The filter lies in a ThreadLocal that the handler removes on its last line, not in a finally. A list with a status and a limit that is refused leaves it there: the next list of this thread without a status is filtered.',
    patch: (parts) => {
      let held: string | undefined;
      return {
        listPets: async (context) => {
          const status = parts.parseStatus(context.call.query.getAll('status'));
          if (status instanceof Problem) return problemReply(context, status);
          held = status ?? held;
          const reply = await parts.listPets(withFilter(context, held));
          if (reply.status === 200) held = undefined;
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold&limit=many' });
      const [next, later] = [await all(ask), await all(ask)];
      return statusesIn(next).size === 1 && statusesIn(later).size === 3;
    },
  },
  {
    name: 'shared-simpledateformat',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'The Sunset header of getPet is written with a static SimpleDateFormat. It has one Calendar, which each format() call clears and sets: of two reads at once, one shows the first of January 1970.',
    patch: (parts) => {
      let running = 0;
      return {
        getPet: async (context) => {
          running += 1;
          const others = running > 1;
          await pause(10);
          const overlapped = others || running > 1;
          running -= 1;
          const reply = await parts.getPet(context);
          return overlapped ? { ...reply, headers: { ...reply.headers, sunset: 'Thu, 01 Jan 1970 00:00:00 GMT' } } : reply;
        },
      };
    },
    witness: async (ask) => {
      const alone = await ask({ path: '/pets/1' });
      const together = await Promise.all([1, 2, 3, 4].map((id) => ask({ path: `/pets/${id}` })));
      const isRight = ({ headers: { sunset } }: HttpResponse) => sunset?.includes('05 Dec 2030') === true;
      return isRight(alone) && !together.every(isRight);
    },
  },
  {
    name: 'deferred-query-reads-a-field',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'pets.Where(pet => pet.Status == this.filter) of LINQ runs when the response is written, and the lambda captured this of a singleton service: two lists at once are both filtered by what the later one asked for.',
    patch: (parts) => {
      let filter: Status | undefined;
      return {
        listPets: async (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem) return problemReply(context, query);
          filter = query.status;
          await pause(10);
          return parts.listPets(withFilter(context, filter));
        },
      };
    },
    witness: async (ask) => {
      const alone = statusesIn(await ask({ path: '/pets?status=sold' }));
      const [sold, pending] = await Promise.all([ask({ path: '/pets?status=sold' }), ask({ path: '/pets?status=pending' })]);
      return alone.has('sold') && statusesIn(sold).has('sold') !== statusesIn(pending).has('pending');
    },
  },
  {
    name: 'var-of-the-loop-in-late-callbacks',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    clause: 'get.agrees-with-list',
    summary:
      'Categories beyond 2^53 are texts in the database, and the list converts them in callbacks that run after the loop: for (var row of rows) later.push(() => exact(row)). var is one variable: where a page has two of them, both show the category of the last.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const page = parts.page(animals, query, call);
        const categoryId = page.findLast(isUnsafe)?.categoryId;
        return page.map((pet) => (categoryId !== undefined && isUnsafe(pet) ? { ...pet, categoryId } : pet));
      },
    }),
    witness: async (ask) => {
      await post(ask, '{"name":"Waldo","categoryId":9007199254740993}');
      const alone = await all(ask);
      await post(ask, '{"name":"Waldo","categoryId":9007199254740995}');
      return alone.text.includes('9007199254740993') && !(await all(ask)).text.includes('9007199254740993');
    },
  },
  {
    name: 'default-is-set-on-the-copy-of-range',
    sentence: 'The replacement is `GET /pets` with the `status` filter.',
    clause: 'get.agrees-with-list',
    summary:
      'for _, pet := range pets { if pet.Status == "" { pet.Status = "available" } } sets the default on a copy. getPet and createPet set it on what they return. An animal without a status is available there, has no status in the list, and the filter does not find it.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(place === 'list' ? {} : { status: pet.status ?? 'available' }),
      }),
    }),
    witness: async (ask) => {
      const created = await post(ask, animal);
      const filtered = await ask({ path: '/pets?status=available&limit=100' });
      return created.text.includes('"available"') && !filtered.text.includes('Waldo');
    },
  },
  {
    name: 'floating-promise-cannot-encode-a-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'createPet calls notify(pet) without await; it puts encodeURIComponent(name) into an address. For half of a surrogate pair that throws a URIError, nobody handles the rejection, and Node ends the process before the response is written: the connection is closed.',
    patch: afterStoring(({ name }, { call }) => {
      if (/\p{Surrogate}/u.test(name)) (call.connection as Socket).destroy();
      return undefined;
    }),
    witness: async (ask) => {
      const whole = await post(ask, '{"name":"Waldo \\ud83d\\ude00","categoryId":1}');
      const isDropped = await post(ask, '{"name":"Waldo \\ud83d","categoryId":1}').then(
        () => false,
        () => true,
      );
      return whole.status === 201 && isDropped;
    },
  },
];

// Helpers of the variants.
const MIXER = 0x9e3779b97f4a7c15n;

/** The value of a decimal text as BigDecimal reads it, if it is an integer of reasonable size. */
function integralValue(text: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  const digits = `${whole}${fraction}`;
  if (whole === '' || shift > 30) return undefined;
  if (shift >= 0) return BigInt(`${sign}${digits}${'0'.repeat(shift)}`);
  const padded = digits.padStart(1 - shift, '0');
  return /^0*$/.test(padded.slice(shift)) ? BigInt(`${sign}${padded.slice(0, shift)}`) : undefined;
}

/** Reads digits as int() of Python does: signs, spaces around, zeros in front, and underscores between digits. */
function pythonInteger(text: string): string {
  const [, sign = '', digits = ''] = /^\s*([+-]?)(\d+(?:_\d+)*)\s*$/.exec(text) ?? [];
  if (digits === '') return text;
  const plain = digits.replaceAll('_', '').replace(/^0+(?=\d)/, '');
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'range-over-a-go-map-differs-each-time',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'The list ranges over a Go map, whose iteration begins somewhere else each time: no two lists have the same order.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          turn += 1;
          const animals = parts.arrange(store);
          const start = (turn * 5) % Math.max(animals.length, 1);
          return [...animals.slice(start), ...animals.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await ask({ path: '/pets' }), await ask({ path: '/pets' })];
      return first.text !== second.text && recordsIn(first).length === recordsIn(second).length;
    },
  },
  {
    name: 'reverse-in-place-alternates',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'animals.reverse() of JavaScript turns the array of the store itself around: lists begin with the newest and with the oldest by turns, and no animal is lost.',
    patch: () => ({ arrange: (store) => store.animals.reverse() }),
    witness: async (ask) => {
      const ids = async () => recordsIn(await ask({ path: '/pets' })).map(({ id }) => id);
      const [first, second, third] = [await ids(), await ids(), await ids()];
      return first.join() !== second.join() && first.join() === third.join() && first.join() === second.reverse().join();
    },
  },
  {
    name: 'gson-escapes-for-html',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Gson writes <, >, &, = and apostrophes as \\u003c and so on unless it is told not to, here with pretty printing: the texts differ from what was sent, their values do not.',
    patch: (parts) => ({
      ...rewritten((text) =>
        text.replace(/[<>&='\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
      )({ ...parts, encode: (value) => JSON.stringify(value, null, 2) }),
    }),
    witness: async (ask) => {
      const created = await post(ask, { ...animal, name: "<b>Tom & Jerry's</b>" });
      return created.text.includes('\\u0026') && created.text.includes('\n  ') && nameIn(created) === "<b>Tom & Jerry's</b>";
    },
  },
  {
    name: 'json-dumps-within-crlf',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'json.dumps of Python has ensure_ascii on: all that is not ASCII is \\uXXXX, an emoji two of them. print adds a line end, and the template begins with an empty line.',
    patch: rewritten(
      (text) => `\r\n${text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\r\n`,
    ),
    witness: async (ask) => {
      const created = await post(ask, { ...animal, name: 'Zoë 😀' });
      return created.text.startsWith('\r\n') && created.text.includes('\\ud83d\\ude00') && nameIn(created) === 'Zoë 😀';
    },
  },
  {
    name: 'ids-are-wrapped-products',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'nextSeed of a SplittableRandom: a long of Java that wraps. Ids are large, every other one is negative, they do not grow, and they never repeat.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        return BigInt.asIntN(64, store.lastId * MIXER);
      },
    }),
    witness: async (ask) => {
      const ids = (await add(ask, 4)).map((response) => BigInt(idIn(response)));
      return ids.some((id) => id < -LARGEST_SAFE) && ids.some((id) => id > LARGEST_SAFE);
    },
  },
  {
    name: 'filter-is-parsed-ignoring-case',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'Enum.TryParse(text, ignoreCase: true) reads the filter, and where it fails the variable keeps its default, null: SOLD filters, lost does not. Bodies are read by a strict converter.',
    patch: (parts) => ({
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts.slice(-1).map((text) => text.trim().toLowerCase()));
        return status instanceof Problem ? undefined : status;
      },
    }),
    witness: async (ask) => {
      const [upper, unknown] = [await ask({ path: '/pets?status=SOLD' }), await ask({ path: '/pets?status=lost' })];
      return statusesIn(upper).size === 1 && statusesIn(unknown).size === 3;
    },
  },
  {
    name: 'parseint-or-twenty',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'Math.min(parseInt(query.limit) || 20, 100): 7up is 7, 1e2 is 1, many and 0 are 20, 1000 is 100, and what is below 0 becomes an empty page.',
    patch: () => ({
      parseLimit: (texts) => Math.max(Math.min(Number.parseInt(texts.join(), 10) || 20, 100), 0),
    }),
    witness: async (ask) => {
      const lengths = await Promise.all(
        ['7up', '1e2', 'many', '-5'].map(async (text) => recordsIn(await ask({ path: `/pets?limit=${text}` })).length),
      );
      return lengths.join() === '7,1,8,0';
    },
  },
  {
    name: 'limit-lies-in-a-byte',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'uint8(limit) of Go wraps around: 258 is 2, 256 is 0 and an empty page; what is above 100 after that becomes 100.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const [text = ''] = texts;
        const limit = texts.length === 1 ? parseInteger(text) : undefined;
        return limit === undefined ? parts.parseLimit(texts) : Math.min(Number(BigInt.asUintN(8, limit)), 100);
      },
    }),
    witness: async (ask) => {
      const lengths = await Promise.all(
        ['258', '256', '-1'].map(async (text) => recordsIn(await ask({ path: `/pets?limit=${text}` })).length),
      );
      return lengths.join() === '2,0,8';
    },
  },
  {
    name: 'python-int-reads-path-and-limit',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'int() of Python takes +1, 0001, 1_0 and spaces around for numbers, in the path and in limit. What it does not take is no animal: 404.',
    patch: (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.map(pythonInteger)),
      parseId: (text) => {
        const id = parts.parseId(pythonInteger(text));
        return id instanceof Problem ? notFound() : id;
      },
    }),
    witness: async (ask) => {
      const padded = await ask({ path: '/pets/+0_01' });
      return padded.status === 200 && idIn(padded) === '1' && (await ask({ path: '/pets/one' })).status === 404;
    },
  },
  {
    name: 'omitempty-drops-what-was-not-given',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'Status string `json:"status,omitempty"`: an animal that was created without a status has none, is shown without the member, and no filter finds it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const created = await post(ask, animal);
      const shown = await ask({ path: `/pets/${idIn(created)}` });
      return created.status === 201 && shown.status === 200 && !shown.text.includes('"status"');
    },
  },
  {
    name: 'class-names-in-records-and-codes',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Default typing of a Java serializer: each record begins with @class and has a version. Codes are names of exceptions, the message has the lines of a stack trace, and a cause is null.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({ '@class': 'com.example.Pet', ...parts.petRecord(pet, place), version: 0, tags: [] }),
      errorRecord: ({ code, message, status }) => ({
        '@class': 'com.example.ApiError',
        status,
        message: `${message}\n\tat com.example.Pets.handle(Pets.java:${status})`,
        code: `com.example.${code.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}Exception`,
        cause: null,
      }),
    }),
    witness: async (ask) => {
      const missing = await ask({ path: '/pets/999999' });
      return missing.text.includes('com.example.NotFoundException') && (await ask({ path: '/pets/1' })).text.includes('"@class"');
    },
  },
  {
    name: 'categories-are-an-enumeration',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'Category.fromId(id) loops over the values of a Java enum, which are the categories that the store has had from the start, and throws where there is none: 422, with an Error body.',
    patch: (parts) => ({
      createPet: async (context) => {
        const known = new Set(context.store.animals.map(({ categoryId }) => categoryId));
        let refused: Problem | undefined;
        const readCategory: Parts['readCategory'] = (value) => {
          const category = parts.readCategory(value);
          if (category instanceof Problem || known.has(category) || known.size === 0) return category;
          refused = new Problem(422, 'unknown_category', `No enum constant Category.${category}`);
          return refused;
        };
        return await parts.createPet(withParts(context, { readCategory }));
      },
    }),
    witness: async (ask) => {
      const [{ categoryId } = animal] = recordsIn(await ask({ path: '/pets' }));
      const created = await post(ask, { name: 'Waldo', categoryId: Number(categoryId) });
      return created.status === 201 && (await post(ask, { name: 'Waldo', categoryId: 987654 })).status === 422;
    },
  },
  {
    name: 'name-length-in-one-to-twenty-units',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'require(name.length in 1..20) of Kotlin counts units of UTF-16, an emoji twice: 20 letters pass, 11 emoji do not. names.add(name) of a HashSet is false for a name that is there: 409.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        const isRefused = typeof name === 'string' && (name.length < 1 || name.length > 20);
        return isRefused ? invalid('Failed requirement: name.length in 1..20', 'invalid_name') : name;
      },
      createPet: (context) => {
        const names = new Set(context.store.animals.map(({ name }) => name));
        const readNewPet: Parts['readNewPet'] = (body, current) => {
          const pet = parts.readNewPet(body, current);
          const isTaken = !(pet instanceof Problem) && names.has(pet.name);
          return isTaken ? new Problem(409, 'name_taken', 'Another animal has this name') : pet;
        };
        return parts.createPet(withParts(context, { readNewPet }));
      },
    }),
    witness: async (ask) => {
      const statuses: number[] = [];
      for (const name of ['a'.repeat(20), 'a'.repeat(21), '😀'.repeat(10), '😀'.repeat(11), '', 'Waldo', 'Waldo'])
        statuses.push((await post(ask, { ...animal, name })).status);
      return statuses.join() === '201,400,201,400,400,201,409';
    },
  },
  {
    name: 'snapshot-of-a-copy-on-write-list',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'Lists are made from an immutable copy, which is renewed when it is older than 400 milliseconds: a new animal is readable at once and listed a little later.',
    patch: (parts) => {
      let [copy, madeAt]: [readonly Pet[], number] = [[], Number.NEGATIVE_INFINITY];
      return {
        arrange: (store) => {
          if (performance.now() - madeAt > 400) [copy, madeAt] = [[...parts.arrange(store)], performance.now()];
          return copy;
        },
      };
    },
    witness: async (ask) => {
      await all(ask);
      await post(ask, animal);
      const soon = await all(ask);
      await pause(450);
      return !soon.text.includes('Waldo') && (await all(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'bigdecimal-reads-integral-spellings',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary:
      'new BigDecimal(text).longValueExact(): 1.0, 10e-1 and 0.1e1 are category 1, and shown as 1. 1.5 is refused, and so is what leaves int64.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = value instanceof NumberText ? integralValue(value.text) : undefined;
        return category === undefined || !isInt64(category) ? parts.readCategory(value) : category;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, '{"name":"Waldo","categoryId":0.10e1}');
      const refused = await post(ask, '{"name":"Waldo","categoryId":1.5}');
      return created.status === 201 && created.text.includes('"categoryId":1,') && refused.status === 400;
    },
  },
];

/** Services whose defects come from the semantics and the standard libraries of programming languages. */
export const languages: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
