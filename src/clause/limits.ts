/** The document: `limit` is at most 100. A page with that limit shows all animals of a store with fewer. */
export const LARGEST_LIMIT = 100;

/** The document: a list without `limit` shows at most 20 animals. */
export const DEFAULT_LIMIT = 20;

export const OTHER_LIMITS: readonly string[] = [
  ...['page_size', 'pageSize', 'page[size]', 'per_page', 'perPage', 'size', '$top', 'top', 'first', 'take', 'count', 'max'],
];
/** What they call the members that a client wants. */
export const CHOICES_OF_MEMBERS: readonly string[] = ['fields', 'fields[pets]', '$select', 'select', 'attributes', 'projection', 'only'];

/** A limit that the document allows, as a plain number. */
export const PLAIN_LIMIT = /^(?:[1-9]\d?|100)$/;
