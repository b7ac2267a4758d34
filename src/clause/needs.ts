import type { CatalogClauseId, ClauseId } from './clause-ids.ts';

const SERVICE = ['errors.answers', 'errors.no-server-error', 'auth.valid-key'] as const;
const LIST = ['list.success', 'media.well-formed', 'record.pets'] as const;
const CREATED = ['create.success', 'media.well-formed', 'record.pet'] as const;
const READ = ['get.success', 'deprecation.still-works', 'media.well-formed', 'record.pet'] as const;
const PET = [...LIST, ...CREATED, 'create.id-assigned', 'list.complete'] as const;
const KEPT = ['list.complete', 'create.id-assigned', 'create.independent', 'create.round-trip'] as const;

/** What a judgment may need: in words, and the clauses that answer for it. */
type Entry = { readonly what: string; readonly clauses: readonly CatalogClauseId[] };

/** Everything that a check may need, and the clauses that answer for it. Each need includes that the service responds to the API key. */
export const NEEDS = {
  service: { what: 'responses to the API key', clauses: SERVICE },
  rejection: { what: 'a request that is rejected without the API key', clauses: [...SERVICE, 'auth.missing-credential'] },
  animal: { what: 'an animal, wherever it is found', clauses: [...SERVICE, ...PET] },
  pets: { what: 'an animal that a list shows or that was created', clauses: [...SERVICE, ...PET] },
  petList: { what: 'a list that shows an animal', clauses: [...SERVICE, ...PET] },
  readable: { what: 'an animal that getPet returns', clauses: [...SERVICE, ...PET, ...READ] },
  list: { what: 'lists whose animals can be read', clauses: [...SERVICE, ...LIST] },
  read: { what: 'responses of getPet that show the animal', clauses: [...SERVICE, ...READ] },
  creation: { what: 'a plain NewPet that is accepted', clauses: [...SERVICE, 'create.success'] },
  created: { what: 'responses to creations that show the animal', clauses: [...SERVICE, ...CREATED] },
  readBack: {
    what: 'created animals that getPet or a list shows',
    clauses: [...SERVICE, ...CREATED, ...LIST, ...READ, 'create.id-assigned'],
  },
  kept: { what: 'plain animals that are stored as they were sent', clauses: [...SERVICE, ...CREATED, ...LIST, ...READ, ...KEPT] },
} as const satisfies Readonly<Record<string, Entry>>;

/** The name of something that a judgment may need, of NEEDS. */
export type Need = keyof typeof NEEDS;

/** What a check may wait for: a need, or a single clause. */
export type Given = Need | ClauseId;

const NAMES = Object.keys(NEEDS) as readonly Need[];

/** Whether it is a need, and not a clause. */
export function isNeed(given: Given): given is Need {
  return NAMES.some((name) => name === given);
}

/** All clauses that a check with these preconditions may wait for, each once. */
export function waitsForOf(given: readonly Given[]): readonly ClauseId[] {
  return [...new Set(given.flatMap((one): readonly ClauseId[] => (isNeed(one) ? NEEDS[one].clauses : [one])))];
}
