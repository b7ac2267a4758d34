import { isObject, type Json, NumberText, parseJson } from '../core/json.ts';
import type { Context, Parts, Reply } from '../core/parts.ts';
import type { NewPet } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault, writing } from './fault.ts';
import { crash, isProblem, rewriteIf } from './helpers.ts';

const json = 'create.body-json';
const object = 'create.body-object';
const refusedStores = 'create.refused-stores-nothing';

/** Tries another reading of a body that is not JSON. */
function repair(name: string, summary: string, change: (text: string) => string | undefined): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    readBody: (bytes, call) => {
      const body = parts.readBody(bytes, call);
      const text = isProblem(body) ? change(new TextDecoder().decode(bytes)) : undefined;
      if (text === undefined) return body;
      try {
        return parseJson(text);
      } catch {
        return body;
      }
    },
  });
  return fault(name, json, summary, replace, writing);
}

/** Takes something that is no object for one. */
function accept(name: string, summary: string, change: (body: Json) => Json | undefined): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    readNewPet: (body, all) => parts.readNewPet((isObject(body) ? undefined : change(body)) ?? body, all),
  });
  return fault(name, object, summary, replace, writing);
}

/** Crashes on bodies that are no NewPet. */
function crashOn(name: string, summary: string, condition: (body: Json) => boolean): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    readNewPet: (body, all) => (condition(body) ? crash() : parts.readNewPet(body, all)),
  });
  return fault(name, 'errors.no-server-error', summary, replace, writing);
}

function firstJson(text: string): string | undefined {
  return /^\s*\{[^{}]*\}/.exec(text)?.[0];
}

const standIn: Json = { name: 'Rex', categoryId: new NumberText('1') };

/** Bodies that are not JSON, and accepted or refused otherwise than with 400. */
export const createBodyFaults: readonly Fault[] = [
  repair('trailing-garbage-accepted', 'Whatever follows the first JSON value is not read.', firstJson),
  repair('cut-off-json-repaired', 'A body that ends early is completed by a closing brace.', (text) =>
    text.trim().startsWith('{') ? `${text.replace(/,\s*$/, '')}}` : undefined,
  ),
  repair('single-quotes-accepted', 'Single quotes are accepted.', (text) => text.replaceAll("'", '"')),
  repair('trailing-comma-accepted', 'A comma before the closing brace is accepted.', (text) => text.replace(/,\s*}/g, '}')),
  repair('unquoted-members-accepted', 'Member names without quotes are accepted: JSON5.', (text) =>
    text.replace(/([{,]\s*)(\w+)\s*:/g, '$1"$2":'),
  ),
  repair('comments-accepted', 'Comments are accepted.', (text) => text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')),
  repair('nan-accepted', 'NaN and Infinity are accepted as 0.', (text) => text.replace(/-?\b(NaN|Infinity)\b/g, '0')),
  repair('leading-zeros-accepted', 'Numbers with leading zeros are accepted.', (text) => text.replace(/:\s*0+(\d)/g, ':$1')),
  repair('form-body-accepted', 'A form body (name=…&categoryId=…) is accepted under application/json.', (text) => {
    const form = new URLSearchParams(text);
    return form.has('name') ? `{"name":${JSON.stringify(form.get('name'))},"categoryId":${form.get('categoryId') ?? '1'}}` : undefined;
  }),
  repair('empty-body-accepted', 'A POST without a body creates a nameless animal.', (text) =>
    text === '' ? '{"name":"","categoryId":1}' : undefined,
  ),
  repair('not-json-accepted', 'A body that is not JSON becomes the name of the animal.', (text) =>
    JSON.stringify({ name: text, categoryId: 1 }),
  ),
  fault(
    'not-json-crashes',
    'errors.no-server-error',
    'A body that is not JSON crashes the parser: 500.',
    (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return isProblem(body) && bytes.byteLength > 0 ? crash() : body;
      },
    }),
    writing,
  ),
  fault(
    'first-piece-of-body-read',
    'create.success',
    'Only what comes first of a body is read, whatever Content-Length says.',
    (parts) => ({ readBody: (bytes, call) => parts.readBody(bytes.subarray(0, call.firstPiece()), call) }),
    writing,
  ),
  fault(
    'empty-body-crashes',
    'errors.no-server-error',
    'A POST without a body crashes: 500.',
    (parts) => ({
      readBody: (bytes, call) => (bytes.byteLength === 0 ? crash() : parts.readBody(bytes, call)),
    }),
    writing,
  ),
  fault(
    'not-json-unsupported-media-type',
    json,
    'A body that is not JSON is answered 415.',
    (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return isProblem(body) ? new Problem(415, 'unsupported_media_type', 'Send JSON') : body;
      },
    }),
    writing,
  ),
  fault(
    'empty-body-length-required',
    json,
    'A POST without a body is answered 411.',
    (parts) => ({
      readBody: (bytes, call) =>
        bytes.byteLength === 0 ? new Problem(411, 'length_required', 'Send a body') : parts.readBody(bytes, call),
    }),
    writing,
  ),
];

