import { isObject, type Json, NumberText } from '../../core/json.ts';
import type { Patch } from '../../core/parts.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';

const STAND_IN: Json = { name: 'Rex', categoryId: new NumberText('1') };
const STAND_IN_TEXT = '{"name":"Rex","categoryId":1}';

/** Accepts something other than an object as one. */
function accept(change: (body: Json) => Json | undefined): Patch {
  return (parts) => ({ readNewPet: (body, all) => parts.readNewPet((isObject(body) ? undefined : change(body)) ?? body, all) });
}

/** JSON that is not an object and is accepted. */
export const createBodyObject = faultsOf(needing(WRITES, 'create.body-object'), {
  'array-body-unwrapped': [
    'The first NewPet of an array is created.',
    accept((body) => (Array.isArray(body) ? (body[0] as Json) : undefined)),
  ],
  'array-body-accepted': [
    'An array creates a placeholder animal: nobody checks its type.',
    accept((body) => (Array.isArray(body) ? STAND_IN : undefined)),
  ],
  'text-body-accepted': [
    'A JSON string is used as the name.',
    accept((body) => (typeof body === 'string' ? { ...STAND_IN, name: body } : undefined)),
  ],
  'null-body-accepted': ['null creates a placeholder animal.', accept((body) => (body === null ? STAND_IN : undefined))],
  'number-body-accepted': ['A number is used as the category.', accept((body) => (body instanceof NumberText ? STAND_IN : undefined))],
  'true-body-accepted': ['true creates a placeholder animal.', accept((body) => (body === true ? STAND_IN : undefined))],
  'text-body-decoded-twice': [
    'A JSON string that holds JSON is decoded once more.',
    (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return typeof body === 'string' ? parts.readBody(Buffer.from(body || STAND_IN_TEXT), call) : body;
      },
      readNewPet: (body, all) => parts.readNewPet(typeof body === 'string' ? STAND_IN : body, all),
    }),
  ],
});
