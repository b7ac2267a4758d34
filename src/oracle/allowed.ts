// What a service may reject of a client with a status of its own: the only expectation that is no matter of the document.

import type { UnusualClient } from './client-facts.ts';

/** `taken`: the conforming server of the registry that rejects it so, or the fault that breaks nothing but media.any-client. */
export type Allowed = { readonly by: UnusualClient; readonly status: number; readonly taken: string };

export const ALLOWED: readonly Allowed[] = [
  { by: 'no User-Agent', status: 403, taken: 'user-agent-needed' },
  { by: 'User-Agent of an old or automated client', status: 403, taken: 'user-agent-needed' },
  { by: 'Accept without JSON', status: 406, taken: 'wildcard-subtype-not-acceptable' },
  { by: 'Origin', status: 403, taken: 'other-origins-forbidden' },
  { by: 'Accept-Charset', status: 403, taken: 'accept-charset-forbidden' },
  { by: 'chunked', status: 411, taken: 'content-length-needed' },
  { by: 'headers over 4 KB', status: 400, taken: 'token-outside-ascii-rejected' },
  { by: 'headers over 4 KB', status: 431, taken: 'headers-at-most-4-kb' },
  { by: 'target over 2,000 characters', status: 414, taken: 'target-at-most-2000' },
  { by: 'body over 1 KB', status: 413, taken: 'body-at-most-1-kb' },
];
