import type { Context, Parts, Reply } from '../core/parts.ts';
import { notFound } from '../core/problem.ts';
import { problemReply } from '../core/replies.ts';
import { type Fault, type FaultNeeds, fault, writing } from './fault.ts';
import { header, isProblem } from './helpers.ts';

const clause = 'auth.precedence';

/** Looks at something else before the credential. */
function judgeFirst(name: string, summary: string, judge: (context: Context) => unknown, needs?: FaultNeeds): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    handle: async (context) => {
      const problem = await judge(context);
      return isProblem(problem) ? problemReply(context, problem) : await parts.handle(context);
    },
  });
  return fault(name, clause, summary, replace, needs);
}

/** Judges the body before the credential and keeps it, since a body can be read only once. */
function judgeBodyFirst(name: string, summary: string, judge: (context: Context, bytes: Uint8Array) => unknown): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    handle: async (context): Promise<Reply> => {
      if (context.call.operation !== 'createPet') return await parts.handle(context);
      const bytes = await context.call.body();
      const problem: unknown = isProblem(bytes) ? bytes : judge(context, bytes);
      if (isProblem(problem)) return problemReply(context, problem);
      return await parts.handle({ ...context, call: { ...context.call, body: async () => bytes } });
    },
  });
  return fault(name, clause, summary, replace, writing);
}

/** Everything that is looked at before the credential. */
export const authenticationOrderFaults: readonly Fault[] = [
  judgeBodyFirst(
    'body-read-before-credential',
    'A body that is not JSON is answered 400 before the credential is looked at.',
    (context, bytes) => context.parts.readBody(bytes, context.call),
  ),
  judgeBodyFirst(
    'body-validated-before-credential',
    'An invalid NewPet is answered 400 before the credential is looked at.',
    (context, bytes) => {
      const body = context.parts.readBody(bytes, context.call);
      return isProblem(body) ? undefined : context.parts.readNewPet(body, context.parts);
    },
  ),
  judgeBodyFirst(
    'empty-body-before-credential',
    'A POST without a body is answered 400 before the credential is looked at.',
    (context, bytes) => (bytes.byteLength === 0 ? context.parts.readBody(bytes, context.call) : undefined),
  ),
  judgeFirst(
    'missing-animal-before-credential',
    'A missing animal is answered 404 before the credential is looked at.',
    ({ call, parts, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return id === undefined || isProblem(id) || parts.find(store, id) !== undefined ? undefined : notFound();
    },
  ),
  judgeFirst(
    'bad-id-before-credential',
    'A petId that is no integer is answered 400 by the router, before the credential.',
    ({ call, parts }) => (call.operation === 'getPet' ? parts.parseId(call.petId) : undefined),
  ),
  judgeFirst('bad-limit-before-credential', 'A bad limit is answered 400 before the credential is looked at.', ({ call, parts }) =>
    call.operation === 'listPets' ? parts.parseLimit(call.query.getAll('limit')) : undefined,
  ),
  judgeFirst(
    'bad-status-before-credential',
    'A bad status filter is answered 400 before the credential is looked at.',
    ({ call, parts }) => (call.operation === 'listPets' ? parts.parseStatus(call.query.getAll('status')) : undefined),
  ),
  judgeFirst(
    'bad-media-type-before-credential',
    'A POST of another media type is answered 400 before the credential is looked at.',
    ({ call, parts }) =>
      call.operation === 'createPet' && !/json/i.test(header(call, 'content-type')) ? parts.readBody(new Uint8Array(), call) : undefined,
    writing,
  ),
];
