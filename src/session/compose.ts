// From a row to the bytes that are sent. Nothing here draws: the same seed, row and context give the same bytes.

import { USER_AGENT } from '../wire/exchange.ts';
import { createRandom } from './numbers.ts';
import { readRaw } from './raw.ts';
import type {
  ComposeContext,
  CreateTables,
  Effect,
  Header,
  MakeInput,
  Member,
  Pack,
  Sent,
  SharedTables,
  Table,
  Tables,
  Value,
  ValueName,
  Vector,
} from './vector.ts';

const LETTERS = 26;
const A = 'a'.charCodeAt(0);
const COUNTER = 4;
export const NAME_PREFIX = 'Conformance';

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function numberAsLetters(value: number, length: number): string {
  return Array.from({ length }, (_unused, place) =>
    String.fromCharCode(A + (Math.floor(value / LETTERS ** (length - 1 - place)) % LETTERS)),
  ).join('');
}

/** The plain name of a row: at most 20 letters, which no other row has. */
export function plainNameOf({ runTag, rowNumber, letterCase }: Pick<ComposeContext, 'runTag' | 'rowNumber' | 'letterCase'>): string {
  const name = `${NAME_PREFIX}${capitalized(runTag.toLowerCase())}${capitalized(numberAsLetters(rowNumber, COUNTER))}`;
  return letterCase === undefined ? name : letterCase === 'lower' ? name.toLowerCase() : name.toUpperCase();
}

/** A number that follows from the seed, the row, and the dimension (FNV-1a). */
function seedOf({ seed, rowNumber }: ComposeContext, dimension: string): number {
  let hash = 0x811c9dc5 ^ seed ^ Math.imul(rowNumber + 1, 0x9e3779b1);
  for (const character of dimension) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}

export const isPack = (named: ValueName | undefined): named is Pack => typeof named === 'object';

const STRONGER: readonly Effect[] = ['read', 'intrusive', 'write'];
const strongestOf = (effects: readonly Effect[]): Effect =>
  STRONGER[Math.max(...effects.map((effect) => STRONGER.indexOf(effect)))] ?? 'write';

/** The values of a pack as one. Two that need the same are a mistake in a row. */
function makePacked<Part>(table: Table<Part>, pack: Pack): Value<Part> {
  const { packing } = table;
  const [first, ...others] = pack.map((name) => valueNamed(table, name));
  if (packing === undefined || first === undefined)
    throw new Error(`composing a request: values do not travel together: ${pack.join(', ')}`);
  const all = [first, ...others];
  return {
    effect: strongestOf(all.map(({ effect }) => effect)),
    since: first.since,
    ...(all.some(({ nearMiss }) => nearMiss === true) ? { nearMiss: true } : {}),
    make(making) {
      const parts = all.map(({ make }) => make(making));
      const taken = parts.flatMap((part) => [...new Set(packing.takes?.(part))]);
      const twice = taken.find((one, index) => taken.indexOf(one) !== index);
      if (twice !== undefined) throw new Error(`composing a request: two values need ${twice}: ${pack.join(', ')}`);
      return packing.join(parts, making);
    },
  };
}

/** The value that a vector names. A name that the table does not have is a mistake in a row. */
export function valueNamed<Part>(table: Table<Part>, named: ValueName = table.usual): Value<Part> {
  const { values, drawn } = table;
  if (isPack(named)) return makePacked(table, named);
  if (typeof named === 'number' && drawn !== undefined) return drawn(named);
  const name = String(named);
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value !== undefined) return value;
  if (drawn !== undefined && name.startsWith('=')) return drawn(name.slice(1));
  throw new Error(`composing a request: there is no value "${name}"; the table has ${Object.keys(values).length} values`);
}

const entriesOf = (vector: Vector): [dimension: string, named: ValueName][] =>
  Object.entries(vector).filter(([dimension]) => dimension !== 'op' && dimension !== 'raw');

/** The values that a vector names, by dimension. */
export function valuesOf(tables: Tables, vector: Vector): readonly (readonly [dimension: string, value: Value<unknown>])[] {
  const own: Readonly<Record<string, Table<unknown>>> = tables[vector.op];
  return entriesOf(vector).map(([dimension, named]) => {
    const table = Object.hasOwn(own, dimension) ? own[dimension] : undefined;
    if (table === undefined) throw new Error(`composing a request: "${vector.op}" has no dimension "${dimension}"`);
    return [dimension, valueNamed(table, named)];
  });
}

/** The effects of the values of a row. A creation may leave an animal, whatever its values are. */
export function effectsOf(tables: Tables, vector: Vector): ReadonlySet<Effect> {
  const effects = valuesOf(tables, vector).map(([, { effect }]) => effect);
  return new Set([...effects, vector.op === 'create' ? 'write' : 'read']);
}

const isCookie = ([name]: Header): boolean => name.toLowerCase() === 'cookie';

/** The headers in order; those of a later group replace those of the same name, except that a client sends all its cookies in one. */
function mergeHeaders(...groups: readonly (readonly Header[])[]): readonly Header[] {
  const all = groups.reduce((before, group) => {
    const names = new Set(group.filter((header) => !isCookie(header)).map(([name]) => name.toLowerCase()));
    return [...before.filter(([name]) => !names.has(name.toLowerCase())), ...group];
  }, []);
  const cookies = all.filter(isCookie).map(([, value]) => value);
  return cookies.length < 2 ? all : [...all.filter((header) => !isCookie(header)), ['cookie', cookies.join('; ')]];
}

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined && part !== '').join('&');

const USUAL_HEADERS: readonly Header[] = [
  ['accept', 'application/json'],
  ['user-agent', USER_AGENT],
];

