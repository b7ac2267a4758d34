// The verdict on a clause as a value, for every report: what it says, by what it was judged, and what broke it.

import type { PetStatus } from '../wire/exchange.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import type { Chapter, ClauseId, Level } from './clause.ts';
import type { ClauseFailureKind } from './failure-kind.ts';
import type { Observation, Verdict, Why } from './outcome.ts';

/** One of the situations that a clause has to be seen in: it passes if at least one was judged and nothing broke it. */
export type MustRecord = {
  /** What it is, as a full sentence or a few words; unique within its clause. */
  readonly title: string;
  readonly verdict: Verdict;
  /** Pass: the evidence. Inconclusive: what was missing. Fail: the first summary. Waived: the reason. */
  readonly note: string;
  /** Inconclusive: the reason. */
  readonly why?: Why;
  /** The broken clause that it waits for, if `why` is `waits`. */
  readonly blockedBy?: ClauseId;
  /** Newer than the version of --as-of: it warns at most. */
  readonly newer?: true;
};

/** A finding in reports: texts cleaned, exchanges redacted. */
export type ReportedFinding = {
  readonly summary: string;
  readonly expected: readonly string[];
  readonly received: string;
  readonly pointer?: string;
  /** As in ReportedCase. */
  readonly failureKinds?: readonly number[];
  readonly exchanges: readonly RedactedExchange[];
};

/** The names of the values of a request, by dimension: what a run sends again to see whether it is repaired. It never contains the key. */
export type ReportedRow = Readonly<Record<string, string | number | readonly string[]>>;

/** Requests that are sent at the same moment, or one after the other on a connection of their own. */
export type ReportedGroup = {
  readonly how: 'together' | 'in turn';
  readonly rows: readonly ReportedRow[];
  /** Milliseconds before the last one. */
  readonly pause?: number;
  /** Whether the others are there for the last one: it alone tells. */
  readonly isForLast?: true;
};

/**
 * What `--failed` sends for a broken clause. Animals are named by their places, since those that the run created may be gone: `id: 0` is the first one of
 * the lists, and `id: -1` the newest one.
 */
export type ReportedAgain = {
  /** The smallest set of rows by which the run saw it broken, in the order of sending, and one more for each other `must`. */
  readonly rows: readonly (ReportedRow | ReportedGroup)[];
  /** Titles of the `must`s that these rows have to meet before the clause is repaired. */
  readonly musts: readonly string[];
  /** A list of these rows shows more animals than it may: so many animals, with that status, have to be there. */
  readonly animals?: { readonly least: number; readonly status?: PetStatus };
  /** What the store has to be like: without an animal to show, as each time that it was broken; or with so few that the lists have room for all. */
  readonly store?: 'empty' | 'with room';
  /** Why these rows may not show it again; missing where they did, each time that the run repeated them at its end. */
  readonly doubt?: string;
};

/** One exchange that breaks a clause, in one line. */
export type ReportedCase = {
  readonly summary: string;
  /** The number of the exchange with the wrong response; missing if a finding rests on none. */
  readonly exchange?: number;
  /** Which of the `failureKinds` of the clause it is; missing if there is only one. */
  readonly failureKinds?: readonly number[];
  /** What was asked for, if a row of the plan did. */
  readonly row?: ReportedRow;
};

/** The entry of the waivers that covers a failure. */
export type AppliedWaiver = {
  /** Its place in the list, from 1. */
  readonly entry: number;
  readonly reason: string;
  readonly ticket?: string;
  readonly expires: string;
  /** Set if it covers every failure of its clause. */
  readonly broad?: true;
};

/** A kind of failure of a clause, and how many of its cases are of that kind. */
export type ReportedKind = ClauseFailureKind & { readonly cases: number; readonly waiver?: AppliedWaiver };

/** How many of how many are broken. */
export type ReportedShare = { readonly broken: number; readonly of: number };

