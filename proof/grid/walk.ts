import { seed } from '../../src/reference/core/base.ts';
import type { Call, Operation, Reply } from '../../src/reference/core/parts.ts';
import { createStore, STATUSES } from '../../src/reference/core/store.ts';
import { numberOf } from '../spread.ts';
import type { Asked, Clock } from './asked.ts';
import { type Broken, breakParts, type Defect } from './defects.ts';

const LENGTH = 2_000;
const KEY = 'walk-key-0123456789abcdef';
const CATEGORIES = [1n, 2n, 3n, 4n, 5n];

/** A request of the walk. */
type Step = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Requests with the same number share a connection. */
  readonly connection: number;
  /** Milliseconds that pass before it. */
  readonly pause: number;
  /** It is sent while the previous one is in flight. */
  readonly together: boolean;
};

type Draw = {
  /** An integer from 0 to below the number. */
  below(count: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** True with a probability of one in that many. */
  once(times: number): boolean;
};

function createDraw(name: string): Draw {
  let drawn = 0;
  const below = (count: number): number => {
    drawn += 1;
    return numberOf(`${name} ${drawn}`) % count;
  };
  return {
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    once: (times) => below(times) === 0,
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function nameBy({ below, once }: Draw): string {
  const letters = Array.from({ length: 3 + below(18) }, () => LETTERS[below(LETTERS.length)] ?? 'a').join('');
  return once(2) ? letters : `${letters[0]?.toUpperCase()}${letters.slice(1)}`;
}

/** A valid body, with its members in any order. */
function bodyBy(draw: Draw): string {
  const name = `"name":${JSON.stringify(nameBy(draw))}`;
  const category = `"categoryId":${CATEGORIES[draw.below(CATEGORIES.length)]}`;
  const status = draw.once(3) ? [] : [`"status":"${draw.pick(STATUSES)}"`];
  const members = draw.pick([
    [name, category, ...status],
    [category, name, ...status],
    [...status, name, category],
  ]);
  return draw.once(4) ? `{\n  ${members.join(',\n  ')}\n}` : `{${members.join(',')}}`;
}

const INVALID: readonly [string, ...string[]] = [
  '',
  '{"name":"Rex","categoryId":1',
  "{name:'Rex',categoryId:1}",
  '[{"name":"Rex","categoryId":1}]',
  '"Rex"',
  'null',
  '{}',
  '{"categoryId":1}',
  '{"name":null,"categoryId":1}',
  '{"name":7,"categoryId":2}',
  '{"name":["Rex"],"categoryId":2}',
  '{"name":"Rex"}',
  '{"name":"Rex","categoryId":null}',
  '{"name":"Rex","categoryId":"1"}',
  '{"name":"Rex","categoryId":1.5}',
  '{"name":"Rex","categoryId":9223372036854775808}',
  '{"name":"Rex","categoryId":true}',
  '{"name":"Rex","categoryId":1,"status":"reserved"}',
  '{"name":"Rex","categoryId":1,"status":"SOLD"}',
  '{"name":"Rex","categoryId":1,"status":null}',
  '{"name":"Rex","categoryId":1,"status":3}',
];

const CREDENTIALS: readonly [string, ...string[]] = [
  '',
  'Bearer wrong',
  'Bearer walk-key-0123456789abcdeg',
  'Bearer walk-key-0123456789abcde',
  'Bearer walk-key-0123456789abcdef0',
  'Bearer WALK-KEY-0123456789ABCDEF',
  'Bearer ',
  'Basic d2FsazprZXk=',
  'Token walk-key-0123456789abcdef',
  'walk-key-0123456789abcdef',
];

const UNKNOWN_IDS: readonly [string, ...string[]] = ['0', '-1', '2147483648', '4294967297', '9007199254740993', '9223372036854775807'];

const CLIENTS: readonly [Readonly<Record<string, string>>, ...Readonly<Record<string, string>>[]] = [
  { accept: 'application/json', 'user-agent': 'shop/2.1', 'accept-encoding': 'gzip, deflate' },
  { accept: '*/*', 'user-agent': 'curl/8.5.0' },
  { accept: 'application/json, text/plain, */*', 'user-agent': 'axios/1.7.2', 'accept-encoding': 'gzip, compress, deflate, br' },
  { accept: 'application/json' },
];

function queryBy(draw: Draw): string {
  const limit = `limit=${draw.pick([1, 1 + draw.below(5), 20, 40 + draw.below(6), 1 + draw.below(100), 100, 100])}`;
  const status = `status=${draw.pick(STATUSES)}`;
  return draw.pick(['', '', limit, limit, limit, status, `${limit}&${status}`, `${limit}&${status}`, `${status}&${limit}`]);
}

type Asking = Pick<Step, 'method' | 'path' | 'query' | 'body'>;

/** The request; `known` is the number of animals, whose ids are 1 and so on. */
function askingBy(draw: Draw, known: number): Asking & { readonly creates: boolean } {
  const get = { method: 'GET', path: '/pets', query: '', body: '', creates: false };
  const turn = draw.below(100);
  if (turn < 46) return { ...get, query: queryBy(draw) };
  if (turn < 53) return { ...get, method: 'POST', body: bodyBy(draw), creates: true };
  if (turn < 62) return { ...get, method: 'POST', body: draw.pick(INVALID) };
  if (turn < 67) return { ...get, path: `/pets/${draw.once(2) ? known + 1 : draw.pick(UNKNOWN_IDS)}` };
  // The newest and a few others are read repeatedly.
  const id = draw.pick([
    known,
    1 + draw.below(known),
    1 + draw.below(known),
    1 + draw.below(Math.min(5, known)),
    Math.max(1, known - draw.below(10)),
  ]);
  return { ...get, path: `/pets/${id}` };
}

/** The requests of the walk: always the same ones for that initial number of animals. */
function stepsOf(seedAnimals: number): readonly Step[] {
  const draw = createDraw(`walk ${seedAnimals}`);
  let known = seedAnimals;
  let connection = 0;
  return Array.from({ length: LENGTH }, () => {
    const { creates, ...asking } = askingBy(draw, known);
    const isAuthorized = creates || !draw.once(12);
    if (creates) known += 1;
    if (draw.once(6)) connection += 1;
    const authorization = isAuthorized ? `Bearer ${KEY}` : draw.pick(CREDENTIALS);
    const headers = {
      ...draw.pick(CLIENTS),
      ...(authorization === '' ? {} : { authorization }),
      ...(asking.body === '' ? {} : { 'content-type': 'application/json' }),
    };
    const pause = draw.once(25) ? 100 + draw.below(900) : draw.below(6);
    return { ...asking, headers, connection, pause, together: draw.once(5) };
  });
}

const STEPS = new Map<number, readonly Step[]>();

function operationOf({ method, path }: Step): Operation {
  return path === '/pets' ? (method === 'GET' ? 'listPets' : 'createPet') : 'getPet';
}

function callOf(step: Step, connections: Map<number, object>): Call {
  const { method, path, query, headers, body } = step;
  const bytes = Buffer.from(body);
  const connection = connections.get(step.connection) ?? {};
  connections.set(step.connection, connection);
  return {
    method,
    target: `/v1${path}${query === '' ? '' : `?${query}`}`,
    operation: operationOf(step),
    query: new URLSearchParams(query),
    headers,
    rawHeaders: Object.entries(headers).flat(),
    petId: path.slice('/pets/'.length),
    connection,
    body: async () => bytes,
    firstPiece: () => bytes.length,
  };
}

/** Receives each request that the document decides, and each response. */
export type WalkOptions = {
  readonly seedAnimals: number;
  /** How many of its requests are sent, instead of all. */
  readonly length?: number;
  readonly watch?: (asked: Asked) => void;
  readonly onReply?: (reply: Reply) => void;
};

/**
 * Sends the fixed walk of 2,000 plain requests to a server in this process, with simulated time. Resolves to how often the defect changed a
 * response or the store.
 */
export async function walk(defect: Pick<Defect, 'kind' | 'condition' | 'effect'> | undefined, options: WalkOptions): Promise<number> {
  const { seedAnimals, length = LENGTH, watch, onReply } = options;
  const steps = STEPS.get(seedAnimals) ?? stepsOf(seedAnimals);
  STEPS.set(seedAnimals, steps);
  let time = 0;
  const clock: Clock = { now: () => time };
  const { parts, applied }: Broken = breakParts(defect, { clock, ...(watch === undefined ? {} : { watch }) });
  const store = createStore();
  seed(store, parts, seedAnimals, CATEGORIES);
  const connections = new Map<number, object>();
  const now = new Date('2026-11-01T00:00:00Z');
  let together: Promise<Reply>[] = [];
  for (const step of steps.slice(0, length)) {
    if (!step.together) {
      for (const reply of await Promise.all(together)) onReply?.(reply);
      together = [];
    }
    time += step.pause;
    together.push(Promise.resolve(parts.handle({ call: callOf(step, connections), store, parts, apiKey: KEY, now: () => now })));
  }
  for (const reply of await Promise.all(together)) onReply?.(reply);
  return applied();
}