/** JSON that is no object. */
export const createBodyObjectFaults: readonly Fault[] = [
  accept('array-body-unwrapped', 'Of an array the first NewPet is created.', (body) =>
    Array.isArray(body) ? (body[0] as Json) : undefined,
  ),
  accept('array-body-accepted', 'An array creates a stand-in: it has no members, and nobody looks.', (body) =>
    Array.isArray(body) ? standIn : undefined,
  ),
  accept('text-body-accepted', 'A JSON text is taken for the name.', (body) =>
    typeof body === 'string' ? { ...standIn, name: body } : undefined,
  ),
  accept('null-body-accepted', 'null creates a stand-in.', (body) => (body === null ? standIn : undefined)),
  accept('number-body-accepted', 'A number is taken for the category.', (body) => (body instanceof NumberText ? standIn : undefined)),
  accept('true-body-accepted', 'true creates a stand-in.', (body) => (body === true ? standIn : undefined)),
  fault(
    'text-body-decoded-twice',
    object,
    'A JSON text that holds JSON is decoded once more.',
    (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return typeof body === 'string' ? parts.readBody(Buffer.from(body || standInText), call) : body;
      },
      readNewPet: (body, all) => parts.readNewPet(typeof body === 'string' ? standIn : body, all),
    }),
    writing,
  ),
  crashOn('null-body-crashes', 'The body null crashes the server.', (body) => body === null),
  crashOn('array-body-crashes', 'An array body crashes the server.', Array.isArray),
  crashOn('deep-body-crashes', 'A body of arrays in each other overflows the stack of the parser.', (body) => depthOf(body) > 900),
  crashOn('text-body-crashes', 'A body that is a JSON text crashes the server.', (body) => typeof body === 'string'),
  crashOn('number-body-crashes', 'A body that is a number crashes the server.', (body) => body instanceof NumberText),
  crashOn(
    'nested-member-crashes',
    'An unknown member that holds an object crashes the object mapper.',
    (body) => isObject(body) && Object.values(body).some((value) => isObject(value)),
  ),
  crashOn(
    'prototype-member-crashes',
    'A member called __proto__ or constructor crashes the server.',
    (body) => isObject(body) && (Object.hasOwn(body, '__proto__') || Object.hasOwn(body, 'constructor')),
  ),
];

function depthOf(body: Json): number {
  let depth = 0;
  for (let inner: Json | undefined = body; Array.isArray(inner); inner = inner[0]) depth += 1;
  return depth;
}

const standInText = '{"name":"Rex","categoryId":1}';

/** Stores something, then refuses with 400. */
function storeRefused(name: string, summary: string, judge: (body: Json, refusal: Problem) => NewPet | undefined): Fault {
  const replace = (parts: Parts): Partial<Parts> => {
    const createPet = async (context: Context): Promise<Reply> => {
      const readNewPet: Parts['readNewPet'] = (body, all) => {
        const newPet = parts.readNewPet(body, all);
        const stored = isProblem(newPet) ? judge(body, newPet) : undefined;
        if (stored !== undefined) {
          context.store.animals.push({ ...stored, id: parts.assignId(context.store, body), createdAt: Date.now() });
        }
        return newPet;
      };
      return await parts.createPet({ ...context, parts: { ...context.parts, readNewPet } });
    };
    return { createPet };
  };
  return fault(name, refusedStores, summary, replace, writing);
}

function nameOf(body: Json): string {
  return isObject(body) && typeof body['name'] === 'string' ? body['name'] : '';
}

/** Refused creations that are stored all the same. */
export const createRefusedFaults: readonly Fault[] = [
  storeRefused('refused-creation-stored', 'Validation comes after the insert: whatever is refused is stored.', (body) => ({
    name: nameOf(body),
    categoryId: 1n,
    status: 'available',
  })),
  storeRefused('refused-status-stored', 'A bad status is refused after the insert.', (body, { code }) =>
    code === 'invalid_status' ? { name: nameOf(body), categoryId: 1n } : undefined,
  ),
  storeRefused('refused-category-stored', 'A bad categoryId is refused after the insert.', (body, { code }) =>
    code === 'invalid_category' ? { name: nameOf(body), categoryId: 0n } : undefined,
  ),
  storeRefused('refused-name-stored', 'A bad name is refused after the insert.', (_body, { code }) =>
    code === 'invalid_name' ? { name: '', categoryId: 1n } : undefined,
  ),
  fault(
    'refusal-answered-200',
    'create.name-required',
    'A refused body is answered 200 with an Error body.',
    (parts) =>
      rewriteIf(
        parts,
        (reply, { call }) => call.operation === 'createPet' && reply.status === 400,
        () => ({ status: 200 }),
      ),
    writing,
  ),
];
