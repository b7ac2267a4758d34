import type { Context, Operation, Patch, Reply } from '../../core/parts.ts';

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
