import type { Asked, Kind } from './asked.ts';

/** When a defect shows. */
export type Condition = (asked: Asked) => boolean;
export type Conditions = Readonly<Record<string, Condition>>;

const header = (asked: Asked, name: string): string => String(asked.call.headers[name] ?? '');

/** Position in the order of requests. */
const ORDER: Conditions = {
  always: () => true,
  'every 2nd': ({ turn }) => turn % 2 === 0,
  'every 7th': ({ turn }) => turn % 7 === 0,
  'every 19th': ({ turn }) => turn % 19 === 0,
  'every 40th': ({ turn }) => turn % 40 === 0,
  'one of the first three': ({ turn }) => turn <= 3,
  'from the 30th on': ({ turn }) => turn >= 30,
  'every 50th request of any kind': ({ number }) => number % 50 === 0,
  'from the 500th request of any kind on': ({ number }) => number >= 500,
};

/** What happened just before, or happens at the same time. */
const COMPANY: Conditions = {
  'after a list': ({ before }) => before?.operation === 'listPets',
  'after a creation': ({ before }) => before?.operation === 'createPet' && before.status === 201,
  'after a read': ({ before }) => before?.operation === 'getPet',
  'after a filtered list': ({ before }) => before?.operation === 'listPets' && before.target.includes('status='),
  'after a rejection': ({ before }) => before !== undefined && before.status >= 400,
  'after a 400': ({ before }) => before?.status === 400,
  'after a 401': ({ before }) => before?.status === 401,
  'after a 404': ({ before }) => before?.status === 404,
  'after the same target': ({ before, call }) => before?.target === call.target,
  'after a pause of 100 ms': ({ pause }) => pause >= 100,
  'without any pause': ({ pause }) => pause <= 1,
  'with another request under way': ({ underWay }) => underWay >= 1,
  'with three others under way': ({ underWay }) => underWay >= 3,
};

/** The connection and the client. */
const CLIENT: Conditions = {
  'first on its connection': ({ onConnection }) => onConnection === 1,
  'second on its connection': ({ onConnection }) => onConnection === 2,
  'every 3rd on its connection': ({ onConnection }) => onConnection % 3 === 0,
  'from the 20th on its connection on': ({ onConnection }) => onConnection >= 20,
  'with Accept: application/json': (asked) => header(asked, 'accept') === 'application/json',
  'with another Accept, or none': (asked) => header(asked, 'accept') !== 'application/json',
  'with Accept-Encoding': (asked) => header(asked, 'accept-encoding') !== '',
  'without Accept-Encoding': (asked) => header(asked, 'accept-encoding') === '',
  'without User-Agent': (asked) => header(asked, 'user-agent') === '',
};

/** The number of animals. */
const STORE: Conditions = {
  'a store of 10 to 14': ({ store }) => store.animals.length >= 10 && store.animals.length <= 14,
  'a store of at most 20': ({ store }) => store.animals.length <= 20,
  'a store of more than 20': ({ store }) => store.animals.length > 20,
  'a store of more than 60': ({ store }) => store.animals.length > 60,
  'a store of more than 100': ({ store }) => store.animals.length > 100,
  'an even store': ({ store }) => store.animals.length % 2 === 0,
};

const limitOf = ({ call }: Asked): number => Number(call.query.get('limit') ?? 0);