/** When a clause is broken, according to the cases of a run. */
export type ReportedContrast = {
  /** Completes "only …", or says where most are broken, if others are too; missing if every case is broken. */
  readonly when?: string;
  readonly unit: 'response' | 'animal';
  /** The cases to which that applies, and all others. */
  readonly there: ReportedShare;
  readonly elsewhere: ReportedShare;
  /** A request to which that applies and that breaks the clause, and the nearest one that does not break it. */
  readonly broken?: RedactedExchange;
  readonly twin?: RedactedExchange;
  /** The request that has to come right before, or how many have to be in flight together, if the clause is not broken otherwise. */
  readonly before?: RedactedExchange;
  readonly atOnce?: number;
  /** Set if requests that were sent again to find out show it; the counts are of these. */
  readonly asked?: true;
};

/** Where a response shows an animal: the one to its creation, a list, a list with a status, a read. */
export const SIGHT_PLACES = ['creation', 'list', 'filtered', 'read'] as const;
export type SightPlace = (typeof SIGHT_PLACES)[number];

/** What a response showed of an animal. */
export type ReportedSight = {
  readonly place: SightPlace;
  /** The number of the exchange, what it asked for (`GET /pets?limit=5`), and its status. */
  readonly exchange: number;
  readonly asked: string;
  readonly status: number;
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly shows: 'the animal' | 'no animal' | 'another value';
  /** The member with another value than was sent, or than was shown first if none was sent: both as JSON, or `none`. */
  readonly other?: { readonly member: string; readonly sent: string; readonly shown: string };
  /** It breaks the clause. */
  readonly isWrong?: true;
  /** For how many responses in a row it stands, in this place, that all showed the same. */
  readonly times?: number;
};

/** What the responses of a run showed of one animal, in the order of sending. */
export type ReportedLife = {
  readonly id: string;
  /** The creation, as it was sent: missing for an animal of others. */
  readonly sent?: { readonly name: string; readonly categoryId: string; readonly status?: string };
  /** At most 40: of each place at least the first one, the last one, and each change, as far as they fit. */
  readonly sights: readonly ReportedSight[];
  /** How many there were. */
  readonly of: number;
};

/** The verdict on a clause: a failure before a pass, and a pass before what is undecided. */
export type ClauseRecord = {
  readonly id: ClauseId;
  readonly chapter: Chapter;
  readonly section: string;
  readonly level: Level;
  readonly requirement: string;
  /** Sentences of the interface document that it rests on, verbatim. */
  readonly quote?: readonly string[];
  readonly derivation?: string;
  readonly likelyCause: string;
  readonly verdict: Verdict;
  /** Pass: the evidence. Inconclusive: what was missing. Fail: the first summary. Waived: the reason. */
  readonly note: string;
  /** Inconclusive: the reason that stands for those of its musts. */
  readonly why?: Why;
  readonly blockedBy?: ClauseId;
  /** Newer than the version of --as-of, or broken only by what is: it warns at most. */
  readonly newer?: true;
  /** Depth quick, a budget, or the end of the run left out some of what is sent for its sake: what did not fail may fail in another run. */
  readonly curtailed?: true;
  /** Fail: it did not recur when its requests were repeated immediately. */
  readonly flaky?: true;
  /** In the order in which the clause states them. */
  readonly musts: readonly MustRecord[];
  /** Findings of `fail` and `waived` with their exchanges: the first twenty, different kinds before several of one kind. */
  readonly findings: readonly ReportedFinding[];
  /** Every case of `fail` and `waived`, including those of the findings. Fail: without the cases that a waiver covers. */
  readonly cases?: readonly ReportedCase[];
  /** The kinds of failures of `fail` and `waived`, those that a waiver covers included. */
  readonly failureKinds?: readonly ReportedKind[];
  /** Fail: what waivers cover of the clause, and what this is. */
  readonly besideWaivers?: string;
  /** Fail: when the clause is broken, if the cases of the run show it. */
  readonly contrast?: ReportedContrast;
  readonly observations: readonly Observation[];
  /** Exchanges that it applied to, and those that broke it; missing if nobody counted them. */
  readonly evidence?: { readonly judged: number; readonly broken: number };
  /** Fail: the life of the first animal that shows it. */
  readonly life?: ReportedLife;
  /** Fail, or inconclusive after a failure: by what `--failed` sees whether it is repaired. */
  readonly again?: ReportedAgain;
};
