import { isObject, type Json, NumberText } from '../core/json.ts';
import type { Parts } from '../core/parts.ts';
import { isStatus, type Status } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault, writing } from './fault.ts';
import { crash, isProblem, lenientCategory, lenientName, oddNumber } from './helpers.ts';

function name(title: string, clause: string, summary: string, read: (value: Json | undefined) => string | undefined): Fault {
  return fault(title, clause, summary, (parts) => lenientName(parts, read), writing);
}

function category(title: string, clause: string, summary: string, read: (value: Json | undefined) => bigint | undefined): Fault {
  return fault(title, clause, summary, (parts) => lenientCategory(parts, read), writing);
}

function status(title: string, summary: string, read: (value: Json) => Status | undefined): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    readStatus: (value) => (value === undefined ? undefined : read(value)) ?? parts.readStatus(value),
  });
  return fault(title, 'create.status-invalid', summary, replace, writing);
}

/** The status of the refusal of a bad field. */
function refusedWith(
  title: string,
  clause: string,
  summary: string,
  part: 'readName' | 'readCategory' | 'readStatus',
  code: number,
): Fault {
  const replace = (parts: Parts): Partial<Parts> => {
    const relabel = <T>(result: T | Problem) => (isProblem(result) ? new Problem(code, result.code, result.message) : result);
    switch (part) {
      case 'readName':
        return { readName: (value) => relabel(parts.readName(value)) };
      case 'readCategory':
        return { readCategory: (value) => relabel(parts.readCategory(value)) };
      case 'readStatus':
        return { readStatus: (value) => relabel(parts.readStatus(value)) };
      default:
        return part satisfies never;
    }
  };
  return fault(title, clause, summary, replace, writing);
}

const nameRequired = 'create.name-required';
const categoryRequired = 'create.category-required';
const nameType = 'create.name-type';
const categoryType = 'create.category-type';
const categoryRange = 'create.category-range';

function digits(value: Json | undefined): bigint | undefined {
  return value instanceof NumberText && /^-?\d+$/.test(value.text) ? BigInt(value.text) : undefined;
}

/** Names that are missing or of another type, and accepted. */
export const createNameFieldFaults: readonly Fault[] = [
  name('missing-name-accepted', nameRequired, 'A body without name creates an animal with an empty name.', (value) =>
    value === undefined ? '' : undefined,
  ),
  name('missing-name-becomes-unnamed', nameRequired, 'A body without name creates "Unnamed".', (value) =>
    value === undefined ? 'Unnamed' : undefined,
  ),
  name('null-name-accepted', nameRequired, 'name null creates an animal with an empty name.', (value) => (value === null ? '' : undefined)),
  name('null-name-becomes-text', nameRequired, 'name null creates an animal called "null".', (value) =>
    value === null ? 'null' : undefined,
  ),
  name('number-name-accepted', nameType, 'name 42 becomes "42".', (value) => (value instanceof NumberText ? value.text : undefined)),
  name('boolean-name-accepted', nameType, 'name true becomes "true".', (value) => (typeof value === 'boolean' ? String(value) : undefined)),
  name('array-name-accepted', nameType, 'name ["Rex"] becomes "Rex": arrays are joined.', (value) =>
    Array.isArray(value) ? value.map(String).join(',') : undefined,
  ),
  name('object-name-accepted', nameType, 'name {} becomes "[object Object]".', (value) =>
    value !== undefined && isObject(value) ? '[object Object]' : undefined,
  ),
  name('missing-name-crashes', 'errors.no-server-error', 'A body without name crashes in trim().', (value) =>
    value === undefined ? crash() : undefined,
  ),
  name('number-name-crashes', 'errors.no-server-error', 'A name that is a number crashes in trim().', (value) =>
    value instanceof NumberText ? crash() : undefined,
  ),
  refusedWith('bad-name-unprocessable', nameRequired, 'A bad name is answered 422 instead of 400.', 'readName', 422),
  refusedWith('bad-name-conflict', nameType, 'A bad name is answered 409 instead of 400.', 'readName', 409),
];