const LIST: Conditions = {
  'no parameters': ({ call }) => call.query.size === 0,
  'no limit': ({ call }) => !call.query.has('limit'),
  'limit 1': (asked) => limitOf(asked) === 1,
  'limit 2 to 5': (asked) => limitOf(asked) >= 2 && limitOf(asked) <= 5,
  'limit 20': (asked) => limitOf(asked) === 20,
  'limit 40 to 45': (asked) => limitOf(asked) >= 40 && limitOf(asked) <= 45,
  'limit over 50': (asked) => limitOf(asked) > 50,
  'limit 100': (asked) => limitOf(asked) === 100,
  'an odd limit': (asked) => limitOf(asked) % 2 === 1,
  'status available': ({ query }) => query?.status === 'available',
  'status pending': ({ query }) => query?.status === 'pending',
  'status sold': ({ query }) => query?.status === 'sold',
  'no status': ({ query }) => query?.status === undefined,
  'status without limit': ({ query, call }) => query?.status !== undefined && !call.query.has('limit'),
  'status and limit': ({ query, call }) => query?.status !== undefined && call.query.has('limit'),
  'status before limit': ({ call }) => [...call.query.keys()].join() === 'status,limit',
  'a page with room': ({ query, matching }) => matching < (query?.limit ?? 0),
  'a full page': ({ query, matching }) => matching >= (query?.limit ?? 0),
  'as many animals as the limit': ({ query, matching }) => matching === query?.limit,
  'more than 30 animals': ({ query, matching }) => Math.min(matching, query?.limit ?? 0) > 30,
  'at most two animals': ({ query, matching }) => Math.min(matching, query?.limit ?? 0) <= 2,
};

