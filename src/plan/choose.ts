// Which rows of a plan a run sends: by worth, within what the user allows and within budgets of requests and creations.

import type { ClauseId } from '../clause/clause.ts';
import type { Vector } from '../session/vector.ts';
import type { PetStatus } from '../wire/exchange.ts';
import type { PairsMet } from './fill.ts';
import { type Entry, PHASES, type Phase, type PhaseName, type PhaseShape, type Row, vectorsOf } from './row.ts';

/** What not everybody wants: a creation, the API key in a place other than the Authorization header, and a token that is nearly the API key. */
export const CONSENTS = ['write', 'intrusive', 'near miss'] as const;
export type Consent = (typeof CONSENTS)[number];

export type StoreState = {
  /** Animals in the store, as far as lists show. */
  readonly size: number;
  /** The status of the fewest animals: what is created by mistake shows there. */
  readonly rarestStatus: PetStatus;
  /** Animals whose ids are known. */
  readonly known: number;
  /** The place of the first animal of each status among those whose ids are known. */
  readonly firstOf?: Readonly<Partial<Record<PetStatus, number>>>;
};

export type Choice = {
  /** Undefined: all of them. */
  readonly clauses?: ReadonlySet<ClauseId>;
  readonly consents: ReadonlySet<Consent>;
  readonly isThorough: boolean;
  /** At most so many, with those of the opening and all reads of created animals. */
  readonly requests: number;
  /** Whether a deadline is the reason why there are not more. */
  readonly isShortOfTime?: boolean;
  readonly creations: number;
};

export type RowEffects = {
  readonly consentsOf: (vector: Vector) => readonly Consent[];
  /** Whether a conforming service creates an animal. */
  readonly creates: (vector: Vector) => boolean;
  readonly readsCreatedFor: readonly ClauseId[];
};

/** A row that an option leaves out although its clauses are selected. */
export type LeftOut = {
  readonly vector: Vector;
  readonly missing: string;
  /** Where a budget is too small: the clauses for whose sake it would be sent. */
  readonly for?: readonly ClauseId[];
};

/** What is sent after the opening. */
export type Plan = {
  readonly phases: readonly Phase[];
  /** Rows of the selected clauses that an option leaves out. */
  readonly leftOut: readonly LeftOut[];
  /** How many animals a conforming service creates for it; undefined if nobody counted them. */
  readonly creations?: number;
  /** Of the pairs with which its rows are filled, how many are among these. */
  readonly pairsIn: (vectors: Iterable<Vector>) => PairsMet;
  /** How an animal is read that the row with that number has created. */
  readonly read: (id: bigint, number: number) => Vector;
};

export type Chosen = {
  readonly entries: readonly Entry[];
  readonly leftOut: readonly LeftOut[];
  readonly readsCreated: boolean;
  /** How many animals a conforming service creates. */
  readonly creations: number;
};

type Candidate = { readonly entry: number; readonly row: Row; readonly place: number; readonly tier: number; readonly share: number };

export const MISSING_CONSENT: Readonly<Record<Consent, string>> = {
  write: 'a creation, which this run may not send (--read-only)',
  intrusive: 'the API key in a place where it does not belong, which this run may not send',
  'near miss': 'a token that is nearly the API key, which this run may not send',
};

/** What a run lacks whose deadline is too near. */
export const SHORT_OF_TIME = 'the time to send it (--deadline)';

/** The end of a run; then the first rows of each entry, those of keys after all others; then the same share of each entry; rows that only fill the store last. */
const TIERS = { closing: 0, first: 1, firstOfKeys: 2, more: 3, moreOfKeys: 4, filling: 5 } as const;

function tierOf({ phase, isInEveryRun, fillsTo, least = 1 }: Entry, place: number): number {
  const shape: PhaseShape = PHASES[phase];
  if (isInEveryRun === true) return TIERS.closing;
  if (fillsTo !== undefined) return TIERS.filling;
  if (shape.mayLockOut === true) return place < least ? TIERS.firstOfKeys : TIERS.moreOfKeys;
  return place < least ? TIERS.first : TIERS.more;
}

type Store = { readonly size: number };

/**
 * Chooses rows. `size`: the animals that the store has. The same entries and the same choice give the same rows, in the order of the entries.
 */
export const choose = (entries: readonly Entry[], choice: Choice, about: RowEffects & Store): Chosen =>
  new Choosing(entries, choice, about).chosen();

class Choosing {
  private readonly entries: readonly Entry[];
  private readonly choice: Choice;
  private readonly about: RowEffects & Store;
  private readonly readsCreated: boolean;
  private readonly leftOut: LeftOut[] = [];
  private readonly taken = new Set<Candidate>();
  /** Requests and animals of what was taken. */
  private sent = 0;
  private created = 0;

  constructor(entries: readonly Entry[], choice: Choice, about: RowEffects & Store) {
    const { clauses } = choice;
    this.entries = entries;
    this.choice = choice;
    this.about = about;
    this.readsCreated = clauses === undefined || about.readsCreatedFor.some((id) => clauses.has(id));
  }

