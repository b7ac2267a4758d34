import { readListQuery } from '../../src/reference/core/base.ts';
import { type Call, type Context, type ListQuery, type Operation, Problem, type Reply } from '../../src/reference/core/parts.ts';
import type { NewPet, Pet, Store } from '../../src/reference/core/store.ts';

/** Kinds of requests in the grid: a valid one of an operation, or one that the document says is rejected. */
export const KINDS = ['list', 'create', 'get', 'reject'] as const;
export type Kind = (typeof KINDS)[number];

/** The current milliseconds: those of the machine, or in a walk its own. */
export type Clock = { now(): number };

/** The previous request, with its status. */
type Before = { readonly operation: Operation; readonly target: string; readonly status: number };

/** A request as conditions see it. */
export type Asked = {
  readonly kind: Kind;
  readonly call: Call;
  readonly store: Store;
  /** Its number among the requests of its kind, and among all; both begin at 1. */
  readonly turn: number;
  readonly number: number;
  /** Its number on its connection, from 1. */
  readonly onConnection: number;
  /** Requests without a response so far. */
  readonly underWay: number;
  /** Milliseconds since the previous request began. */
  readonly pause: number;
  readonly before: Before | undefined;
  /** The query of a list. */
  readonly query: ListQuery | undefined;
  /** The number of animals that match a list, whatever its limit. */
  readonly matching: number;
  /** The body of a valid creation, and of the previous one. */
  readonly newPet: NewPet | undefined;
  readonly lastNewPet: NewPet | undefined;
  /** The animal that a read finds, how often it has been read, and milliseconds since its creation. */
  readonly pet: Pet | undefined;
  readonly reads: number;
  readonly age: number;
  /** Why the request is rejected. */
  readonly problem: Problem | undefined;
  /** The text of a body that was read. */
  readonly text: string;
};

type Read = Pick<Asked, 'kind' | 'query' | 'matching' | 'newPet' | 'pet' | 'problem' | 'text'>;

const NOTHING = { query: undefined, matching: 0, newPet: undefined, pet: undefined, problem: undefined, text: '' };

async function readCreation({ call, parts }: Context): Promise<Read | undefined> {
  const bytes = await call.body();
  if (bytes instanceof Problem) return undefined;
  const text = Buffer.from(bytes).toString();
  const body = parts.readBody(bytes, call);
  const newPet = body instanceof Problem ? body : parts.readNewPet(body, parts);
  return newPet instanceof Problem ? { ...NOTHING, kind: 'reject', problem: newPet, text } : { ...NOTHING, kind: 'create', newPet, text };
}

/** The kind of a request; undefined for what the document leaves open. The body must allow being read twice. */
async function read(context: Context): Promise<Read | undefined> {
  const { call, parts, store } = context;
  if (call.operation === 'unknown') return undefined;
  const unauthorized = parts.authenticate(call, context.apiKey);
  if (unauthorized !== undefined) return { ...NOTHING, kind: 'reject', problem: unauthorized };
  if (call.operation === 'createPet') return await readCreation(context);
  if (call.operation === 'listPets') {
    const query = readListQuery(context);
    if (query instanceof Problem) return undefined;
    const { status } = query;
    const matching = store.animals.filter((pet) => status === undefined || parts.matches(pet, status)).length;
    return { ...NOTHING, kind: 'list', query, matching };
  }
  const id = parts.parseId(call.petId);
  if (id instanceof Problem) return undefined;
  const pet = parts.find(store, id);
  if (pet === undefined) return { ...NOTHING, kind: 'reject', problem: new Problem(404, 'not_found', 'The animal does not exist') };
  return { ...NOTHING, kind: 'get', pet };
}

/** What one server remembers about previous requests. */
export function createMemory(clock: Clock) {
  const turns: Record<Kind, number> = { list: 0, create: 0, get: 0, reject: 0 };
  const onConnection = new WeakMap<object, number>();
  const reads = new Map<bigint, number>();
  const births = new Map<bigint, number>();
  let number = 0;
  let underWay = 0;
  let last = clock.now();
  let before: Before | undefined;
  let lastNewPet: NewPet | undefined;
  return {
    async ask(context: Context): Promise<Asked | undefined> {
      const { call, store } = context;
      number += 1;
      underWay += 1;
      onConnection.set(call.connection, (onConnection.get(call.connection) ?? 0) + 1);
      const pause = clock.now() - last;
      last = clock.now();
      const moment = { number, underWay: underWay - 1, pause, before, onConnection: onConnection.get(call.connection) ?? 0 };
      const one = await read(context);
      if (one === undefined) return undefined;
      turns[one.kind] += 1;
      const { pet, newPet } = one;
      if (pet !== undefined) reads.set(pet.id, (reads.get(pet.id) ?? 0) + 1);
      const asked = { ...one, ...moment, call, store, turn: turns[one.kind], lastNewPet };
      if (newPet !== undefined) lastNewPet = newPet;
      const born = births.get(pet?.id ?? -1n);
      return { ...asked, reads: reads.get(pet?.id ?? -1n) ?? 0, age: born === undefined ? Number.POSITIVE_INFINITY : clock.now() - born };
    },
    /** Adds a new animal to the memory. */
    bear(pet: Pet): void {
      births.set(pet.id, clock.now());
    },
    end({ operation, target }: Call, reply: Reply | undefined): void {
      underWay -= 1;
      before = { operation, target, status: reply?.status ?? 500 };
    },
  };
}
