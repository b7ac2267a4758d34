import type { ListParameters } from '../../src/session/client/api.ts';

/** Lists that differ in what routers, caches, and middleware distinguish. */
export const LISTS: readonly ListParameters[] = [
  {},
  { limit: 5 },
  { status: 'available' },
  { limit: 3, status: 'sold' },
  { status: 'pending', limit: 100 },
  { limit: 1 },
  { limit: 20 },
  { limit: 100 },
  { status: 'pending' },
  { status: 'sold' },
  { limit: 10, status: 'available' },
];