/** Only names and categories that any service accepts: letters of other scripts, and unused categories, may be rejected. */
const CREATE: Conditions = {
  'no status': ({ newPet }) => newPet?.status === undefined,
  'status available': ({ newPet }) => newPet?.status === 'available',
  'status pending': ({ newPet }) => newPet?.status === 'pending',
  'status sold': ({ newPet }) => newPet?.status === 'sold',
  'the same status as before': ({ newPet, lastNewPet }) => newPet?.status === lastNewPet?.status,
  'the same category as before': ({ newPet, lastNewPet }) => newPet?.categoryId === lastNewPet?.categoryId,
  'another category than before': ({ newPet, lastNewPet }) => lastNewPet !== undefined && newPet?.categoryId !== lastNewPet.categoryId,
  'a name of at most 8 letters': ({ newPet }) => (newPet?.name.length ?? 0) <= 8,
  'a name of more than 15 letters': ({ newPet }) => (newPet?.name.length ?? 0) > 15,
  'a name with b': ({ newPet }) => /b/.test(newPet?.name ?? ''),
  'a name with a capital': ({ newPet }) => /[A-Z]/.test(newPet?.name ?? ''),
  'a name that ends in a vowel': ({ newPet }) => /[aeiou]$/i.test(newPet?.name ?? ''),
  'a longer name than before': ({ newPet, lastNewPet }) => (newPet?.name.length ?? 0) > (lastNewPet?.name.length ?? 99),
  'an even category': ({ newPet }) => (newPet?.categoryId ?? 1n) % 2n === 0n,
  'a category of at least 4': ({ newPet }) => (newPet?.categoryId ?? 0n) >= 4n,
  'categoryId written first': ({ text }) => /^\s*\{\s*"categoryId"/.test(text),
  'status written before name': ({ text }) => /"status"[\s\S]*"name"/.test(text),
  'a body with line ends': ({ text }) => text.includes('\n'),
  'a body of more than 60 bytes': ({ text }) => text.length > 60,
  'an id that five divides': ({ store }) => (store.lastId + 1n) % 5n === 0n,
  'an id of two digits': ({ store }) => store.lastId + 1n >= 10n && store.lastId + 1n <= 99n,
  'an id of three digits': ({ store }) => store.lastId + 1n >= 100n,
};

const GET: Conditions = {
  'every third id': ({ pet }) => (pet?.id ?? 1n) % 3n === 0n,
  'an odd id': ({ pet }) => (pet?.id ?? 0n) % 2n === 1n,
  'an id of one digit': ({ call }) => call.petId.length === 1,
  'an id of three digits': ({ call }) => call.petId.length === 3,
  'the newest': ({ pet, store }) => pet === store.animals.at(-1),
  'one of the newest ten': ({ pet, store }) => pet !== undefined && store.animals.slice(-10).includes(pet),
  'the oldest': ({ pet, store }) => pet === store.animals[0],
  'the first read': ({ reads }) => reads === 1,
  'the second read': ({ reads }) => reads === 2,
  'from the fourth read on': ({ reads }) => reads >= 4,
  'an available one': ({ pet }) => pet?.status === 'available',
  'a pending one': ({ pet }) => pet?.status === 'pending',
  'a sold one': ({ pet }) => pet?.status === 'sold',
  'one of an even category': ({ pet }) => (pet?.categoryId ?? 1n) % 2n === 0n,
  'one with a name of more than 12 letters': ({ pet }) => (pet?.name.length ?? 0) > 12,
  'one that was there from the start': ({ age }) => age === Number.POSITIVE_INFINITY,
  'one created since the start': ({ age }) => age !== Number.POSITIVE_INFINITY,
  'one older than a second': ({ age }) => age > 1_000 && age !== Number.POSITIVE_INFINITY,
  'one younger than 100 ms': ({ age }) => age < 100,
};

const authorization = (asked: Asked): string => header(asked, 'authorization');
const credential = (asked: Asked): string => /^bearer +(.*)$/i.exec(authorization(asked))?.[1] ?? '';
const isRejected = (asked: Asked, status: number): boolean => asked.problem?.status === status;

const REJECT: Conditions = {
  'a list': ({ call }) => call.operation === 'listPets',
  'a creation': ({ call }) => call.operation === 'createPet',
  'a read': ({ call }) => call.operation === 'getPet',
  'a 400': (asked) => isRejected(asked, 400),
  'a 401': (asked) => isRejected(asked, 401),
  'a 404': (asked) => isRejected(asked, 404),
  'no credential': (asked) => isRejected(asked, 401) && authorization(asked) === '',
  'a wrong key': (asked) => isRejected(asked, 401) && credential(asked) !== '',
  'a wrong key of more than 20 letters': (asked) => isRejected(asked, 401) && credential(asked).length > 20,
  'an empty key': (asked) => isRejected(asked, 401) && /^bearer *$/i.test(authorization(asked)),
  'another scheme': (asked) => isRejected(asked, 401) && /^(?!bearer\b)\S+/i.test(authorization(asked)),
  'no credential and a status': (asked) => isRejected(asked, 401) && asked.call.query.has('status'),
  'no name': (asked) => asked.problem?.code === 'invalid_name' && !asked.text.includes('"name"'),
  'a name that is no text': (asked) => asked.problem?.code === 'invalid_name' && asked.text.includes('"name"'),
  'no categoryId': (asked) => asked.problem?.code === 'invalid_category' && !asked.text.includes('"categoryId"'),
  'a categoryId that is text': (asked) => asked.problem?.code === 'invalid_category' && /"categoryId"\s*:\s*"/.test(asked.text),
  'a categoryId with a fraction': (asked) => asked.problem?.code === 'invalid_category' && /"categoryId"\s*:\s*-?\d+\.\d/.test(asked.text),
  'an unknown status': (asked) => asked.problem?.code === 'invalid_status' && /"status"\s*:\s*"/.test(asked.text),
  'a status that is no text': (asked) => asked.problem?.code === 'invalid_status' && !/"status"\s*:\s*"/.test(asked.text),
  'a body that is no JSON': (asked) => asked.problem?.code === 'invalid_json' && asked.text !== '',
  'no body': (asked) => asked.problem?.code === 'invalid_json' && asked.text === '',
  'a body that is no object': (asked) => asked.problem?.code === 'invalid_body',
  'an id that is the next': (asked) => isRejected(asked, 404) && BigInt(asked.call.petId) === asked.store.lastId + 1n,
  'an id beyond 32 bits': (asked) => isRejected(asked, 404) && BigInt(asked.call.petId) > 2n ** 32n,
  'id 0 or less': (asked) => isRejected(asked, 404) && BigInt(asked.call.petId) <= 0n,
};

const EVERYWHERE: Conditions = { ...ORDER, ...COMPANY, ...CLIENT, ...STORE };

/** All conditions, by the kind of the request. They are only added to: `fingerprints.jsonl` records when each of them is met in the walk. */
export const CONDITIONS: Readonly<Record<Kind, Conditions>> = {
  list: { ...EVERYWHERE, ...LIST },
  create: { ...EVERYWHERE, ...CREATE },
  get: { ...EVERYWHERE, ...GET },
  reject: { ...EVERYWHERE, ...REJECT },
};
