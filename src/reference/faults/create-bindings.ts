import { isObject, type Json } from '../core/json.ts';
import type { Context, Parts } from '../core/parts.ts';
import { isStatus, type Status, statuses } from '../core/pet.ts';
import { invalid } from '../core/problem.ts';
import { type Fault, fault, writing } from './fault.ts';
import { crash, isAnswer, isProblem, rewriteIf, storeName, storePetSilently } from './helpers.ts';

type Members = { readonly [member: string]: Json };

const PIECE = 65_536;

/** Reads a body as if its members were others. */
function rebound(change: (body: Members) => Members): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ readNewPet: (body, all) => parts.readNewPet(isObject(body) ? change(body) : body, all) });
}

/** Refuses bodies of which the text has something that says nothing. */
function refuseText(pattern: RegExp): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    readBody: (bytes, call) =>
      pattern.test(new TextDecoder().decode(bytes)) ? invalid('the body is malformed') : parts.readBody(bytes, call),
  });
}

/** What is kept for each connection. */
function perConnection<Value>(): (context: Context) => { get(): Value | undefined; set(value: Value | undefined): void } {
  const kept = new WeakMap<object, Value | undefined>();
  return ({ call: { connection } }) => ({ get: () => kept.get(connection), set: (value) => void kept.set(connection, value) });
}

