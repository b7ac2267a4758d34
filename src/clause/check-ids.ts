// The ids of checks of 2.x: each is known by its clause and, where that has several `must`s, by those that took its place.

import { type CatalogClauseId, CLAUSE_IDS } from './clause-ids.ts';

/** Slugs of checks with commas between them, by the `must` of their clause that judges the same; `any` is all of them. */
type Checks = string | Readonly<Record<string, string>>;

const CHECKS: Readonly<Record<CatalogClauseId, Checks>> = {
  'versioning.base-path': 'ends-in-v1',
  'auth.challenge': 'list-and-get,every-401',
  'auth.every-request': 'same-connection,after-creation,same-address,concurrently',
  'auth.header-only': { lists: 'list,session-cookies', reads: 'get', creations: 'create,key-in-body' },
  'auth.missing-credential': {
    any: 'every-request-without-credential',
    lists: 'list,list-parameters',
    reads: 'get,get-each,get-empty,get-created',
    creations: 'create',
    'lists with parameters': 'list-parameters',
    'other spellings of a path': 'other-paths,other-creations',
    'headers that a service may trust': 'get-empty,trusted-headers,other-creations',
  },
  'auth.precedence': { lists: 'invalid-list', reads: 'invalid-get', creations: 'invalid-create' },
  'auth.refused-stores-nothing': 'lists-and-nearby-ids,every-response',
  'auth.scheme-case': 'spellings',
  'auth.valid-key': {
    any: 'header-name,after-refusals,concurrently,every-request-with-key',
    lists: 'list',
    reads: 'get',
    creations: 'create',
  },
  'auth.wrong-key': {
    any: 'generated-near-misses,malformed,every-request-with-wrong-key',
    lists: 'list,near-misses-on-list',
    reads: 'get,near-misses-on-get',
    creations: 'near-misses-on-create',
  },
  'auth.wrong-scheme': { any: 'malformed,every-request-with-wrong-scheme', lists: 'list', reads: 'get', creations: 'create' },
  'list.complete': {
    any: 'beside-headers,never-empty,every-unfiltered-list',
    'animals of others': 'as-filtered,adjacent-ids',
    'created animals': 'created,requested-before,same-names,stale-lists,room-for-first-animals,none-lost',
  },
  'list.filter-complete': 'existing,created,large-store,every-filtered-list',
  'list.filter-with-limit': 'boundaries,random-combinations',
  'list.limit-accepted': {
    any: 'as-many-as-stored,each-limit,every-list-with-limit',
    'limit 1': 'boundaries',
    'limit 20': 'boundaries',
    'limit 100': 'boundaries',
  },
  'list.limit-default': {
    'lists without a limit': 'at-most-20,every-list-without-limit',
    'lists compared with limit=20': 'as-limit-20,as-limit-20-filtered',
  },
  'list.limit-maximum': { any: 'each-limit,alternating,every-list-with-limit', 'limit 1': 'small', 'limit 2 to 19': 'small' },
  'list.limit-not-integer': 'non-integer-limits',
  'list.limit-out-of-range': 'limits-out-of-range',
  'list.order': 'order',
  'list.paging': 'paging-headers',
  'list.read-only': 'repeated,after-filter,animals-stay,any-order',
  'list.repeated-parameters': 'repeated-parameters',
  'list.status-accepted': 'each-status,every-list-with-status',
  'list.status-filter': 'each-status,alternating,every-filtered-list',
  'list.status-unknown': 'unknown-statuses',
  'list.success': 'without-parameters,any-form,every-list-without-parameters',
  'list.unique': 'every-list',
  'list.unknown-parameters': 'unknown-parameters',
  'create.answer': { any: 'status', 'plain bodies': 'every-201-to-plain-bodies', 'other bodies': 'every-201-to-open-bodies' },
  'create.body-json': 'missing,truncated,trailing,lenient,ignored-values,other-formats,generated-bodies,every-invalid-body',
  'create.body-object': 'values,generated-bodies,every-invalid-body',
  'create.category-range': 'values,generated-values,every-invalid-body',
  'create.category-required': 'missing,null,elsewhere,generated-bodies,every-invalid-body',
  'create.category-type': 'values,generated-values,every-invalid-body',
  'create.client-id': 'id-in-body',
  'create.default-status': 'shown-status',
  'create.duplicate-members': 'duplicate-properties',
  'create.duplicate-names': 'second-animal',
  'create.id-assigned': { any: 'distinct', 'creations at the same time': 'concurrent', 'names shown': 'once' },
  'create.id-not-adopted': { responses: 'response,every-201', 'reads afterwards': 'stored' },
  'create.independent': { 'at the same time': 'answered-and-read,listed', 'one after the other': 'same-connection,own-status' },
  'create.integer-spelling': 'fraction-spellings',
  'create.name-required': 'missing,null,elsewhere,generated-bodies,every-invalid-body',
  'create.name-type': 'values,generated-values,every-invalid-body',
  'create.refused-stores-nothing': 'named,nameless,at-the-end,every-response',
  'create.request-media-type': 'other-media-types',
  'create.round-trip': 'read-back,listed,generated-animals,any-order',
  'create.status-invalid': 'values,null,generated-values,every-invalid-body',
  'create.status-optional': 'without-status,after-others,every-body-without-status',
  'create.status-values': 'each-status,every-plain-body',
  'create.success': {
    'plain bodies': 'plain,spellings,in-any-company,every-plain-body',
    'bodies that may be rejected': 'no-other-success',
  },
  'create.text-encoding': 'damaged-text',
  'create.unknown-category': 'unlikely',
  'create.unknown-members': 'unknown-properties',
  'create.unusual-categories': 'found,edges,listed,generated-categories',
  'create.unusual-names': 'found,characters,lengths,special,alike,listed,very-long,generated-names',
  'get.agrees-with-list': 'first-page,sample,large-store',
  'get.durable': 'same-name,at-the-end,every-read',
  'get.id-not-integer': 'words',
  'get.id-outside-int64': 'numbers',
  'get.id-spelling': 'spellings',
  'get.identity': { any: 'listed,every-read', 'at the same time as others': 'concurrently' },
  'get.not-found': { any: 'absent,edges,near-misses', 'larger ids': 'random' },
  'get.repeatable': 'sequentially,concurrently,created,new-connection',
  'get.success': { 'animals of others': 'listed,sample', 'created animals': 'created,newest' },
  'deprecation.announced': 'headers',
  'deprecation.date-agrees': 'get,every-response',
  'deprecation.headers-well-formed': 'get,every-response',
  'deprecation.replacement': 'by-status,created',
  'deprecation.still-works': 'by-the-date',
  'errors.answers': { any: 'every-request', listPets: 'list-and-get', getPet: 'list-and-get' },
  'errors.codes': 'list-and-get,create',
  'errors.infrastructure-errors': 'every-response',
  'errors.no-server-error': {
    any: 'every-response',
    listPets: 'odd-requests',
    getPet: 'odd-requests',
    createPet: 'large-body,deferred-creations',
    'at the same time as others': 'under-load',
  },
  'errors.shape': {
    any: 'other-clients,every-error',
    '401 of listPets': 'list-and-get',
    '401 of getPet': 'list-and-get',
    '404 of getPet': 'list-and-get',
    '401 of createPet': 'create',
    '400 of createPet': 'create',
  },
  'errors.status-agrees': {
    any: 'every-error',
    '401 of listPets': 'list-and-get',
    '401 of getPet': 'list-and-get',
    '404 of getPet': 'list-and-get',
    '401 of createPet': 'create',
    '400 of createPet': 'create',
  },
  'media.any-client': { 'unusual clients': 'user-agents', 'chunked bodies': 'chunked', 'forwarding headers': 'forwarding' },
  'media.json': {
    any: 'every-body',
    listPets: 'list-and-get',
    getPet: 'list-and-get',
    createPet: 'create',
    'clients that accept something else': 'other-clients,other-listers,other-writers',
  },
  'media.transport': 'every-response',
  'media.well-formed': { any: 'every-body', listPets: 'list-and-get', getPet: 'list-and-get', createPet: 'create' },
  'record.leftovers': 'seen',
  'record.pet': { any: 'every-response', getPet: 'get', createPet: 'create' },
  'record.pets': 'lists,every-list',
  'record.same-animal': 'every-response',
};

/** What judges the same as a check of 2.x: a clause and, if not all of it, its `must`s by their titles. */
export type PresentMust = { readonly clause: CatalogClauseId; readonly musts?: readonly string[] };

function entriesOf(clause: CatalogClauseId): readonly (readonly [id: string, present: PresentMust])[] {
  const checks = CHECKS[clause];
  const byMust = Object.entries(typeof checks === 'string' ? { any: checks } : checks);
  const slugs = new Set(byMust.flatMap(([, all]) => all.split(',')));
  return [...slugs].map((slug) => {
    const musts = byMust.flatMap(([must, all]) => (must !== 'any' && all.split(',').includes(slug) ? [must] : []));
    return [`${clause}/${slug}`, { clause, ...(musts.length === 0 ? {} : { musts }) }] as const;
  });
}

const PRESENT: ReadonlyMap<string, PresentMust> = new Map(CLAUSE_IDS.flatMap(entriesOf));

/** In the order of their clauses: `list.limit-accepted/each-limit`. */
export const CHECK_IDS: readonly string[] = [...PRESENT.keys()];

/** What took the place of a check of 2.x; undefined if 2.x has no check with this id. */
export const presentMust = (checkId: string): PresentMust | undefined => PRESENT.get(checkId);