/** Categories that are missing, of another type or out of range, and accepted. */
export const createCategoryFieldFaults: readonly Fault[] = [
  category('missing-category-accepted', categoryRequired, 'A body without categoryId creates an animal of category 0.', (value) =>
    value === undefined ? 0n : undefined,
  ),
  category('missing-category-becomes-one', categoryRequired, 'A body without categoryId gets the default category 1.', (value) =>
    value === undefined ? 1n : undefined,
  ),
  category('null-category-accepted', categoryRequired, 'categoryId null creates an animal of category 0.', (value) =>
    value === null ? 0n : undefined,
  ),
  category('text-category-accepted', categoryType, 'categoryId "1" becomes 1.', (value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined,
  ),
  category('any-text-category-accepted', categoryType, 'categoryId "dogs" becomes 0: atoi.', (value) =>
    typeof value === 'string' && !/^\d+$/.test(value) ? 0n : undefined,
  ),
  category('empty-text-category-accepted', categoryType, 'categoryId "" becomes 0.', (value) => (value === '' ? 0n : undefined)),
  category('boolean-category-accepted', categoryType, 'categoryId true becomes 1.', (value) =>
    typeof value === 'boolean' ? (value ? 1n : 0n) : undefined,
  ),
  category('false-category-accepted', categoryType, 'categoryId false counts as 0.', (value) => (value === false ? 0n : undefined)),
  category('fraction-category-truncated', categoryType, 'categoryId 1.5 becomes 1.', (value) => {
    const odd = oddNumber(value);
    return odd !== undefined && Math.abs(Number(odd)) < 1e15 ? BigInt(Math.trunc(Number(odd))) : undefined;
  }),
  category('fraction-category-rounded', categoryType, 'categoryId 1.5 becomes 2.', (value) => {
    const odd = oddNumber(value);
    return odd !== undefined && Math.abs(Number(odd)) < 1e15 ? BigInt(Math.round(Number(odd))) : undefined;
  }),
  category('array-category-accepted', categoryType, 'categoryId [] becomes 0 and [1] becomes 1: Number(value).', (value) =>
    Array.isArray(value) ? BigInt(value.length) : undefined,
  ),
  category('object-category-accepted', categoryType, 'categoryId {} becomes 0: a lenient object mapper.', (value) =>
    value !== undefined && isObject(value) ? 0n : undefined,
  ),
  category('category-wraps-at-int64', categoryRange, 'categoryId 2^63 wraps round to a negative one.', (value) =>
    BigInt.asIntN(64, digits(value) ?? 0n) === digits(value) ? undefined : wrapped(value),
  ),
  category('category-clamped-to-int64', categoryRange, 'categoryId 2^63 becomes the largest int64.', (value) => {
    const id = digits(value);
    if (id === undefined) return undefined;
    return id > 2n ** 63n - 1n ? 2n ** 63n - 1n : id < -(2n ** 63n) ? -(2n ** 63n) : undefined;
  }),
  category('category-unbounded', categoryRange, 'categoryId may have any number of digits, and is shown so.', digits),
  category('category-unsigned-range', categoryRange, 'categoryId is checked as an unsigned 64-bit integer: 2^63 is accepted.', (value) => {
    const id = digits(value);
    return id !== undefined && id >= 2n ** 63n && id < 2n ** 64n ? id : undefined;
  }),
  category('large-category-crashes', 'errors.no-server-error', 'A categoryId outside int64 crashes in the database driver.', (value) => {
    const id = digits(value);
    return id !== undefined && BigInt.asIntN(64, id) !== id ? crash() : undefined;
  }),
  category(
    'category-beyond-int32-crashes',
    'errors.no-server-error',
    'A categoryId beyond 32 bits crashes: the column is INTEGER.',
    (value) => {
      const id = digits(value);
      return id !== undefined && BigInt.asIntN(32, id) !== id && BigInt.asIntN(64, id) === id ? crash() : undefined;
    },
  ),
  category('fraction-category-crashes', 'errors.no-server-error', 'A categoryId with a fraction crashes in BigInt().', (value) =>
    /\.\d*[1-9]/.test(oddNumber(value) ?? '') ? crash() : undefined,
  ),
  category('text-category-crashes', 'errors.no-server-error', 'A categoryId that is a text crashes in the database driver.', (value) =>
    typeof value === 'string' ? crash() : undefined,
  ),
  category('huge-exponent-category-crashes', 'errors.no-server-error', 'categoryId 1e400 becomes Infinity and crashes.', (value) =>
    Number.isFinite(Number(oddNumber(value) ?? 0)) ? undefined : crash(),
  ),
  category(
    'category-of-many-digits-crashes',
    'errors.no-server-error',
    'A categoryId of more than 4,300 digits crashes: the language reads no more.',
    (value) => (value instanceof NumberText && value.text.length > 4_300 ? crash() : undefined),
  ),
  refusedWith('bad-category-unprocessable', categoryType, 'A bad categoryId is answered 422 instead of 400.', 'readCategory', 422),
  refusedWith('bad-category-not-found', categoryRequired, 'A bad categoryId is answered 404: category not found.', 'readCategory', 404),
];

function wrapped(value: Json | undefined): bigint | undefined {
  const id = digits(value);
  return id === undefined ? undefined : BigInt.asIntN(64, id);
}

function asStatus(text: string): Status | undefined {
  return isStatus(text) ? text : undefined;
}

/** Statuses that are not of the three, and accepted. */
export const createStatusFieldFaults: readonly Fault[] = [
  status('unknown-status-becomes-available', 'An unknown status becomes available.', (value) =>
    typeof value === 'string' && !isStatus(value) ? 'available' : undefined,
  ),
  status('unknown-status-ignored', 'Anything that is no status is ignored, as if it were left out.', (value) =>
    isStatus(value) ? undefined : 'pending',
  ),
  status('status-letter-case-ignored', 'SOLD is accepted as sold.', (value) =>
    typeof value === 'string' ? asStatus(value.toLowerCase()) : undefined,
  ),
  status('status-trimmed', '" sold" is accepted as sold.', (value) => (typeof value === 'string' ? asStatus(value.trim()) : undefined)),
  status('empty-status-accepted', 'An empty status becomes available.', (value) => (value === '' ? 'available' : undefined)),
  status('null-status-accepted', 'status null becomes available.', (value) => (value === null ? 'available' : undefined)),
  status('number-status-accepted', 'status 1 becomes the enum value of that position.', (value) =>
    value instanceof NumberText ? 'pending' : undefined,
  ),
  status('boolean-status-accepted', 'status true becomes available.', (value) => (typeof value === 'boolean' ? 'available' : undefined)),
  status('falsy-status-ignored', 'status false and 0 count as left out.', (value) =>
    value === false || (value instanceof NumberText && Number(value.text) === 0) ? 'available' : undefined,
  ),
  status('array-status-accepted', 'status ["sold"] becomes sold.', (value) =>
    Array.isArray(value) ? asStatus(String(value[0])) : undefined,
  ),
  status('object-status-accepted', 'status {} becomes available.', (value) => (isObject(value) ? 'available' : undefined)),
  fault(
    'unknown-status-kept',
    'create.status-invalid',
    'Any text is accepted as status and shown so.',
    (parts) => {
      // The type says three words; the broken server keeps whatever it got.
      const anyText = (value: Json | undefined) => (typeof value === 'string' ? (value as Status) : undefined);
      return { readStatus: (value) => anyText(value) ?? parts.readStatus(value) };
    },
    writing,
  ),
  fault(
    'unknown-status-crashes',
    'errors.no-server-error',
    'An unknown status crashes in Enum.valueOf().',
    (parts) => ({
      readStatus: (value) => (typeof value === 'string' && !isStatus(value) ? crash() : parts.readStatus(value)),
    }),
    writing,
  ),
  refusedWith('bad-status-unprocessable', 'create.status-invalid', 'A bad status is answered 422 instead of 400.', 'readStatus', 422),
];
