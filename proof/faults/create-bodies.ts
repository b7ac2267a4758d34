// Invalid bodies that are accepted, or rejected otherwise than with 400.

import { INT64_RANGE, isInt64, isObject, type Json, NumberText, parseJson } from '../../src/reference/core/json.ts';
import { type Patch, Problem } from '../../src/reference/core/parts.ts';
import { isStatus, STATUSES, type Status } from '../../src/reference/core/store.ts';
import { faultsOf, needing, WRITES } from './fault.ts';
import {
  digits,
  fillIn,
  inAnyLetterCase,
  invalidBodies,
  keptAsSent,
  lenientCategory,
  lenientName,
  oddNumber,
  rebind,
  rejectedWith,
} from './patches/creations.ts';
import { header, isProblem, isReplyTo, rewriteIf } from './patches/exchanges.ts';

/** Tries another reading of a body that is not JSON. */
function repair(change: (text: string) => string | undefined): Patch {
  return (parts) => ({
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
}

function firstJson(text: string): string | undefined {
  return /^\s*\{[^{}]*\}/.exec(text)?.[0];
}

/** Bodies that are not JSON and are accepted, or rejected with a status other than 400. */
export const createBodyJson = faultsOf(needing(WRITES, 'create.body-json'), {
  'tab-in-text-accepted': [
    'The parser accepts control characters in strings.',
    (parts) => ({
      readBody: (bytes, call) => parts.readBody(Buffer.from(new TextDecoder().decode(bytes).replace(/(\w)\t(\w)/g, '$1\\t$2')), call),
    }),
  ],
  'trailing-garbage-accepted': ['Everything after the first JSON value is ignored.', repair(firstJson)],
  'cut-off-json-repaired': [
    'A body that ends early is completed with a closing brace.',
    repair((text) => (text.trim().startsWith('{') ? `${text.replace(/,\s*$/, '')}}` : undefined)),
  ],
  'single-quotes-accepted': ['Single quotes are accepted.', repair((text) => text.replaceAll("'", '"'))],
  'trailing-comma-accepted': ['A comma before the closing brace is accepted.', repair((text) => text.replace(/,\s*}/g, '}'))],
  'unquoted-members-accepted': [
    'Member names without quotes are accepted: JSON5.',
    repair((text) => text.replace(/([{,]\s*)(\w+)\s*:/g, '$1"$2":')),
  ],
  'comments-accepted': ['Comments are accepted.', repair((text) => text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, ''))],
  'nan-accepted': ['NaN and Infinity are accepted as 0.', repair((text) => text.replace(/-?\b(NaN|Infinity)\b/g, '0'))],
  'leading-zeros-accepted': ['Numbers with leading zeros are accepted.', repair((text) => text.replace(/:\s*0+(\d)/g, ':$1'))],
  'ignored-member-not-parsed': [
    'A streaming parser skips the value of a member that it does not know up to the end of the object, without parsing it.',
    repair((text) => text.replace(/,\s*"note"\s*:(?!\s*"[^"]*"\s*\}).*\}$/s, '}')),
  ],
  'form-body-accepted': [
    'A form body (name=…&categoryId=…) sent as application/json is accepted.',
    repair((text) => {
      const form = new URLSearchParams(text);
      return form.has('name') ? `{"name":${JSON.stringify(form.get('name'))},"categoryId":${form.get('categoryId') ?? '1'}}` : undefined;
    }),
  ],
  'empty-body-accepted': [
    'A POST without a body creates a nameless animal.',
    repair((text) => (text === '' ? '{"name":"","categoryId":1}' : undefined)),
  ],
  'not-json-accepted': [
    'A body that is not JSON becomes the name of the animal.',
    repair((text) => JSON.stringify({ name: text, categoryId: 1 })),
  ],
  'not-json-unsupported-media-type': [
    'A body that is not JSON returns 415.',
    (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return isProblem(body) ? new Problem(415, 'unsupported_media_type', 'Send JSON') : body;
      },
    }),
  ],
  'empty-body-length-required': [
    'A POST without a body returns 411.',
    (parts) => ({
      readBody: (bytes, call) =>
        bytes.byteLength === 0 ? new Problem(411, 'length_required', 'Send a body') : parts.readBody(bytes, call),
    }),
  ],
});

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

/** Categories outside int64 that are accepted. */
export const createCategoryRange = faultsOf(needing(WRITES, 'create.category-range'), {
  'category-wraps-at-int64': [
    'categoryId 2^63 wraps around to a negative number.',
    lenientCategory((value) => {
      const id = digits(value);
      return id === undefined || isInt64(id) ? undefined : BigInt.asIntN(64, id);
    }),
  ],
  'category-clamped-to-int64': [
    'categoryId 2^63 becomes the largest int64.',
    lenientCategory((value) => {
      const id = digits(value);
      if (id === undefined || isInt64(id)) return undefined;
      return id > 0n ? INT64_RANGE.largest : INT64_RANGE.smallest;
    }),
  ],
  'category-unbounded': ['categoryId may have any number of digits and is shown as sent.', lenientCategory(digits)],
  'category-unsigned-range': [
    'categoryId is checked as an unsigned 64-bit integer: 2^63 is accepted.',
    lenientCategory((value) => {
      const id = digits(value);
      return id !== undefined && id >= 2n ** 63n && id < 2n ** 64n ? id : undefined;
    }),
  ],
});

/** Missing categories that are accepted, or rejected with a status other than 400. */
export const createCategoryRequired = faultsOf(needing(WRITES, 'create.category-required'), {
  'missing-category-left-out': [
    'A body without categoryId is accepted, and the animal is stored and shown without one.',
    keptAsSent('categoryId', (value) => value === undefined),
  ],
  'category-in-snake-case-accepted': [
    'The mapper accepts category_id in place of categoryId.',
    rebind((body) => ('category_id' in body && !('categoryId' in body) ? { ...body, categoryId: body['category_id'] ?? null } : body)),
  ],
  'category-in-any-letter-case-accepted': [
    'categoryid and CategoryID are accepted in place of categoryId.',
    rebind((body) => inAnyLetterCase(body, 'categoryId')),
  ],
  'missing-category-from-cookie': [
    'Parameters are read from query string, body and cookies: the categoryId cookie stands in for a missing one.',
    fillIn('categoryId', (call) => /(?:^|; )categoryId=(-?\d+)/.exec(header(call, 'cookie'))?.[1]),
  ],
  'missing-category-accepted': [
    'A body without categoryId creates an animal in category 0.',
    lenientCategory((value) => (value === undefined ? 0n : undefined)),
  ],
  'missing-category-becomes-one': [
    'A body without categoryId gets the default category 1.',
    lenientCategory((value) => (value === undefined ? 1n : undefined)),
  ],
  'null-category-accepted': [
    'categoryId null creates an animal in category 0.',
    lenientCategory((value) => (value === null ? 0n : undefined)),
  ],
  'bad-category-not-found': ['A bad categoryId returns 404: category not found.', rejectedWith('readCategory', 404)],
});

function roundedBy(round: (value: number) => number): Patch {
  return lenientCategory((value) => {
    const number = Number(oddNumber(value));
    return Math.abs(number) < 1e15 ? BigInt(round(number)) : undefined;
  });
}

/** Categories of another type that are accepted, or rejected with a status other than 400. */
export const createCategoryType = faultsOf(needing(WRITES, 'create.category-type'), {
  'any-category-kept': [
    'A categoryId that is neither a number nor a string is stored and shown as it was sent.',
    keptAsSent(
      'categoryId',
      (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null && !(value instanceof NumberText)),
    ),
  ],
  'text-category-accepted': [
    'categoryId "1" becomes 1.',
    lenientCategory((value) => (typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined)),
  ],
  'any-text-category-accepted': [
    'categoryId "dogs" becomes 0: atoi.',
    lenientCategory((value) => (typeof value === 'string' && !/^\d+$/.test(value) ? 0n : undefined)),
  ],
  'empty-text-category-accepted': ['categoryId "" becomes 0.', lenientCategory((value) => (value === '' ? 0n : undefined))],
  'boolean-category-accepted': [
    'categoryId true becomes 1.',
    lenientCategory((value) => (typeof value === 'boolean' ? (value ? 1n : 0n) : undefined)),
  ],
  'false-category-accepted': ['categoryId false counts as 0.', lenientCategory((value) => (value === false ? 0n : undefined))],
  'fraction-category-truncated': ['categoryId 1.5 becomes 1.', roundedBy(Math.trunc)],
  'fraction-category-rounded': ['categoryId 1.5 becomes 2.', roundedBy(Math.round)],
  'array-category-accepted': [
    'categoryId [] becomes 0 and [1] becomes 1: Number(value).',
    lenientCategory((value) => (Array.isArray(value) ? BigInt(value.length) : undefined)),
  ],
  'object-category-accepted': [
    'categoryId {} becomes 0: a lenient object mapper.',
    lenientCategory((value) => (value !== undefined && isObject(value) ? 0n : undefined)),
  ],
  'bad-category-unprocessable': ['A bad categoryId returns 422 instead of 400.', rejectedWith('readCategory', 422)],
});

/** Missing names that are accepted, or rejected with a status other than 400. */
export const createNameRequired = faultsOf(needing(WRITES, 'create.name-required'), {
  'missing-name-left-out': [
    'A body without a name is accepted, and the animal is stored and shown without one.',
    keptAsSent('name', (value) => value === undefined),
  ],
  'refusal-answered-200': [
    'A rejected body returns 200 with an Error body.',
    rewriteIf(isReplyTo('createPet', 400), () => ({ status: 200 })),
  ],
  'invalid-bodies-unprocessable': ['Every invalid body returns 422 instead of 400.', invalidBodies(422)],
  'invalid-bodies-conflict': ['Every invalid body returns 409 instead of 400.', invalidBodies(409)],
  'missing-name-accepted': [
    'A body without name creates an animal with an empty name.',
    lenientName((value) => (value === undefined ? '' : undefined)),
  ],
  'name-in-any-letter-case-accepted': ['Name and NAME are accepted in place of name.', rebind((body) => inAnyLetterCase(body, 'name'))],
  'missing-name-from-query': [
    'The framework merges the query string into the body: ?name=Rex stands in for a missing name.',
    fillIn('name', ({ query }) => query.get('name')),
  ],
  'missing-name-from-header': [
    'The binding looks for names in headers too: X-Name stands in for a missing name.',
    fillIn('name', (call) => call.headers['x-name']),
  ],
  'missing-name-becomes-unnamed': [
    'A body without name creates "Unnamed".',
    lenientName((value) => (value === undefined ? 'Unnamed' : undefined)),
  ],
  'null-name-accepted': ['name null creates an animal with an empty name.', lenientName((value) => (value === null ? '' : undefined))],
  'null-name-becomes-text': ['name null creates an animal called "null".', lenientName((value) => (value === null ? 'null' : undefined))],
  'bad-name-unprocessable': ['A bad name returns 422 instead of 400.', rejectedWith('readName', 422)],
});

/** Names of another type that are accepted, or rejected with a status other than 400. */
export const createNameType = faultsOf(needing(WRITES, 'create.name-type'), {
  'any-name-kept': [
    'A name of any type is stored and shown as it was sent.',
    keptAsSent('name', (value) => value !== undefined && value !== null && typeof value !== 'string'),
  ],
  'number-name-accepted': ['name 42 becomes "42".', lenientName((value) => (value instanceof NumberText ? value.text : undefined))],
  'boolean-name-accepted': ['name true becomes "true".', lenientName((value) => (typeof value === 'boolean' ? String(value) : undefined))],
  'array-name-accepted': [
    'name ["Rex"] becomes "Rex": arrays are joined.',
    lenientName((value) => (Array.isArray(value) ? value.map(String).join(',') : undefined)),
  ],
  'object-name-accepted': [
    'name {} becomes "[object Object]".',
    lenientName((value) => (value !== undefined && isObject(value) ? '[object Object]' : undefined)),
  ],
  'bad-name-conflict': ['A bad name returns 409 instead of 400.', rejectedWith('readName', 409)],
});

/** Reads status more leniently: undefined leaves the value to the base. */
function lenientStatus(read: (value: Json) => Status | undefined): Patch {
  return (parts) => ({ readStatus: (value) => (value === undefined ? undefined : read(value)) ?? parts.readStatus(value) });
}

function asStatus(text: string): Status | undefined {
  return isStatus(text) ? text : undefined;
}

/** Statuses that are not one of the three and are accepted, or rejected with a status other than 400. */
export const createStatusInvalid = faultsOf(needing(WRITES, 'create.status-invalid'), {
  'any-status-kept': [
    'A status of any type is stored and shown as it was sent.',
    keptAsSent('status', (value) => value !== undefined && value !== null && !isStatus(value)),
  ],
  'status-by-ordinal-accepted': [
    'The enum mapper accepts the position of a value, as a string, in place of the value.',
    rebind((body) => {
      const status = STATUSES[Number(body['status'] === '' ? NaN : body['status'])];
      return typeof body['status'] === 'string' && status !== undefined ? { ...body, status } : body;
    }),
  ],
  'status-inherited-by-objects-accepted': [
    'The status is looked up with "in" in an object: constructor and toString are found.',
    rebind((body) => {
      const { status } = body;
      return typeof status === 'string' && !isStatus(status) && status in {} ? { ...body, status: 'available' } : body;
    }),
  ],
  'unknown-status-becomes-available': [
    'An unknown status becomes available.',
    lenientStatus((value) => (typeof value === 'string' && !isStatus(value) ? 'available' : undefined)),
  ],
  'unknown-status-ignored': [
    'Anything that is not a status is ignored, as if omitted.',
    lenientStatus((value) => (isStatus(value) ? undefined : 'pending')),
  ],
  'unknown-status-accepted-in-large-body': [
    'Only the gateway checks the status, and it inspects 8 KiB of a body.',
    (parts) => {
      const large = new WeakSet<object>();
      return {
        readBody: (bytes, call) => {
          const body = parts.readBody(bytes, call);
          if (bytes.byteLength > 8_192 && !isProblem(body) && isObject(body)) large.add(body);
          return body;
        },
        readNewPet: (body, all) =>
          parts.readNewPet(isObject(body) && large.has(body) && !isStatus(body['status']) ? { ...body, status: 'available' } : body, all),
      };
    },
  ],
  'status-letter-case-ignored': [
    'SOLD is accepted as sold.',
    lenientStatus((value) => (typeof value === 'string' ? asStatus(value.toLowerCase()) : undefined)),
  ],
  'status-trimmed': [
    '" sold" is accepted as sold.',
    lenientStatus((value) => (typeof value === 'string' ? asStatus(value.trim()) : undefined)),
  ],
  'empty-status-accepted': ['An empty status becomes available.', lenientStatus((value) => (value === '' ? 'available' : undefined))],
  'null-status-accepted': ['status null becomes available.', lenientStatus((value) => (value === null ? 'available' : undefined))],
  'number-status-accepted': [
    'status 1 becomes the enum value of that position.',
    lenientStatus((value) => (value instanceof NumberText ? 'pending' : undefined)),
  ],
  'boolean-status-accepted': [
    'status true becomes available.',
    lenientStatus((value) => (typeof value === 'boolean' ? 'available' : undefined)),
  ],
  'falsy-status-ignored': [
    'status false and 0 count as omitted.',
    lenientStatus((value) => (value === false || (value instanceof NumberText && Number(value.text) === 0) ? 'available' : undefined)),
  ],
  'array-status-accepted': [
    'status ["sold"] becomes sold.',
    lenientStatus((value) => (Array.isArray(value) ? asStatus(String(value[0])) : undefined)),
  ],
  'object-status-accepted': ['status {} becomes available.', lenientStatus((value) => (isObject(value) ? 'available' : undefined))],
  'status-as-member-accepted': [
    'The enum mapper accepts an object whose only member is named after a status: {"sold": null}.',
    lenientStatus((value) => (isObject(value) ? asStatus(Object.keys(value).join()) : undefined)),
  ],
  'unknown-status-kept': [
    'Any string is accepted as status and shown.',
    (parts) => {
      // The type allows three words; the broken server keeps whatever it got.
      const anyText = (value: Json | undefined) => (typeof value === 'string' ? (value as Status) : undefined);
      return { readStatus: (value) => anyText(value) ?? parts.readStatus(value) };
    },
  ],
  'bad-status-unprocessable': ['A bad status returns 422 instead of 400.', rejectedWith('readStatus', 422)],
});
