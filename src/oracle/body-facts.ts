// What the body of a creation is.

import type { INVALID_BODY_CLAUSES } from '../clause/clause-ids.ts';
import { asStatus } from '../schema/pet.ts';
import { isInt64 } from '../schema/validators.ts';
import type { Header, Sent } from '../session/vector.ts';
import type { PetStatus } from '../wire/exchange.ts';
import { duplicateMember, isJsonObject } from '../wire/json.ts';
import { headersNamed } from './client-facts.ts';

export type BodyClause = (typeof INVALID_BODY_CLAUSES)[number];

export type SentPet = { readonly name: string; readonly categoryId: bigint; readonly status?: PetStatus };

/**
 * `plain`: 201, if the service accepts the category and knows no animal of that name. `unusual`: 201 as sent, or 400. `open`: as the document
 * does not decide. `invalid`: 400, by the first clause in the order of the document.
 */
export type BodyFacts =
  | { readonly kind: 'plain'; readonly sent: SentPet }
  | { readonly kind: 'unusual'; readonly sent: SentPet }
  | { readonly kind: 'open'; readonly why: OpenBody; readonly sent?: SentPet }
  /** `name`: by which an animal would be known that was stored all the same. */
  | { readonly kind: 'invalid'; readonly clause: BodyClause; readonly name?: string };

export type OpenBody =
  | 'media type'
  | 'charset'
  | 'encoding'
  | 'repeated member'
  | 'other members'
  | 'id'
  | 'integer spelled as a fraction'
  | 'fields elsewhere';

/** ASCII letters, so many that they are no word that a program reads as something else. */
const PLAIN_NAME = /^[A-Za-z]{12,20}$/;

const invalid = (clause: BodyClause): BodyFacts => ({ kind: 'invalid', clause });

class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON whose numbers are `NumberText`; undefined if the text is not JSON. */
function jsonOf(text: string): { readonly value: unknown } | undefined {
  const read = JSON.parse as (text: string, revive: (name: string, value: unknown, context: { source: string }) => unknown) => unknown;
  try {
    return { value: read(text, (_name, value, { source }) => (typeof value === 'number' ? new NumberText(source) : value)) };
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => isJsonObject(value) && !(value instanceof NumberText);

const JSON_TYPE = /^application\/json\s*(;.*)?$/i;

export function bodyOf(sent: Sent, query: string): BodyFacts {
  const types = headersNamed(sent.headers, 'content-type');
  const [, parameters] = JSON_TYPE.exec(types[0] ?? '') ?? [undefined];
  const isCoded = headersNamed(sent.headers, 'content-encoding').length > 0;
  const isJsonType = types.length === 1 && JSON_TYPE.test(types[0] ?? '') && !isCoded;
  if (!isJsonType) return { kind: 'open', why: 'media type' };
  const text = textOf(sent.body);
  if (text === undefined) return { kind: 'open', why: 'encoding' };
  const json = jsonOf(text);
  if (json === undefined) return invalid('create.body-json');
  const { value } = json;
  if (!isObject(value)) return invalid('create.body-object');
  const object = newPetOf(value, text);
  if (object.kind === 'invalid' || object.kind === 'open') return object;
  if (parameters !== undefined) return { kind: 'open', why: 'charset', sent: object.sent };
  return hasFieldsElsewhere(sent.headers, query) ? { kind: 'open', why: 'fields elsewhere', sent: object.sent } : object;
}

/** Undefined if the bytes are not UTF-8, or begin with a byte order mark, which a parser may skip. */
function textOf(body: Uint8Array | undefined): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body ?? new Uint8Array());
    return text.startsWith('\ufeff') ? undefined : text;
  } catch {
    return undefined;
  }
}

const HEADERS_TAKEN_FOR_MEMBERS = /^(?:x-)?(?:name|categoryid|status|id)$/;

const hasFieldsElsewhere = (headers: readonly Header[], query: string): boolean =>
  headers.some(([name]) => HEADERS_TAKEN_FOR_MEMBERS.test(name.toLowerCase())) || /(?:^|&)(?:name|categoryId|status|id)=/.test(query);

const FIELDS = ['name', 'categoryId', 'status'];
const MEMBERS_TAKEN_FOR_ID = ['id', 'ID', 'petId'];

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** The integer that a JSON number has, however it is written; `fraction` if it has none. Digits beyond int64 are not counted. */
function integerIn(text: string): bigint | 'fraction' | 'beyond' {
  if (INTEGER.test(text)) return text.length > 40 ? 'beyond' : BigInt(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const power = Number(exponent) - fraction.length;
  if (digits === '') return 0n;
  if (power >= 0) return digits.length + power > 40 ? 'beyond' : BigInt(`${sign}${digits}${'0'.repeat(power)}`);
  const kept = digits.slice(0, Math.max(0, digits.length + power));
  const isWhole = /^0*$/.test(digits.slice(kept.length)) && digits.length + power > 0;
  if (!isWhole) return 'fraction';
  return kept.length > 40 ? 'beyond' : BigInt(`${sign}${kept}`);
}

/** What a reader of doubles makes of a fraction that they lose, as of 1.0000000000000000001: an integer, which is open like 1.0. */
function integerByDoubles(text: string): bigint | undefined {
  const read = Number(text);
  return Number.isInteger(read) && isInt64(BigInt(read)) ? BigInt(read) : undefined;
}

/** The members in the order in which the document has them. */
function newPetOf(object: Readonly<Record<string, unknown>>, text: string): BodyFacts {
  const own = (member: string): unknown => (Object.hasOwn(object, member) ? object[member] : undefined);
  const [name, category, status] = FIELDS.map(own);
  if (name === undefined || name === null) return invalid('create.name-required');
  if (typeof name !== 'string') return invalid('create.name-type');
  const breaks = (clause: BodyClause): BodyFacts => ({ kind: 'invalid', clause, name });
  if (category === undefined || category === null) return breaks('create.category-required');
  const exact = category instanceof NumberText ? integerIn(category.text) : 'fraction';
  const categoryId = exact === 'fraction' && category instanceof NumberText ? (integerByDoubles(category.text) ?? exact) : exact;
  if (categoryId === 'fraction') return breaks('create.category-type');
  if (categoryId === 'beyond' || !isInt64(categoryId)) return breaks('create.category-range');
  if (duplicateMember(text) !== undefined) return { kind: 'open', why: 'repeated member' };
  const known = asStatus(status);
  if (status !== undefined && known === undefined) return breaks('create.status-invalid');
  const sent: SentPet = { name, categoryId, ...(known === undefined ? {} : { status: known }) };
  const open = (why: OpenBody): BodyFacts => ({ kind: 'open', why, sent });
  if (!name.isWellFormed()) return open('encoding');
  if (category instanceof NumberText && !INTEGER.test(category.text)) return open('integer spelled as a fraction');
  const others = Object.keys(object).filter((member) => !FIELDS.includes(member));
  if (others.length > 0) return open(others.some((member) => MEMBERS_TAKEN_FOR_ID.includes(member)) ? 'id' : 'other members');
  return PLAIN_NAME.test(name) ? { kind: 'plain', sent } : { kind: 'unusual', sent };
}

/** The members of a body that is a JSON object; none of any other. */
export function membersIn(body: Uint8Array | undefined): readonly (readonly [name: string, value: unknown])[] {
  const value = body === undefined ? undefined : jsonOf(textOf(body) ?? '')?.value;
  return isObject(value) ? Object.entries(value) : [];
}
