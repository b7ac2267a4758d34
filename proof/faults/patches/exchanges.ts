// Patches of requests, replies, and errors that several faults share.

import type { ServerResponse } from 'node:http';
import { type Call, type Context, type Operation, type Patch, Problem, type Reply } from '../../../src/reference/core/parts.ts';

/** True on every nth call, counted from the first. */
export function everyNth(nth: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % nth === 0;
  };
}

/** A patch with a separate counter in each server: `isTurn` is true on every nth call. */
export function onEveryNth(nth: number, make: (isTurn: () => boolean) => Patch): Patch {
  return (parts) => make(everyNth(nth))(parts);
}

/**
 * A patch with a separate counter in each server: from every `every`th call on, `isGone` is true for `length` milliseconds. It begins by
 * requests and not by time, so that each run meets it.
 */
function onOutages({ every, length }: { readonly every: number; readonly length: number }, make: (isGone: () => boolean) => Patch): Patch {
  return (parts) => {
    const isTurn = everyNth(every);
    let until = 0;
    return make(() => {
      if (isTurn()) until = Date.now() + length;
      return Date.now() < until;
    })(parts);
  };
}

/** Rejects requests, or lets them pass, before the operation sees them; authentication has passed. */
export function reject(judge: (context: Context) => Problem | undefined): Patch {
  return (parts) => ({
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
  });
}

/** Rejects all requests to an operation for 150 ms, repeatedly after this many requests to it. */
export function rejectForMoments(
  operation: Call['operation'],
  { every, problem }: { readonly every: number; readonly problem: Problem },
): Patch {
  return onOutages({ every, length: 150 }, (isGone) =>
    reject(({ call }) => (call.operation === operation && isGone() ? problem : undefined)),
  );
}

/** A crash inside the operation: the server responds with 500 and an Error body. */
export function crash(): never {
  throw new Error('crashed on purpose');
}

/** Crashes requests that meet the condition. */
export function crashIf(condition: (context: Context) => boolean): Patch {
  return (parts) => ({ dispatch: (context) => (condition(context) ? crash() : parts.dispatch(context)) });
}

/** Whether the part rejected the request. */
export function isProblem(value: unknown): value is Problem {
  return value instanceof Problem;
}

/** The value of a request header as one text. */
export function header(call: Call, name: string): string {
  const value = call.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

export type Condition = (reply: Reply, context: Context) => boolean;

/** Changes the finished reply. */
export function rewrite(change: (reply: Reply, context: Context) => Reply | Promise<Reply>): Patch {
  return (parts) => ({ handle: async (context) => change(await parts.handle(context), context) });
}

/** Changes the finished replies that meet the condition. */
export function rewriteIf(condition: Condition, change: (reply: Reply, context: Context) => Partial<Reply>): Patch {
  return rewrite((reply, context) => (condition(reply, context) ? { ...reply, ...change(reply, context) } : reply));
}

/** Changes the text of bodies that meet the condition. */
export function rewriteText(condition: Condition, change: (text: string) => string | Uint8Array): Patch {
  return rewriteIf(condition, (reply) => ({ body: change(reply.body.toString()) }));
}

/** Whether the reply is of this operation and status. */
export function isReplyTo(operation: Operation, status: number): Condition {
  return (reply, { call }) => call.operation === operation && reply.status === status;
}

export const isListed = isReplyTo('listPets', 200);
export const isRead = isReplyTo('getPet', 200);
export const isCreated = isReplyTo('createPet', 201);
export const isGood: Condition = ({ status }) => status < 300;
export const isUnauthorized: Condition = ({ status }) => status === 401;
export const isError: Condition = ({ status }) => status >= 400;

/** A list without animals. */
export const isEmptyList: Condition = (reply, context) => isListed(reply, context) && reply.body === '[]';

/** Writes a reply to the connection in its own way. */
export type Wire = (reply: Reply, outgoing: ServerResponse) => void;

/** Writes the replies that meet the condition in another way. */
export function onWire(condition: (call: Call, reply: Reply) => boolean, wire: Wire): Patch {
  return (parts) => ({
    send: (reply, outgoing, call) => (condition(call, reply) ? wire(reply, outgoing) : parts.send(reply, outgoing, call)),
  });
}

type ErrorRecord = { code: unknown; message: unknown; status: unknown };

/** A different Error body. */
export function shape(change: (record: ErrorRecord, problem: Problem) => unknown): Patch {
  return () => ({ errorRecord: (problem) => change({ code: problem.code, message: problem.message, status: problem.status }, problem) });
}

/** A different Error body for one status. */
export function shapeOf(status: number, change: (record: ErrorRecord, problem: Problem) => unknown): Patch {
  return (parts) => ({
    errorRecord: (problem, call) => {
      const { code, message } = problem;
      return status === problem.status ? change({ code, message, status }, problem) : parts.errorRecord(problem, call);
    },
  });
}

/** A different body and media type for the errors of one status. */
export function plainBody(status: number, body: string, type: string): Patch {
  return rewriteIf(
    (reply, { call }) => reply.status === status && call.operation !== 'unknown',
    ({ headers }) => ({ body, headers: { ...headers, 'content-type': type } }),
  );
}
