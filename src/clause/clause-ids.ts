/** The ids of all clauses, in the order of the document. */
export const CLAUSE_IDS = [
  'versioning.base-path',
  'auth.challenge',
  'auth.every-request',
  'auth.header-only',
  'auth.missing-credential',
  'auth.precedence',
  'auth.refused-stores-nothing',
  'auth.scheme-case',
  'auth.valid-key',
  'auth.wrong-key',
  'auth.wrong-scheme',
  'list.complete',
  'list.filter-complete',
  'list.filter-with-limit',
  'list.limit-accepted',
  'list.limit-default',
  'list.limit-maximum',
  'list.limit-not-integer',
  'list.limit-out-of-range',
  'list.order',
  'list.paging',
  'list.read-only',
  'list.repeated-parameters',
  'list.status-accepted',
  'list.status-filter',
  'list.status-unknown',
  'list.success',
  'list.unique',
  'list.unknown-parameters',
  'create.answer',
  'create.body-json',
  'create.body-object',
  'create.category-range',
  'create.category-required',
  'create.category-type',
  'create.client-id',
  'create.default-status',
  'create.duplicate-members',
  'create.duplicate-names',
  'create.id-assigned',
  'create.id-not-adopted',
  'create.independent',
  'create.integer-spelling',
  'create.name-required',
  'create.name-type',
  'create.refused-stores-nothing',
  'create.request-media-type',
  'create.round-trip',
  'create.status-invalid',
  'create.status-optional',
  'create.status-values',
  'create.success',
  'create.text-encoding',
  'create.unknown-category',
  'create.unknown-members',
  'create.unusual-categories',
  'create.unusual-names',
  'get.agrees-with-list',
  'get.durable',
  'get.id-not-integer',
  'get.id-outside-int64',
  'get.id-spelling',
  'get.identity',
  'get.not-found',
  'get.repeatable',
  'get.success',
  'deprecation.announced',
  'deprecation.date-agrees',
  'deprecation.headers-well-formed',
  'deprecation.replacement',
  'deprecation.still-works',
  'errors.answers',
  'errors.codes',
  'errors.infrastructure-errors',
  'errors.no-server-error',
  'errors.shape',
  'errors.status-agrees',
  'media.any-client',
  'media.json',
  'media.transport',
  'media.well-formed',
  'record.leftovers',
  'record.pet',
  'record.pets',
  'record.same-animal',
] as const;

/** Area and rule, opaque and stable: `list.limit-accepted` is judged in suites/list/limit-accepted.clause.ts. */
export type CatalogClauseId = (typeof CLAUSE_IDS)[number];

/** A clause from outside this package: its own prefix, area and rule, as in `acme:list.newest-first`. It is never in the catalog. */
export type OwnClauseId = `${string}:${string}.${string}`;

/** Whether a clause, or the clause of a check, comes from outside this package: no clause of the catalog has a prefix. */
export function isOwnClause(id: string): id is OwnClauseId {
  return id.includes(':');
}

/** Any clause that a run may judge. */
export type ClauseId = CatalogClauseId | OwnClauseId;

/** A check or invariant: its clause and a slug, `list.limit-accepted/each-limit`. */
export type CheckId = `${ClauseId}/${string}`;

/** Clauses about bodies that are not a NewPet: they share a rule and a file, and differ only in their tables. */
export const INVALID_BODY_CLAUSES = [
  'create.name-required',
  'create.name-type',
  'create.category-required',
  'create.category-type',
  'create.category-range',
  'create.status-invalid',
  'create.body-object',
  'create.body-json',
] as const satisfies readonly CatalogClauseId[];
