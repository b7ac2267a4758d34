// Entries of a waiver file: what they are for, until when, and what failures they would be for.

import type { AppliedWaiver, ClauseRecord, ReportedKind } from '../clause/clause-record.ts';
import { coversKind, KIND_FIELDS, keyOfKind, kindText, placesOf } from '../clause/failure-kind.ts';
import { waitingFor } from './must-counts.ts';
import type { FoundKind, Waiver } from './waiver-file.ts';

/** Whether an entry is for one kind of failure; any other one covers every failure of its clause. */
export const isBound = (waiver: Waiver): boolean => KIND_FIELDS.some((field) => waiver[field] !== undefined);

/** `list.unique`, with the kind that the entry is for. */
export function nameOf(waiver: Waiver): string {
  return isBound(waiver) ? `${waiver.id} (${kindText(waiver)})` : waiver.id;
}

export function hasExpired(waiver: Waiver, today: Date): boolean {
  return today.toISOString().slice(0, 10) > waiver.expires;
}

export function expiredWaiver(waiver: Waiver, today: Date): string | undefined {
  if (!hasExpired(waiver, today)) return undefined;
  const { expires, reason } = waiver;
  return `the waiver of ${nameOf(waiver)} expired on ${expires} ("${reason}"): fix the failure, or set a later date if the reason still holds`;
}

const YEAR = 366 * 86_400_000;

/** The remark on an entry that is valid for so long that nobody will look at it again, or undefined. */
function distantWaiver(waiver: Waiver, today: Date): string | undefined {
  const { expires } = waiver;
  if (Date.parse(expires) - today.getTime() <= YEAR) return undefined;
  return `the waiver of ${nameOf(waiver)} is valid until ${expires}, more than a year from today: choose an earlier day, so that somebody looks at the failure again`;
}

export type ExamineOptions = {
  /** Why an id names nothing, and the remark on one for a check of an earlier version. */
  readonly unknown: (waiver: Waiver) => string | undefined;
  readonly retired: (waiver: Waiver) => string | undefined;
  readonly today: Date;
};

export type WaiverRemark = { readonly position: number; readonly text: string };

/**
 * What is wrong with a list of waivers (an id that names nothing, an entry that occurs twice), and the remarks on those that have expired or
 * hardly ever will, or name a check of an earlier version: the same rules for the gate and the monitor, whatever each does with them.
 */
export function examineWaivers(
  waivers: readonly Waiver[],
  { unknown, retired, today }: ExamineOptions,
): { readonly problems: readonly WaiverRemark[]; readonly warnings: readonly WaiverRemark[] } {
  const remarks = (say: (waiver: Waiver, position: number) => string | undefined): readonly WaiverRemark[] =>
    waivers.flatMap((waiver, position) => {
      const text = say(waiver, position);
      return text === undefined ? [] : [{ position, text }];
    });
  const keyOf = (waiver: Waiver): string => `${waiver.id}\n${keyOfKind(waiver)}`;
  const first = new Map(waivers.map((waiver, position) => [keyOf(waiver), position] as const).toReversed());
  const twice = remarks((waiver, position) =>
    first.get(keyOf(waiver)) === position ? undefined : `${nameOf(waiver)} is waived twice; keep one entry`,
  );
  return {
    problems: [...remarks(unknown), ...twice],
    warnings: [...remarks((waiver) => expiredWaiver(waiver, today) ?? distantWaiver(waiver, today)), ...remarks(retired)],
  };
}

export type Entry = { readonly waiver: Waiver; readonly applied: AppliedWaiver };

/** The entries that have not expired, with what reports show of them. */
export function standingEntries(waivers: readonly Waiver[], today: Date): readonly Entry[] {
  return waivers.flatMap((waiver, index) => {
    const { reason, ticket, expires } = waiver;
    const shown = { entry: index + 1, reason, ...(ticket === undefined ? {} : { ticket }), expires };
    return hasExpired(waiver, today) ? [] : [{ waiver, applied: isBound(waiver) ? shown : { ...shown, broad: true as const } }];
  });
}

export function noteOf({ reason, ticket, expires }: AppliedWaiver): string {
  return `${reason} (${ticket === undefined ? '' : `${ticket}, `}until ${expires})`;
}

export type FoundFailure = FoundKind & { readonly id: string };

/** Whether the clause is sometimes broken and sometimes not, and nothing shows when: another run may not find it broken. */
function mayComeAndGo({ musts, evidence, failureKinds = [], contrast }: ClauseRecord): boolean {
  const holds = musts.some(({ verdict }) => verdict === 'pass') || (evidence !== undefined && evidence.broken < evidence.judged);
  // What is known of a clause that is waived in part is about all of its failures.
  const isPartly = failureKinds.some(({ waiver }) => waiver !== undefined && waiver.broad !== true);
  return !isPartly && contrast === undefined && holds;
}

/** What the clauses show of each kind that `isWanted`; a kind that another one includes is left out. */
export function failuresOf(
  clauses: readonly ClauseRecord[],
  isWanted: (kind: ReportedKind, clause: ClauseRecord) => boolean,
): readonly FoundFailure[] {
  return clauses
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'waived')
    .flatMap((clause) => {
      const { id, cases = [], contrast, failureKinds = [] } = clause;
      const wanted = failureKinds.flatMap((kind, place) => (isWanted(kind, clause) ? [{ kind, place }] : []));
      const distinct = [...new Map(wanted.toReversed().map((one) => [keyOfKind(one.kind), one])).values()].toReversed();
      const isIncluded = ({ kind }: (typeof distinct)[number]): boolean =>
        distinct.some((other) => other.kind !== kind && coversKind(other.kind, kind));
      const hides = waitingFor(id, clauses);
      return distinct
        .filter((one) => !isIncluded(one))
        .map(({ kind: { must, place: where, expected, received }, place }) => {
          const isOfKind = (one: (typeof cases)[number] | undefined): boolean => one !== undefined && placesOf(one).includes(place);
          const found = cases.find(isOfKind)?.summary ?? clause.note;
          // Whether a failure recurs was asked of its first case.
          const isFlaky = (clause.flaky === true && isOfKind(cases[0])) || mayComeAndGo(clause);
          return {
            id,
            kind: { must, place: where, expected, received },
            ...(contrast?.when === undefined ? {} : { condition: `only ${contrast.when}` }),
            ...(isFlaky ? { flaky: true as const } : {}),
            comment: hides === 0 ? found : `hides ${hides} ${hides === 1 ? 'situation' : 'situations'}; ${found}`,
          };
        });
    });
}

/** By the position of each entry that covers every failure: the failures that it covers now. */
export function boundWaivers(
  clauses: readonly ClauseRecord[],
  waivers: readonly Waiver[],
  today: Date,
): ReadonlyMap<number, readonly FoundFailure[]> {
  const broad = standingEntries(waivers, today).filter(({ applied }) => applied.broad === true);
  const found = broad.map(({ applied: { entry } }) => [entry - 1, failuresOf(clauses, ({ waiver }) => waiver?.entry === entry)] as const);
  return new Map(found.filter(([, failures]) => failures.length > 0));
}
