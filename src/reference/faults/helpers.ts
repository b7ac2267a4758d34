import { type Json, NumberText } from '../core/json.ts';
import type { Call, Context, Operation, Parts, Reply } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import type { Store } from '../core/store.ts';

/** True on every nth call, counted from the first. */
export function every(nth: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % nth === 0;
  };
}

/** Changes the finished answer. */
export function rewrite(parts: Parts, change: (reply: Reply, context: Context) => Reply | Promise<Reply>): Partial<Parts> {
  return { handle: async (context) => change(await parts.handle(context), context) };
}

/** Changes the finished answers of which the condition holds. */
export function rewriteIf(
  parts: Parts,
  condition: (reply: Reply, context: Context) => boolean,
  change: (reply: Reply, context: Context) => Partial<Reply>,
): Partial<Parts> {
  return rewrite(parts, (reply, context) => (condition(reply, context) ? { ...reply, ...change(reply, context) } : reply));
}

/** Changes the text of the bodies of which the condition holds. */
export function rewriteText(
  parts: Parts,
  condition: (reply: Reply, context: Context) => boolean,
  change: (text: string) => string | Uint8Array,
): Partial<Parts> {
  return rewriteIf(parts, condition, (reply) => ({ body: change(reply.body.toString()) }));
}

/** Whether the answer is of this operation and status. */
export function isAnswer(operation: Operation, status: number): (reply: Reply, context: Context) => boolean {
  return (reply, { call }) => call.operation === operation && reply.status === status;
}

/** Refuses, or lets pass, requests before the operation sees them; authentication has passed. */
export function refuse(parts: Parts, judge: (context: Context) => Problem | undefined): Partial<Parts> {
  return {
    dispatch: (context) => {
      const problem = judge(context);
      if (problem === undefined) return parts.dispatch(context);
      const { status, code, message } = problem;
      return {
        status,
        headers: parts.headers({ 'content-type': 'application/json' }, { status }, context.call),
        body: JSON.stringify({ code, message, status }),
      };
    },
  };
}

/** A crash inside the operation: the server answers 500 with an Error body. */
export function crash(): never {
  throw new Error('crashed on purpose');
}

/** Crashes requests of which the condition holds. */
export function crashIf(parts: Parts, condition: (context: Context) => boolean): Partial<Parts> {
  return { dispatch: (context) => (condition(context) ? crash() : parts.dispatch(context)) };
}

/** Stores another name than was sent; all later answers show it. */
export function storeName(parts: Parts, change: (name: string) => string): Partial<Parts> {
  return storePet(parts, (pet) => ({ ...pet, name: change(pet.name) }));
}

/** Stores another animal than was sent; all later answers show it. */
export function storePet(parts: Parts, change: (pet: Pet, store: Store) => Pet): Partial<Parts> {
  return { insert: (store, pet) => parts.insert(store, change(pet, store)) };
}

/** Stores another animal than was sent, while the 201 still shows what was sent. */
export function storePetSilently(parts: Parts, change: (pet: Pet, store: Store) => Pet): Partial<Parts> {
  return {
    insert: async (store, pet) => {
      await parts.insert(store, change(pet, store));
      return pet;
    },
  };
}

/** Reads a field of NewPet more leniently: the reader gives undefined where the base shall judge. */
export function lenientCategory(parts: Parts, read: (value: Json | undefined) => bigint | undefined): Partial<Parts> {
  return { readCategory: (value) => read(value) ?? parts.readCategory(value) };
}

/** See `lenientCategory`. */
export function lenientName(parts: Parts, read: (value: Json | undefined) => string | undefined): Partial<Parts> {
  return { readName: (value) => read(value) ?? parts.readName(value) };
}

/** The text of a number that is not plain digits; undefined for everything else. */
export function oddNumber(value: Json | undefined): string | undefined {
  return value instanceof NumberText && !/^-?\d+$/.test(value.text) ? value.text : undefined;
}

/** Whether the part refused. */
export function isProblem(value: unknown): value is Problem {
  return value instanceof Problem;
}

/** The value of a request header as one text. */
export function header(call: Call, name: string): string {
  const value = call.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** A small pause, to let other requests come in between. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}
