import { isObject, type Json, member } from '../core/json.ts';
import type { Call, Context, Parts } from '../core/parts.ts';
import type { NewPet } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import { removePet } from '../core/store.ts';
import { type Fault, fault, writing } from './fault.ts';
import { header, isProblem } from './helpers.ts';

const refusedStores = 'create.refused-stores-nothing';
const answer = 'create.answer';

const KNOWN = ['id', 'name', 'categoryId', 'status'];
const LONGEST_NAME = 200;

function hasUnknown(body: Json): boolean {
  return isObject(body) && Object.keys(body).some((member) => !KNOWN.includes(member));
}

type Asked = { readonly newPet: NewPet; readonly body: Json; readonly call: Call };

/** Replaces the reader of NewPet by one that sees the whole request. */
function reading(parts: Parts, change: (asked: Asked, context: Context) => NewPet | Problem): Partial<Parts> {
  return {
    createPet: (context) => {
      const readNewPet: Parts['readNewPet'] = (body, all) => {
        const newPet = parts.readNewPet(body, all);
        return isProblem(newPet) ? newPet : change({ newPet, body, call: context.call }, context);
      };
      return parts.createPet({ ...context, parts: { ...context.parts, readNewPet } });
    },
  };
}

/** Stores what the document lets it refuse, and refuses then. */
function storeRefused(name: string, summary: string, status: number, refuses: (asked: Asked) => boolean): Fault {
  const replace = (parts: Parts): Partial<Parts> =>
    reading(parts, (asked, { store }) => {
      if (!refuses(asked)) return asked.newPet;
      const shown = asked.newPet.status ?? parts.defaultStatus();
      store.animals.push({ ...asked.newPet, status: shown, id: parts.assignId(store, asked.body), createdAt: Date.now() });
      return new Problem(status, 'refused', 'The animal is not accepted');
    });
  return fault(name, refusedStores, summary, replace, writing);
}

/** What is open may be refused, and then nothing is stored. */
const refusedFaults: readonly Fault[] = [
  storeRefused('refused-unknown-member-stored', 'An unknown member is refused behind the insert.', 400, ({ body }) => hasUnknown(body)),
  storeRefused('refused-client-id-stored', 'An id in the body is refused behind the insert.', 400, ({ body }) =>
    Boolean(isObject(body) && Object.hasOwn(body, 'id')),
  ),
  storeRefused(
    'refused-media-type-stored',
    'Another media type is refused with 415 by a filter that runs behind the handler.',
    415,
    ({ call }) => !header(call, 'content-type').includes('json'),
  ),
  storeRefused(
    'refused-negative-category-stored',
    'A foreign key refuses a negative category, and the animal was committed before.',
    400,
    ({ newPet }) => newPet.categoryId < 0n,
  ),
  storeRefused(
    'refused-long-name-stored',
    'A long name is refused with 413 behind the insert.',
    413,
    ({ newPet }) => newPet.name.length > LONGEST_NAME,
  ),
  fault(
    'refused-status-removes-newest',
    refusedStores,
    'The rollback of a creation with a bad status deletes the newest animal, which is another one.',
    (parts) => ({
      createPet: (context) => {
        const readStatus: Parts['readStatus'] = (value) => {
          const status = parts.readStatus(value);
          const newest = context.store.animals.at(-1);
          if (isProblem(status) && newest !== undefined) removePet(context.store, newest);
          return status;
        };
        return parts.createPet({ ...context, parts: { ...context.parts, readStatus } });
      },
    }),
    writing,
  ),
];

/** What is open may succeed, and then it is a creation like any other. */
const acceptedFaults: readonly Fault[] = [
  fault(
    'duplicate-name-answered-200',
    'create.success',
    'A creation of a name that is taken is stored and answered 200, as if it were an update.',
    (parts) => ({
      createPet: (context) => {
        let taken = false;
        const insert: Parts['insert'] = (store, pet) => {
          taken = store.animals.some(({ name }) => name === pet.name);
          return parts.insert(store, pet);
        };
        const createdStatus = () => (taken ? 200 : parts.createdStatus());
        return parts.createPet({ ...context, parts: { ...context.parts, insert, createdStatus } });
      },
    }),
    writing,
  ),
  fault(
    'duplicate-name-answers-existing-as-created',
    'create.id-assigned',
    'A NewPet that is there already is not stored again; the animal there is answered 201.',
    (parts) => ({
      insert: (store, pet) => {
        const same = store.animals.find((other) => other.name === pet.name && other.categoryId === pet.categoryId);
        return same ?? parts.insert(store, pet);
      },
    }),
    writing,
  ),
  fault(
    'creation-stored-twice',
    'create.id-assigned',
    'The request handler is registered twice, and each creation is stored twice.',
    (parts) => ({
      insert: async (store, pet) => {
        const stored = await parts.insert(store, pet);
        await parts.insert(store, { ...pet, id: parts.assignId(store, null) });
        return stored;
      },
    }),
    writing,
  ),
  fault(
    'duplicate-name-gets-number',
    answer,
    'A name that is taken gets a number behind it: "Rex" becomes "Rex-2".',
    (parts) => ({
      insert: (store, pet) =>
        parts.insert(store, store.animals.some(({ name }) => name === pet.name) ? { ...pet, name: `${pet.name}-2` } : pet),
    }),
    writing,
  ),
  fault(
    'unknown-member-drops-status',
    answer,
    'With an unknown member the lenient mapper steps in, which does not know the status.',
    (parts) => reading(parts, ({ newPet, body }) => (hasUnknown(body) ? { ...newPet, status: undefined } : newPet)),
    writing,
  ),
  fault(
    'unknown-member-folds-name',
    answer,
    'With an unknown member the lenient mapper steps in, which folds names to small letters.',
    (parts) => reading(parts, ({ newPet, body }) => (hasUnknown(body) ? { ...newPet, name: newPet.name.toLowerCase() } : newPet)),
    writing,
  ),
  fault(
    'client-id-text-adopted',
    'create.id-not-adopted',
    'An id that is a text of digits slips through the filter for numbers and is taken.',
    (parts) => ({
      assignId: (store, body) => {
        const id = isObject(body) ? member(body, 'id') : undefined;
        return typeof id === 'string' && /^\d{1,19}$/.test(id) ? BigInt(id) : parts.assignId(store, body);
      },
    }),
    writing,
  ),
  fault(
    'client-id-cuts-name',
    answer,
    'A creation with an id takes the path of updates, where the name is cut to ten characters.',
    (parts) =>
      reading(parts, ({ newPet, body }) =>
        isObject(body) && member(body, 'id') !== undefined ? { ...newPet, name: newPet.name.slice(0, 10) } : newPet,
      ),
    writing,
  ),
];

/** Creations of which the document leaves open whether they succeed. */
export const createOpenFaults: readonly Fault[] = [...refusedFaults, ...acceptedFaults];
