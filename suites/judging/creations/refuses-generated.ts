import fc from 'fast-check';
import type { Mutation } from '../../../src/arbitraries/invalid-bodies.ts';
import type { ClauseId } from '../../../src/clause/clause.ts';
import type { Outcome } from '../../../src/clause/outcome.ts';
import type { Session } from '../../../src/session/session.ts';
import { judgeBatch } from '../judge-batch.ts';
import { judgeProperty } from '../judge-property.ts';
import { judgeRefusal } from './judge-refusal.ts';

export type RefusalProperty = { readonly cases: fc.Arbitrary<Mutation>; readonly planned: number };

const AT_ONCE = 5;

const FEW_ACCEPTED = 4;

/** Judges valid bodies that were mutated into invalid ones. A service that accepts them stores them, so shrinking is short. */
export function refusesGenerated(clause: ClauseId, property: RefusalProperty): (s: Session) => Promise<Outcome> {
  return async (s) => {
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
          judge: async (mutation) => judgeRefusal(s, { ...mutation, body: { raw: mutation.body(await s.fixtures.plain()) } }),
        }),
      evidence: 'bodies mutated from valid ones, each rejected with 400',
    });
  };
}