/** The bytes of a request that is written out, with the key. */
function composeRaw(raw: string, context: ComposeContext): Sent {
  const { method, target, headers = {}, body } = readRaw(raw);
  const given: Readonly<Record<string, string>> = {
    name: plainNameOf(context),
    categoryId: String(context.categoryId),
    petId: String(context.knownIds[0] ?? 1n),
  };
  const filledIn = (text: string): string => text.replace(/\{(name|categoryId|petId)\}/g, (_whole, what: string) => given[what] ?? '');
  const type: readonly Header[] = body === undefined ? [] : [['content-type', 'application/json']];
  return {
    ...{ method, target: filledIn(target), framing: 'length', connection: 'kept' },
    headers: mergeHeaders(USUAL_HEADERS, type, [['authorization', `Bearer ${context.apiKey}`]], Object.entries(headers)),
    body: body === undefined ? undefined : new TextEncoder().encode(filledIn(body)),
  };
}

/** From vectors to bytes, by these tables. */
export function createComposer(tables: Tables): (vector: Vector, context: ComposeContext) => Sent {
  function request(
    vector: Vector,
    context: ComposeContext,
    own: { readonly path: string; readonly query: string; readonly headers?: readonly Header[] },
  ): Pick<Sent, 'target' | 'headers' | 'connection'> {
    const shared: SharedTables = tables[vector.op];
    const credential = makePart(shared, 'credential', vector.credential, context);
    const client = makePart(shared, 'client', vector.client, context);
    const { without = [], headers = [] } = client;
    const all = mergeHeaders(USUAL_HEADERS, own.headers ?? [], credential.headers, headers).filter(
      ([name]) => !without.includes(name.toLowerCase()),
    );
    const query = joined(own.query, credential.query);
    const path = makePart(shared, 'path', vector.path, context)(own.path);
    return {
      target: query === '' ? path : `${path}${path.includes('?') ? '' : '?'}${query}`,
      headers: makePart(shared, 'fields', vector.fields, context)(all),
      connection: makePart(shared, 'connection', vector.connection, context),
    };
  }

  return (vector, context) => {
    if (vector.raw !== undefined) return composeRaw(vector.raw, context);
    // A dimension that an operation does not have is a mistake in a row.
    valuesOf(tables, vector);
    switch (vector.op) {
      case 'list': {
        const limit = makePart(tables.list, 'limit', vector.limit, context);
        const status = makePart(tables.list, 'status', vector.status, context);
        const { before, after } = makePart(tables.list, 'parameters', vector.parameters, context);
        const pairs = [...(limit === undefined ? [] : [`limit=${limit}`]), ...(status === undefined ? [] : [`status=${status}`])];
        const query = joined(before, makePart(tables.list, 'query', vector.query, context)(pairs), after);
        return { method: 'GET', body: undefined, framing: 'length', ...request(vector, context, { path: '/pets', query }) };
      }
      case 'get': {
        const { before, after } = makePart(tables.get, 'parameters', vector.parameters, context);
        const path = `/pets/${makePart(tables.get, 'id', vector.id, context)}`;
        return { method: 'GET', body: undefined, framing: 'length', ...request(vector, context, { path, query: joined(before, after) }) };
      }
      case 'create': {
        const { before, after } = makePart(tables.create, 'parameters', vector.parameters, context);
        const type = makePart(tables.create, 'type', vector.type, context);
        const headers: readonly Header[] = type === undefined ? [] : [['content-type', type]];
        const credential = makePart(tables.create, 'credential', vector.credential, context);
        return {
          method: 'POST',
          body: bodyOf(tables.create, vector, { context, members: credential.members ?? [] }),
          framing: makePart(tables.create, 'framing', vector.framing, context),
          ...request(vector, context, { path: '/pets', query: joined(before, after), headers }),
        };
      }
      default:
        return vector satisfies never;
    }
  };
}

function makePart<All, Dimension extends keyof All & string>(
  tables: All,
  dimension: Dimension,
  named: ValueName | undefined,
  context: ComposeContext,
): All[Dimension] extends Table<infer Part> ? Part : never {
  const table = tables[dimension] as Table<All[Dimension] extends Table<infer Part> ? Part : never>;
  const making: MakeInput = {
    ...context,
    // Few values are made of it.
    get plainName() {
      return plainNameOf(context);
    },
    random: createRandom(seedOf(context, dimension)),
  };
  return valueNamed(table, named).make(making);
}

function bodyOf(
  tables: CreateTables,
  vector: Extract<Vector, { op: 'create' }>,
  { context, members }: { readonly context: ComposeContext; readonly members: readonly Member[] },
): Uint8Array | undefined {
  const texts = {
    name: makePart(tables, 'name', vector.name, context),
    categoryId: makePart(tables, 'category', vector.category, context),
    status: makePart(tables, 'status', vector.status, context),
  };
  // A member that is left out still has a text, for the members that stand in its place.
  const values = {
    name: texts.name ?? JSON.stringify(plainNameOf(context)),
    categoryId: texts.categoryId ?? String(context.categoryId),
  };
  const documented = Object.entries(texts).flatMap(([name, text]): Member[] => (text === undefined ? [] : [[JSON.stringify(name), text]]));
  const others = makePart(tables, 'members', vector.members, context)(values);
  const all = [...(others.before ?? []), ...documented, ...(others.after ?? []), ...members];
  const spelled = makePart(tables, 'order', vector.order, context)(all).map(makePart(tables, 'escapes', vector.escapes, context));
  const object = makePart(tables, 'space', vector.space, context)(spelled);
  const body = makePart(tables, 'shape', vector.shape, context)({ object, ...values });
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}
