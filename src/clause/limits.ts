/** The document: `limit` is at most 100. A page with that limit shows all animals of a store with fewer. */
export const LARGEST_LIMIT = 100;

/** The document: a list without `limit` shows at most 20 animals. */
export const DEFAULT_LIMIT = 20;
