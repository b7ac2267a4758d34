// Statuses by name (RFC 9110).

export const OK = 200;
export const CREATED = 201;
export const BAD_REQUEST = 400;
export const UNAUTHORIZED = 401;
export const FORBIDDEN = 403;
export const NOT_FOUND = 404;
export const CONTENT_TOO_LARGE = 413;
export const UNAVAILABLE = 503;

/** Statuses of the HTTP layer and of rate limits: they say nothing about what is requested, nor about its credential. */
export const HTTP_LAYER_STATUSES: readonly number[] = [408, 413, 414, 429, 431];

/** Also a redirect, as to a login page, does not do what was asked. */
export const LEAST_REJECTION = 300;
export const LEAST_ERROR = 400;
export const LEAST_SERVER_ERROR = 500;

/** What a service may reject every creation with once it takes no more, whatever the body is. */
export const QUOTAS: readonly number[] = [FORBIDDEN, CONTENT_TOO_LARGE, 507];
