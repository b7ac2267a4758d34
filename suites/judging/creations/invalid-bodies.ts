import fc from 'fast-check';
import type { Mutation } from '../../../src/arbitraries/invalid-bodies.ts';
import type { ClauseId } from '../../../src/clause/clause.ts';
import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../../src/clause/outcome.ts';
import { answerOf, describeAnswer } from '../../../src/expect/expect.ts';
import type { FaultName } from '../../../src/reference/faults/index.ts';
import type { CreateBody } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { RunState } from '../../../src/session/state/run-state.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import type { InvalidBody } from '../../cases/invalid-body.ts';
import type { JudgingInvariant } from '../../define.ts';
import { judgeProperty } from '../judge-property.ts';
import { judgeBatch, judgeRows } from '../judge-rows.ts';
import { isOwnedElsewhere, notRefused } from '../ownership.ts';
import { describeBody } from './describe-body.ts';
import { post } from './post.ts';
import { requireCreation, requireStillCreates } from './require-creation.ts';

export type Refusal = { readonly clause: ClauseId; readonly what: string; readonly body: CreateBody };

/** Sends a body that must be rejected. Halts without a response. */
export async function sendInvalid(s: Session, { clause, body }: Omit<Refusal, 'what'>): Promise<Exchange> {
  const exchange = await post(s, body, { domain: 'invalid', clause });
  answerOf(exchange);
  return exchange;
}

const CONTENT_TOO_LARGE = 413;

/** No NewPet of the plain domain is longer than this many bytes. */
const SMALL = 512;

/** Whether the body was rejected for its size before its content was looked at: the document shows no size limit. */
function isTooLarge({ request: { body }, outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && outcome.answer.status === CONTENT_TOO_LARGE && (body?.length ?? 0) > SMALL;
}

/** Sends a body that must be rejected; a finding when the response is not 400. Halts when it was rejected for its size. */
export async function judgeRefusal(s: Session, refusal: Refusal): Promise<Finding | undefined> {
  const exchange = await sendInvalid(s, refusal);
  if (isTooLarge(exchange)) haltInconclusive(`a body ${refusal.what} was rejected for its size (${CONTENT_TOO_LARGE})`, 'circumstance');
  const wrong = notRefused(exchange, `POST /pets with a body ${refusal.what}`);
  if (wrong !== undefined) await requireStillCreates(s, exchange);
  return wrong;
}

/** Judges a table of bodies that must be rejected, once creation is known to work. */
export function refusesAll(clause: ClauseId, rows: readonly InvalidBody[]): (s: Session) => Promise<Outcome> {
  return async (s) => {
    await requireCreation(s);
    return judgeRows(s, {
      rows,
      judge: async ({ what, body }) => {
        const valid = await s.fixtures.plain();
        return judgeRefusal(s, { clause, what, body: body(valid) });
      },
      evidence: `${rows.length} bodies, each rejected with 400`,
    });
  };
}

export type RefusalProperty = { readonly cases: fc.Arbitrary<Mutation>; readonly planned: number };

const AT_ONCE = 5;

const FEW_ACCEPTED = 4;

/** Judges valid bodies that were mutated into invalid ones. A service that accepts them stores them, so shrinking is short. */
export function refusesGenerated(clause: ClauseId, property: RefusalProperty): (s: Session) => Promise<Outcome> {
  return async (s) => {
    await requireCreation(s);
    const isRed = (s.knowledge.acceptedInvalid.get(clause) ?? 0) > FEW_ACCEPTED;
    return judgeProperty(s, {
      name: clause,
      cases: fc.array(property.cases, { minLength: isRed ? AT_ONCE : 1, maxLength: AT_ONCE }),
      // Where bodies of this kind are accepted, which is reported already, each of them leaves an animal: one full batch shows it again.
      planned: isRed ? 1 : property.planned,
      shrinking: isRed ? 2 : 8,
      law: (batch) =>
        judgeBatch(s, {
          rows: batch,
          judge: async (mutation) => {
            const valid = await s.fixtures.plain();
            return judgeRefusal(s, { ...mutation, body: { raw: mutation.body(valid) } });
          },
        }),
      evidence: 'bodies mutated from valid ones, each rejected with 400',
    });
  };
}

const plainRefusals = new WeakMap<RunState, Set<number>>();

/** Statuses that plain NewPets were rejected with: create.success owns them, and an invalid body that gets one may share the cause. */
function refusalsOfPlain(exchange: Exchange, knowledge: RunState): ReadonlySet<number> {
  const statuses = plainRefusals.get(knowledge) ?? new Set<number>();
  plainRefusals.set(knowledge, statuses);
  const { intent } = exchange.request;
  const status = exchange.outcome.kind === 'answered' ? exchange.outcome.answer.status : 0;
  if (intent.body === 'plain' && intent.credential === 'valid' && status >= 300) statuses.add(status);
  return statuses;
}

/** The invariant for a table of bodies: any body that is invalid under this clause returns 400. */
export function refusalInvariant(clause: ClauseId, fault: FaultName): JudgingInvariant {
  return {
    id: 'every-invalid-body',
    title: 'Rejects every body that is invalid under this clause with 400',
    fault,
    judge: (exchange, knowledge) => {
      const { intent } = exchange.request;
      const elsewhere = refusalsOfPlain(exchange, knowledge);
      if (intent.body !== 'invalid' || intent.bodyClause !== clause || intent.credential !== 'valid') return 'not-applicable';
      if (exchange.outcome.kind === 'failed' || isOwnedElsewhere(exchange.outcome.answer)) return 'not-applicable';
      const { status } = exchange.outcome.answer;
      if (status === 400) return 'holds';
      if (elsewhere.has(status) || isTooLarge(exchange)) return 'not-applicable';
      return {
        summary: `POST /pets ${status < 300 ? 'accepted' : 'rejected'} the invalid body ${describeBody(exchange)} (${status}); expected 400`,
        expected: ['400 with an Error body'],
        received: describeAnswer(exchange),
      };
    },
  };
}
