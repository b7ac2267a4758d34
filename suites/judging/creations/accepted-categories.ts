import { oncePerSession } from '../once-per-session.ts';

const MOST_CATEGORIES = 4;

/** Categories that the service is known to accept: configured ones, those of listed animals, or the one that fixtures found. */
export const acceptedCategories = oncePerSession(async (s): Promise<readonly bigint[]> => {
  const first = await s.fixtures.category();
  if (s.options.categoryIds.length > 0) return s.options.categoryIds.slice(0, MOST_CATEGORIES);
  const listed = [...s.knowledge.seen.values()].flatMap(({ categoryId }) => categoryId ?? []);
  return [...new Set([first, ...listed])].slice(0, MOST_CATEGORIES);
});