/** Bodies that a framework binds otherwise than they are written, and what one request leaves behind for the next. */
export const createBindingFaults: readonly Fault[] = [
  fault(
    'category-in-snake-case-accepted',
    'create.category-required',
    'The mapper takes category_id for categoryId.',
    rebound((body) => ('category_id' in body && !('categoryId' in body) ? { ...body, categoryId: body['category_id'] ?? null } : body)),
    writing,
  ),
  fault(
    'category-overridden-by-snake-case',
    'create.answer',
    'The mapper knows categoryId by two names, and the second one wins.',
    rebound((body) => ('category_id' in body ? { ...body, categoryId: body['category_id'] ?? null } : body)),
    writing,
  ),
  fault(
    'name-overridden-by-capital',
    'create.answer',
    'Letter case is nothing to the mapper, and the last member wins: Name goes before name.',
    rebound((body) => (typeof body['Name'] === 'string' ? { ...body, name: body['Name'] } : body)),
    writing,
  ),
  fault(
    'status-by-ordinal-accepted',
    'create.status-invalid',
    'The enum mapper takes the place of a value, as a text, for the value.',
    rebound((body) => {
      const status = statuses[Number(body['status'] === '' ? NaN : body['status'])];
      return typeof body['status'] === 'string' && status !== undefined ? { ...body, status } : body;
    }),
    writing,
  ),
  fault(
    'status-inherited-by-objects-accepted',
    'create.status-invalid',
    'The status is looked up by "in" in an object: constructor and toString are there.',
    rebound((body) => {
      const { status } = body;
      return typeof status === 'string' && !isStatus(status) && status in {} ? { ...body, status: 'available' } : body;
    }),
    writing,
  ),
  fault(
    'status-with-nul-crashes',
    'errors.no-server-error',
    'U+0000 in a status crashes the driver of the database.',
    rebound((body) => (String(body['status']).includes('\0') ? crash() : body)),
    writing,
  ),
  fault(
    'extra-member-loses-status',
    'record.same-animal',
    'A body with more than three members is stored by another path, which forgets the status.',
    (parts) => {
      let many = false;
      return {
        readNewPet: (body, all) => {
          many = isObject(body) && Object.keys(body).length > 3;
          return parts.readNewPet(body, all);
        },
        ...storePetSilently(parts, (pet) => (many ? { ...pet, status: 'available' } : pet)),
      };
    },
    writing,
  ),
  fault(
    'body-with-status-first-refused',
    'create.success',
    'The body is matched by a pattern that begins with name or category.',
    refuseText(/^\s*\{\s*"status"/),
    writing,
  ),
  fault(
    'escape-in-status-refused',
    'create.success',
    'The status is looked for in the text of the body.',
    refuseText(/"status"\s*:\s*"[^"]*\\u/),
    writing,
  ),
  fault(
    'body-decoded-in-pieces',
    'create.unusual-names',
    'Each piece of the body is decoded by itself: characters that are divided are lost.',
    (parts) => ({
      readBody: (bytes, call) => {
        const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_unused, index) =>
          bytes.subarray(index * PIECE, (index + 1) * PIECE),
        );
        return parts.readBody(Buffer.from(pieces.map((piece) => new TextDecoder().decode(piece)).join('')), call);
      },
    }),
    writing,
  ),
  fault(
    'stored-name-line-end-trimmed',
    'create.unusual-names',
    'The name goes through a reader of lines: tabs and line feeds at its end are lost.',
    (parts) => storeName(parts, (name) => name.replace(/[\t\r\n]+$/, '')),
    writing,
  ),
  fault(
    'stored-name-decoded-where-it-can-be',
    'create.unusual-names',
    'The name is percent-decoded, where it can be.',
    (parts) =>
      storeName(parts, (name) => {
        try {
          return decodeURIComponent(name);
        } catch {
          return name;
        }
      }),
    writing,
  ),
  fault(
    'tab-in-text-accepted',
    'create.body-json',
    'The parser takes control characters in texts.',
    (parts) => ({
      readBody: (bytes, call) => parts.readBody(Buffer.from(new TextDecoder().decode(bytes).replace(/(\w)\t(\w)/g, '$1\\t$2')), call),
    }),
    writing,
  ),
  fault(
    'status-of-refused-sold-or-pending',
    'create.independent',
    'The default object is changed by a refused body that says sold or pending, for good.',
    (parts) => {
      let left: Status | undefined;
      return {
        readNewPet: (body, all) => {
          const newPet = parts.readNewPet(body, all);
          if (isProblem(newPet)) {
            const status = isObject(body) ? body['status'] : undefined;
            if (status === 'sold' || status === 'pending') left = status;
            return newPet;
          }
          return newPet.status === undefined && left !== undefined ? { ...newPet, status: left } : newPet;
        },
      };
    },
    writing,
  ),
  fault(
    'creation-after-refusal-refused-on-connection',
    'create.independent',
    'The errors of a refused body are kept with the connection, and refuse the next one.',
    (parts) => {
      const of = perConnection<boolean>();
      return {
        createPet: async (context) => {
          const bad = of(context);
          const stale = bad.get() === true;
          const reply = await parts.createPet(
            stale ? { ...context, parts: { ...context.parts, readBody: () => invalid('stale') } } : context,
          );
          bad.set(!stale && reply.status === 400);
          return reply;
        },
      };
    },
    writing,
  ),
  fault(
    'name-of-connection-taken',
    'create.independent',
    'The form is kept with the connection: what a body leaves out comes from the one before.',
    (parts) => {
      const of = perConnection<Json>();
      return {
        createPet: (context) => {
          const before = of(context);
          const readNewPet: Parts['readNewPet'] = (body, all) => {
            const name = isObject(body) ? body['name'] : undefined;
            const kept = before.get();
            const whole = isObject(body) && name === undefined && kept !== undefined ? { ...body, name: kept } : body;
            const newPet = parts.readNewPet(whole, all);
            if (!isProblem(newPet)) before.set(newPet.name);
            return newPet;
          };
          return parts.createPet({ ...context, parts: { ...context.parts, readNewPet } });
        },
      };
    },
    writing,
  ),
  fault(
    'redirect-of-refused-for-any',
    'media.json',
    'Whoever accepts anything counts as a browser: what is refused is answered by going back to the form.',
    (parts) =>
      rewriteIf(
        parts,
        (reply, context) => isAnswer('createPet', 400)(reply, context) && context.call.headers.accept === '*/*',
        () => ({ status: 302, headers: { location: '/' }, body: '' }),
      ),
    writing,
  ),
];
