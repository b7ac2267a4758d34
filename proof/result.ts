// The servers of the registry, and what a pass over one has shown.

import type { CatalogClauseId } from '../src/clause/clause-ids.ts';
import { similarNames } from '../src/clause/similar-names.ts';
import { UsageError } from '../src/cli/option-spec.ts';
import { type FaultName, faults } from './faults/index.ts';
import { faultCalled } from './server.ts';
import { variants } from './variants/index.ts';

type Named = { readonly subject: RegistrySubject; readonly clause: string };

const SUBJECTS: readonly Named[] = [
  ...variants.map(({ name }) => ({ subject: { kind: 'variant' as const, name }, clause: '' })),
  ...faults.map(({ name, clause }) => ({ subject: { kind: 'fault' as const, name }, clause })),
];
const ALL_NAMES = [...new Set([...SUBJECTS.map(({ subject }) => subject.name), ...faults.map(({ clause }) => clause)])];

function matching(wanted: string): readonly RegistrySubject[] {
  const exact = SUBJECTS.filter(({ subject, clause }) => subject.name === wanted || clause === wanted);
  const found = exact.length > 0 ? exact : SUBJECTS.filter(({ subject }) => subject.name.includes(wanted));
  if (found.length > 0) return found.map(({ subject }) => subject);
  const near = similarNames(wanted, ALL_NAMES).slice(0, 3);
  const advice = near.length === 0 ? '"npm run prove:serve -- --list" shows them all' : `did you mean ${near.join(' or ')}?`;
  throw new UsageError(`no fault or variant is called "${wanted}", and no clause with faults; ${advice}`);
}

/**
 * The servers that the names stand for: a fault or a variant, all faults of a clause, or whatever has the text in its name. All of them
 * where nothing is named. Throws UsageError with the nearest names where nothing fits.
 */
export function selectSubjects(names: readonly string[]): readonly RegistrySubject[] {
  if (names.length === 0) return SUBJECTS.map(({ subject }) => subject);
  return [...new Set(names.flatMap(matching))];
}

const FEW_ANIMALS = 7;
// A hanging fault must not make the proof long; a busy machine must not look like one.
const FAULT_TIMEOUT = 2_000;
/** What hangs nowhere may take longer: a busy machine must not make it look slow. */
export const CONFORMING_TIMEOUT = 10_000;
export const FAULT_WINDOW = 500;

/** One server of the registry. */
export type RegistrySubject = { readonly kind: 'fault' | 'variant'; readonly name: string };

/** What is judged: a fault, a variant, or several faults at once. */
export type Subject = RegistrySubject | { readonly kind: 'combination'; readonly name: string; readonly faults: readonly string[] };

/** The verdict on a clause, or on a situation of it: for an undecided one whose doing it is, and the clause that it waits for. */
export type Reached = { readonly verdict: string; readonly why?: string; readonly waitsFor?: string };

/** What one pass over a server has shown: every table and every test of the proof is made of these. */
export type Result = {
  readonly kind: Subject['kind'];
  readonly name: string;
  /** Broken clauses of required and implied level, and those of advised level. */
  readonly red: readonly string[];
  readonly advised: readonly string[];
  readonly clauses: Readonly<Record<string, Reached>>;
  /** The situations that did not pass: `list.limit-accepted: limit 20`. */
  readonly situations: Readonly<Record<string, Reached>>;
  /** Notes of failed and undecided clauses, for whoever looks into a gap. */
  readonly notes: Readonly<Record<string, string>>;
  /** What was read through, in the words of the report. */
  readonly departures: readonly string[];
  /** The likely causes in their order, each with the clauses that it explains. */
  readonly causes: readonly { readonly id: string; readonly clauses: readonly string[] }[];
  /** When the clause of a fault is broken, according to the report; empty where it says nothing. */
  readonly when: string;
  /** Requests until the first one that breaks a clause; 0 for none. */
  readonly requestsUntilFound: number;
  readonly requests: number;
  readonly created: number;
  readonly milliseconds: number;
  /** What a run of the gate would end with. */
  readonly exitCode: number;
  readonly headline: string;
  /** Lines that the terminal report of the run has. */
  readonly lines: number;
  /** What shows a fault that the run does not: its clause alone, so that nothing else is sent, or a run at depth thorough. */
  readonly shownBy?: 'its clause alone' | 'depth thorough';
};

/** Faults that runs find by another clause than their own, always or at times: whoever repairs what it reports has repaired the fault. */
const FOUND_BY: Partial<Readonly<Record<FaultName, { readonly clause: CatalogClauseId; readonly because: string }>>> = {
  'duplicate-name-updates': {
    clause: 'create.id-assigned',
    because: 'the 201 has the id of an animal that was there before, so that no new animal is missing afterwards',
  },
  'name-key-ignores-accents': {
    clause: 'create.round-trip',
    because: 'where the name with an accent came first, animals with the plain one show the accent: plain values are wrong',
  },
  'status-overridden-by-cookie': {
    clause: 'create.status-values',
    because: 'all responses show another status than was sent, the 201 too, as if that status could not be created',
  },
};

/** Whether the broken clauses name the fault: its own is among them, or the one that it is found by. */
export function isNamed(name: string, { red, advised }: Pick<Result, 'red' | 'advised'>): boolean {
  const { clause } = faultCalled(name);
  const other = Object.entries(FOUND_BY).find(([fault]) => fault === name)?.[1].clause;
  return [...red, ...advised].some((id) => id === clause || id === other);
}

/** The server that has these faults, with what they need to show, and a session that suits it. */
export function settingOf(names: readonly string[]) {
  const chosen = names.map(faultCalled);
  const at = chosen.map(({ needs }) => needs?.now).find((now) => now !== undefined);
  const now = at === undefined ? undefined : new Date(at);
  const basePath = chosen.map((fault) => fault.basePath).find((path) => path !== undefined);
  const seeds = chosen.flatMap(({ needs }) => (needs?.seedAnimals === undefined ? [] : [needs.seedAnimals]));
  const server = {
    faults: names,
    seedAnimals: seeds.length === 0 ? FEW_ANIMALS : Math.max(...seeds),
    ...(basePath === undefined ? {} : { basePath }),
    ...(now === undefined ? {} : { now: () => now }),
  };
  return { server, session: { timeout: FAULT_TIMEOUT, consistencyWindow: FAULT_WINDOW, ...(now === undefined ? {} : { now }) } };
}
