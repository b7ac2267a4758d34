import { isObject, type Json } from '../../core/json.ts';
import type { Parts, Patch } from '../../core/parts.ts';
import type { NewPet } from '../../core/pet.ts';
import { Problem } from '../../core/problem.ts';
import { addPet, removePet } from '../../core/store.ts';
import { withParts } from '../../core/with-parts.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { type Asked, hasUnknownMember, readWith } from '../helpers/creations.ts';
import { header, isProblem } from '../helpers/requests.ts';

const LONGEST_NAME = 200;

/** Stores something, then rejects with 400. */
function storeRejected(judge: (body: Json, rejection: Problem) => NewPet | undefined): Patch {
  return (parts) => ({
    createPet: async (context) => {
      const readNewPet: Parts['readNewPet'] = (body, all) => {
        const newPet = parts.readNewPet(body, all);
        const stored = isProblem(newPet) ? judge(body, newPet) : undefined;
        if (stored !== undefined) {
          addPet(context.store, { ...stored, id: parts.assignId(context.store, body), createdAt: Date.now() });
        }
        return newPet;
      };
      return await parts.createPet(withParts(context, { readNewPet }));
    },
  });
}

/** Stores what the document allows it to reject, and then rejects it. */
function storeThenReject(status: number, rejects: (asked: Asked) => boolean): Patch {
  return (parts) =>
    readWith((asked, { store }) => {
      if (!rejects(asked)) return asked.newPet;
      const shown = asked.newPet.status ?? parts.defaultStatus();
      addPet(store, { ...asked.newPet, status: shown, id: parts.assignId(store, asked.body), createdAt: Date.now() });
      return new Problem(status, 'refused', 'The animal is not accepted');
    })(parts);
}

function nameOf(body: Json): string {
  return isObject(body) && typeof body['name'] === 'string' ? body['name'] : '';
}

/** Rejected creations that are stored, or remove an animal. */
export const createRefusedStoresNothing = faultsOf(needing(WRITES, 'create.refused-stores-nothing'), {
  'refused-creation-stored': [
    'Validation comes after the insert: every rejected body is stored.',
    storeRejected((body) => ({ name: nameOf(body), categoryId: 1n, status: 'available' })),
  ],
  'refused-status-stored': [
    'A bad status is rejected after the insert.',
    storeRejected((body, { code }) => (code === 'invalid_status' ? { name: nameOf(body), categoryId: 1n } : undefined)),
  ],
  'refused-category-stored': [
    'A bad categoryId is rejected after the insert.',
    storeRejected((body, { code }) => (code === 'invalid_category' ? { name: nameOf(body), categoryId: 0n } : undefined)),
  ],
  'refused-name-stored': [
    'A bad name is rejected after the insert.',
    storeRejected((_body, { code }) => (code === 'invalid_name' ? { name: '', categoryId: 1n } : undefined)),
  ],
  'refused-unknown-member-stored': [
    'An unknown member is rejected after the insert.',
    storeThenReject(400, ({ body }) => hasUnknownMember(body)),
  ],
  'refused-client-id-stored': [
    'An id in the body is rejected after the insert.',
    storeThenReject(400, ({ body }) => Boolean(isObject(body) && Object.hasOwn(body, 'id'))),
  ],
  'refused-media-type-stored': [
    'A filter that runs after the handler rejects other media types with 415.',
    storeThenReject(415, ({ call }) => !header(call, 'content-type').includes('json')),
  ],
  'refused-negative-category-stored': [
    'A foreign key rejects a negative category after the animal was committed.',
    storeThenReject(400, ({ newPet }) => newPet.categoryId < 0n),
  ],
  'refused-long-name-stored': [
    'A long name is rejected with 413 after the insert.',
    storeThenReject(413, ({ newPet }) => newPet.name.length > LONGEST_NAME),
  ],
  'refused-status-removes-newest': [
    'The rollback of a creation with a bad status deletes the newest animal, which is a different one.',
    (parts) => ({
      createPet: (context) => {
        const readStatus: Parts['readStatus'] = (value) => {
          const status = parts.readStatus(value);
          const newest = context.store.animals.at(-1);
          if (isProblem(status) && newest !== undefined) removePet(context.store, newest);
          return status;
        };
        return parts.createPet(withParts(context, { readStatus }));
      },
    }),
  ],
});
