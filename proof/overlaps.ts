// Red clauses of a fault besides the one that it names. `BUDGETS.otherRed` bounds how many there are; where a fault has many, a reason says why.

import { type FaultName, faults } from './faults/index.ts';
import type { Result } from './result.ts';

/** So many other red clauses of one fault need no reason. */
export const MOST_WITHOUT_REASON = 3;

/** Why a fault breaks more clauses than that. */
export const REASONS: Partial<Readonly<Record<FaultName, string>>> = {
  'browser-sent-to-login': 'Whatever a browser asks for is redirected, plain lists and reads among it',
  'create-gone-for-moments': 'For moments, creations return 409, valid and invalid ones alike: whichever come at that time',
  'creation-after-missing-animal-not-found':
    'Creations right after a missing animal return its 404, valid and invalid ones alike, which every clause about them judges',
  'creation-renames-previous': 'Each creation renames the animal before it, so that reads, lists, and what its own creation showed differ',
  'creation-updates-category-mates':
    'Each creation sets the status of all animals of its category, so that reads, lists with a status and without, and what creations showed differ',
  'curl-forbidden': 'Whatever curl asks for is rejected: each operation, with whatever parameters, bodies, and values',
  'duplicate-name-updates':
    'Each creation with a taken name changes the animal that has it, so that lists, reads, and what its creation showed differ, and its id is given twice',
  'filter-answers-index-ids':
    'Filtered lists show ids that only they know: under these, nothing is read or listed otherwise, and nothing was created',
  'get-mixed-under-load': 'Reads at the same moment show another animal, or none, whatever ids they ask for',
  'ids-race': 'Creations at the same moment get one id: lists show it twice, and of two animals reads show one',
  'missing-animal-made-up': 'An id that no animal has yet shows one, which is another once it is created, and which no list has',
  'not-acceptable-without-accept':
    'Whatever a client without Accept asks for is rejected: each operation, with whatever parameters and values',
  'only-json-acceptable': 'Whatever a client with another Accept asks for is rejected: each operation, with whatever parameters and values',
  'read-alternates':
    'Every second read shows another category, so that reads differ from each other, from lists, and from what was created, and some show no valid one',
  'weights-of-accept-ignored':
    'Whatever a client with weights in Accept asks for is rejected: each operation, with whatever parameters and values',
};

const OWN = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));
const REASON = new Map<string, string>(Object.entries(REASONS));

/** Required and implied clauses that a fault turns red besides its own; none for a variant. */
export const othersOf = ({ kind, name, red }: Pick<Result, 'kind' | 'name' | 'red'>): readonly string[] =>
  kind === 'fault' ? red.filter((clause) => clause !== OWN.get(name)) : [];

/** Faults with many other red clauses, for which there is no reason. */
export const withoutReason = (results: readonly Result[]): readonly Result[] =>
  results.filter((result) => othersOf(result).length > MOST_WITHOUT_REASON && !REASON.has(result.name));

/** Reasons of faults that break no other clause any more. */
export const staleReasons = (results: readonly Result[]): readonly string[] =>
  results.filter((result) => result.kind === 'fault' && REASON.has(result.name) && othersOf(result).length === 0).map(({ name }) => name);
