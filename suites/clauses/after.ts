// Which clauses explain a breach of a rule on the same exchange, or for the same animal.

import type { ClauseId } from '../../src/clause/clause.ts';

const CARRIED_OVER = ['auth.every-request'] as const;

/** By clause, and where its rules differ by what they judge. */
export const AFTER = {
  'auth.missing-credential': CARRIED_OVER,
  'auth.wrong-key': CARRIED_OVER,
  'auth.wrong-scheme': CARRIED_OVER,
  'auth.header-only': CARRIED_OVER,
  'auth.precedence': CARRIED_OVER,
  'list.complete': [
    ...(['get.durable', 'create.id-assigned', 'list.unique', 'list.status-filter', 'list.read-only', 'get.repeatable'] as const),
    ...(['create.independent', 'list.filter-with-limit', 'list.limit-default', 'list.limit-maximum'] as const),
  ],
  'list.filter-complete': [
    ...(['get.durable', 'get.repeatable', 'list.complete', 'list.status-filter', 'create.id-assigned', 'list.read-only'] as const),
    ...(['create.independent', 'create.answer', 'list.unique', 'list.filter-with-limit', 'list.limit-default'] as const),
  ],
  'list.limit-default': ['list.limit-maximum', 'list.filter-with-limit', 'list.status-filter', 'list.unique', 'list.read-only'],
  'list.read-only': [
    ...(['list.status-filter', 'create.id-assigned', 'list.filter-with-limit', 'list.unique', 'list.limit-maximum'] as const),
    'list.limit-default',
  ],
  'list.status-filter': ['create.id-assigned'],
  'create.answer': ['create.id-assigned', 'create.independent'],
  'create.id-not-adopted': [
    ...(['get.durable', 'get.repeatable', 'get.success', 'list.read-only', 'get.identity', 'create.refused-stores-nothing'] as const),
  ],
  'create.independent': ['create.id-assigned', 'get.identity', 'get.agrees-with-list', 'get.repeatable'],
  'create.independent: lost': ['get.repeatable'],
  'create.independent: inherited': ['create.answer'],
  'create.invalid': ['create.independent'],
  'create.round-trip': [
    ...(['create.independent', 'create.id-assigned', 'create.id-not-adopted', 'get.identity', 'list.status-filter'] as const),
    ...(['list.read-only', 'get.repeatable'] as const),
  ],
  'create.status-optional': ['create.answer'],
  'create.success': ['media.well-formed'],
  'create.unusual: 201': ['create.independent', 'create.id-assigned'],
  // The name says whose values the response shows: an id that two animals share explains nothing then.
  'create.unusual: own 201': ['create.independent'],
  'create.unusual': [
    ...([
      'create.independent',
      'create.id-assigned',
      'create.id-not-adopted',
      'get.identity',
      'list.complete',
      'list.filter-complete',
    ] as const),
    ...([
      'list.status-filter',
      'list.filter-with-limit',
      'list.limit-default',
      'list.limit-maximum',
      'list.unique',
      'list.read-only',
    ] as const),
    ...(['get.success', 'get.durable', 'get.repeatable'] as const),
  ],
  'get.agrees-with-list': [
    ...(['list.read-only', 'get.repeatable', 'list.status-filter', 'get.identity', 'get.durable', 'create.id-assigned'] as const),
  ],
  'get.durable': ['create.id-assigned', 'create.independent', 'list.read-only', 'get.repeatable', 'list.unique'],
  'get.repeatable': ['get.identity'],
  'get.success': [
    ...(['deprecation.still-works', 'get.identity', 'create.independent', 'get.durable', 'get.repeatable', 'list.read-only'] as const),
  ],
  'deprecation.replacement': [
    ...(['create.independent', 'list.complete', 'list.status-filter', 'list.limit-default', 'list.read-only', 'get.durable'] as const),
    ...(['get.repeatable', 'list.unique'] as const),
  ],
  'deprecation.still-works': ['create.id-assigned'],
} as const satisfies Readonly<Record<string, readonly ClauseId[]>>;
