/** Statuses of the HTTP layer and of rate limits: they say nothing about what is requested, nor about its credential. */
export const HTTP_LAYER_STATUSES: readonly number[] = [408, 413, 414, 429, 431];

/** Also a redirect, as to a login page, does not do what was asked. */
export const LEAST_REJECTION = 300;
export const LEAST_ERROR = 400;
export const LEAST_SERVER_ERROR = 500;
