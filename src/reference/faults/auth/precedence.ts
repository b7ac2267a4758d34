import type { Context, Patch, Reply } from '../../core/parts.ts';
import { notFound } from '../../core/problem.ts';
import { problemReply } from '../../core/replies.ts';
import { faultsOf, WRITES } from '../fault.ts';
import { header, isProblem } from '../helpers/requests.ts';

/** Checks something else before the credential. */
function judgeFirst(judge: (context: Context) => unknown): Patch {
  return (parts) => ({
    handle: async (context) => {
      const problem = await judge(context);
      return isProblem(problem) ? problemReply(context, problem) : await parts.handle(context);
    },
  });
}

/** Checks the body before the credential and keeps it, since a body can be read only once. */
function judgeBodyFirst(judge: (context: Context, bytes: Uint8Array) => unknown): Patch {
  return (parts) => ({
    handle: async (context): Promise<Reply> => {
      if (context.call.operation !== 'createPet') return await parts.handle(context);
      const bytes = await context.call.body();
      const problem: unknown = isProblem(bytes) ? bytes : judge(context, bytes);
      if (isProblem(problem)) return problemReply(context, problem);
      return await parts.handle({ ...context, call: { ...context.call, body: async () => bytes } });
    },
  });
}

/** Checks that precede the credential. */
export const authPrecedence = faultsOf('auth.precedence', {
  'body-read-before-credential': [
    'A body that is not JSON returns 400 before the credential is checked.',
    judgeBodyFirst((context, bytes) => context.parts.readBody(bytes, context.call)),
    WRITES,
  ],
  'body-validated-before-credential': [
    'An invalid NewPet returns 400 before the credential is checked.',
    judgeBodyFirst((context, bytes) => {
      const body = context.parts.readBody(bytes, context.call);
      return isProblem(body) ? undefined : context.parts.readNewPet(body, context.parts);
    }),
    WRITES,
  ],
  'empty-body-before-credential': [
    'A POST without a body returns 400 before the credential is checked.',
    judgeBodyFirst((context, bytes) => (bytes.byteLength === 0 ? context.parts.readBody(bytes, context.call) : undefined)),
    WRITES,
  ],
  'missing-animal-before-credential': [
    'A missing animal returns 404 before the credential is checked.',
    judgeFirst(({ call, parts, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return id === undefined || isProblem(id) || parts.find(store, id) !== undefined ? undefined : notFound();
    }),
  ],
  'negative-id-before-credential': [
    'The authentication middleware matches only /pets/\\d+, so a negative id is looked up without a key.',
    judgeFirst(({ call, parts, store }) => {
      const id = call.petId.startsWith('-') ? parts.parseId(call.petId) : undefined;
      return id === undefined || isProblem(id) || parts.find(store, id) !== undefined ? undefined : notFound();
    }),
  ],
  'bad-id-before-credential': [
    'The router returns 400 for a petId that is not an integer, before the credential is checked.',
    judgeFirst(({ call, parts }) => (call.operation === 'getPet' ? parts.parseId(call.petId) : undefined)),
  ],
  'bad-limit-before-credential': [
    'A bad limit returns 400 before the credential is checked.',
    judgeFirst(({ call, parts }) => (call.operation === 'listPets' ? parts.parseLimit(call.query.getAll('limit')) : undefined)),
  ],
  'bad-status-before-credential': [
    'A bad status filter returns 400 before the credential is checked.',
    judgeFirst(({ call, parts }) => (call.operation === 'listPets' ? parts.parseStatus(call.query.getAll('status')) : undefined)),
  ],
  'bad-media-type-before-credential': [
    'A POST of another media type returns 400 before the credential is checked.',
    judgeFirst(({ call, parts }) =>
      call.operation === 'createPet' && !/json/i.test(header(call, 'content-type')) ? parts.readBody(new Uint8Array(), call) : undefined,
    ),
    WRITES,
  ],
});