  chosen(): Chosen {
    const { entries, leftOut, readsCreated, taken } = this;
    const candidates = entries.flatMap((entry, index) => (this.isSelected(entry) ? this.allowedOf(entry, index) : []));
    const byWorth = candidates.toSorted((a, b) => a.tier - b.tier || a.share - b.share || a.entry - b.entry);
    const filling = byWorth.filter(({ tier }) => tier === TIERS.filling);
    for (const candidate of byWorth) if (candidate.tier !== TIERS.filling) this.take(candidate);
    for (const [index, entry] of entries.entries()) {
      if (entry.fillsTo !== undefined)
        this.fill(
          entry.fillsTo,
          filling.filter((one) => one.entry === index),
        );
    }
    const rowsOf = (index: number): readonly Row[] =>
      candidates.filter((one) => one.entry === index && taken.has(one)).map(({ row }) => row);
    return {
      ...{ leftOut, readsCreated },
      creations: taken.values().reduce((sum, { row }) => sum + this.creationsOf(row), 0),
      entries: entries.map((entry, index) => ({ ...entry, rows: rowsOf(index) })).filter(({ rows }) => rows.length > 0),
    };
  }

  private isSelected({ for: own, isInEveryRun, isSelectedOnly, isThoroughOnly }: Entry): boolean {
    const { clauses, isThorough } = this.choice;
    if (isThoroughOnly === true && !isThorough) return false;
    return clauses === undefined ? isSelectedOnly !== true : isInEveryRun === true || own?.some((id) => clauses.has(id)) === true;
  }

  private allowedOf(entry: Entry, index: number): readonly Candidate[] {
    const { rows } = entry;
    return rows.flatMap((row, place): Candidate[] => {
      const lacks = this.lackOf(row);
      if (lacks === undefined) return [{ entry: index, row, place, tier: tierOf(entry, place), share: (place + 1) / rows.length }];
      this.leaveOut(row, MISSING_CONSENT[lacks]);
      return [];
    });
  }

  private lackOf(row: Row): Consent | undefined {
    const { consents } = this.choice;
    return CONSENTS.find((one) => !consents.has(one) && vectorsOf(row).some((vector) => this.about.consentsOf(vector).includes(one)));
  }

  private leaveOut(row: Row, missing: string, entry?: Entry): void {
    const own = entry?.for === undefined ? {} : { for: entry.for };
    for (const vector of vectorsOf(row)) this.leftOut.push({ vector, missing, ...own });
  }

  private creationsOf(row: Row): number {
    return vectorsOf(row).filter(this.about.creates).length;
  }

  /** The requests of a row: an animal may be read after it was created, and at the end. */
  private costOf({ row, entry }: Candidate): number {
    const own = this.entries[entry];
    const shape: PhaseShape = own === undefined ? {} : PHASES[own.phase];
    const reads = this.readsCreated ? (shape.readsBack === true ? 2 : 1) : 0;
    return vectorsOf(row).length + this.creationsOf(row) * reads;
  }

  private take(candidate: Candidate): void {
    const { requests, creations, isShortOfTime = false } = this.choice;
    const { row } = candidate;
    const [cost, own] = [this.costOf(candidate), this.creationsOf(row)];
    const isWithin = this.sent + cost <= requests;
    if (isWithin && (own === 0 || this.created + own <= creations)) {
      this.taken.add(candidate);
      this.sent += cost;
      this.created += own;
      return;
    }
    const request = isShortOfTime ? SHORT_OF_TIME : 'a request more than this run may send';
    this.leaveOut(row, isWithin ? 'an animal more than this run may create (--max-creates)' : request, this.entries[candidate.entry]);
  }

  /** Takes as many as the store lacks, or none: one that is only nearly full shows nothing more. */
  private fill(size: number, candidates: readonly Candidate[]): void {
    const { requests, creations } = this.choice;
    const filling = candidates.slice(0, Math.max(0, size - this.about.size - this.created));
    const cost = filling.reduce((sum, one) => sum + this.costOf(one), 0);
    const isWithin = this.created + filling.length <= creations && this.sent + cost <= requests;
    for (const one of filling) {
      if (isWithin) this.take(one);
      else this.leaveOut(one.row, 'a store with more animals than this run may create', this.entries[one.entry]);
    }
  }
}

/** The entries by phase, in the order of sending; where order does not matter, `mixed` decides it. */
export function orderByPhase({ entries, readsCreated }: Chosen, mixed: (rows: readonly Row[]) => readonly Row[]): readonly Phase[] {
  return (Object.keys(PHASES) as PhaseName[]).flatMap((title): readonly Phase[] => {
    const { readsBack = false, readsAll = false, ...shape }: PhaseShape = PHASES[title];
    const rows = entries.filter(({ phase }) => phase === title).flatMap((entry) => entry.rows);
    const reads = { ...(readsBack && readsCreated ? { readsBack } : {}), ...(readsAll && readsCreated ? { readsAll } : {}) };
    return rows.length === 0 ? [] : [{ title, ...shape, ...reads, rows: shape.isInOrder === true ? rows : mixed(rows) }];
  });
}
