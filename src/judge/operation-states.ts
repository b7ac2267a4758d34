// Whether the run has shown of each operation that it works, and that it rejects what it must reject.

import type { ClauseId } from '../clause/clause.ts';
import { INVALID_BODY_CLAUSES } from '../clause/clause-ids.ts';
import type { ClauseRecord, MustRecord } from '../clause/clause-record.ts';
import { mayBeRemoved } from '../clause/removal.ts';
import type { Operation } from '../wire/exchange.ts';
import { clauseVerdict } from './must-counts.ts';

type Proof = {
  readonly operation: Operation;
  readonly success: ClauseId;
  /** Any of them is enough. */
  readonly rejections: readonly ClauseId[];
  /** The titles of what counts of a clause that is about other operations as well. */
  readonly musts?: readonly string[];
  /** The clause that replaces both from the day on which the operation may have been removed. */
  readonly afterRemoval?: ClauseId;
};

const PROOFS: readonly Proof[] = [
  {
    operation: 'listPets',
    success: 'list.success',
    rejections: ['auth.missing-credential'],
    musts: ['lists', 'lists with parameters'],
  },
  {
    operation: 'createPet',
    success: 'create.success',
    rejections: INVALID_BODY_CLAUSES,
  },
  { operation: 'getPet', success: 'get.success', rejections: ['get.not-found'], afterRemoval: 'deprecation.still-works' },
];

/**
 * The state of an operation. `not-selected`: the run was not to judge all of its proof. `left-out`: an option of the user's kept it from
 * being exercised, as read-only runs create nothing.
 */
export type OperationState = { readonly operation: Operation } & (
  | { readonly kind: 'passed' | 'not-selected' | 'left-out' }
  | { readonly kind: 'unproven' /** A sentence for the reader of a report. */; readonly reason: string }
);

/** Why one side of a proof is missing; undefined if it is there. */
type MissingProof = 'not-selected' | 'left-out' | { readonly reason: string };

function lacking(parts: readonly MustRecord[], what: string): MissingProof | undefined {
  if (parts.length === 0) return 'not-selected';
  const undecided = parts.filter(({ verdict }) => verdict === 'inconclusive');
  const first = undecided.find(({ why }) => why !== 'choice');
  if (first === undefined && undecided.length > 0) return 'left-out';
  return { reason: `${what}: ${first?.note ?? 'no exchange to which it applies'}` };
}

const verdictOf = (parts: readonly MustRecord[]) => clauseVerdict(parts.map(({ verdict }) => verdict));

function missingSuccess({ operation, success }: Proof, parts: readonly MustRecord[]): MissingProof | undefined {
  const verdict = verdictOf(parts);
  if (parts.length > 0 && verdict === 'pass') return undefined;
  if (verdict === 'waived') return { reason: `${success} is waived, so nothing shows that ${operation} works` };
  return lacking(parts, `${operation} never worked in this run`);
}

type OfClause = (clause: ClauseId) => readonly MustRecord[];

/** A waived rejection counts if the service was seen to reject: with a status other than the documented one, or not everywhere. */
function missingRejection({ operation, rejections, musts }: Proof, of: OfClause, rejects: boolean): MissingProof | undefined {
  const groups = rejections.map((id) => of(id).filter(({ title }) => musts?.includes(title) !== false));
  const verdicts = groups.filter((parts) => parts.length > 0).map(verdictOf);
  if (verdicts.includes('pass') || (verdicts.includes('waived') && rejects)) return undefined;
  return lacking(groups.flat(), `${operation} never rejected what it must reject`);
}

function stateOf(proof: Proof, { clauses, rejects, now }: RunOfOperations): OperationState {
  const { operation, success, afterRemoval } = proof;
  const of: OfClause = (id) => clauses.find((clause) => clause.id === id)?.musts ?? [];
  const isGone = afterRemoval !== undefined && mayBeRemoved(now);
  const standIn = isGone ? of(afterRemoval) : [];
  const missing =
    standIn.length > 0
      ? [missingSuccess({ ...proof, success: afterRemoval ?? success }, standIn)]
      : [missingSuccess(proof, of(success)), missingRejection(proof, of, rejects.includes(operation))];
  // From that day on, nothing has to be there to show it.
  if (missing.includes('not-selected') || (isGone && standIn.length === 0)) return { operation, kind: 'not-selected' };
  const [first, second] = missing;
  const decisive = first ?? second;
  if (decisive === undefined || decisive === 'not-selected') return { operation, kind: 'passed' };
  return decisive === 'left-out' ? { operation, kind: 'left-out' } : { operation, kind: 'unproven', reason: decisive.reason };
}

export type RunOfOperations = {
  readonly clauses: readonly Pick<ClauseRecord, 'id' | 'musts'>[];
  readonly rejects: readonly Operation[];
  readonly now: Date;
};

export function operationStates(run: RunOfOperations): readonly OperationState[] {
  return PROOFS.map((proof) => stateOf(proof, run));
}
