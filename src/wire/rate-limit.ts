import type { Answer } from './exchange.ts';

const SECOND = 1_000;
/** Milliseconds of the first wait if a response does not say how long; each further one is twice as long. */
const UNTOLD = 500;
/** The wait if a service says that there is nothing to wait for. */
export const LEAST_WAIT = 50;
/** From this value on, a number is not seconds from now, but seconds or milliseconds since 1970. */
const SINCE_1970 = 1e9;
const MILLISECONDS_SINCE_1970 = 1e12;

type Headers = Pick<Answer, 'headers'>;

function fieldOf({ headers }: Headers, name: string): string | undefined {
  return headers.find(([known]) => known === name)?.[1];
}

/** The time of the response by the service's clock, so that a wrong clock does not change the wait. */
function dateOf(answer: Headers): number {
  const date = Date.parse(fieldOf(answer, 'date') ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}

/** Milliseconds that a response asks to wait (RFC 9110, section 10.2.3), or undefined if it does not ask. */
export function postponement(answer: Pick<Answer, 'status' | 'headers'>, attempt: number): number | undefined {
  const stated = fieldOf(answer, 'retry-after');
  if (answer.status !== 429 && !(answer.status === 503 && stated !== undefined)) return undefined;
  if (stated === undefined) return UNTOLD * 2 ** attempt;
  const wait = /^\s*\d+\s*$/.test(stated) ? Number(stated) * SECOND : Date.parse(stated) - dateOf(answer);
  return Number.isFinite(wait) ? Math.max(wait, LEAST_WAIT) : UNTOLD * 2 ** attempt;
}

/** The number after one of these names in a field: `limit=100`, `100;w=60`, `"default";q=100;w=60`. */
function parameter(field: string, names: readonly string[]): number | undefined {
  for (const part of field.split(/[;,]/)) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim());
    if (names.includes(name.toLowerCase()) && /^\d+$/.test(value)) return Number(value);
  }
  return undefined;
}

const leading = (field: string): number | undefined => {
  const digits = /^\s*(\d+)\b/.exec(field)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** Requests per second of a policy such as `100;w=60` or `"default";q=100;w=60`; the smallest of several policies. */
function rateOfPolicy(policy: string): number | undefined {
  const rates = policy.split(',').flatMap((one) => {
    const quota = parameter(one, ['q']) ?? leading(one);
    const window = parameter(one, ['w']);
    return quota === undefined || window === undefined || window === 0 || quota === 0 ? [] : [quota / window];
  });
  return rates.length === 0 ? undefined : Math.min(...rates);
}

/** Seconds until the window of the limit ends. */
function resetOf(answer: Headers): number | undefined {
  const state = fieldOf(answer, 'ratelimit');
  const stated = state === undefined ? undefined : parameter(state, ['t', 'reset']);
  const reset = stated ?? leading(fieldOf(answer, 'ratelimit-reset') ?? fieldOf(answer, 'x-ratelimit-reset') ?? '');
  if (reset === undefined || reset < SINCE_1970) return reset;
  return reset / (reset < MILLISECONDS_SINCE_1970 ? 1 : SECOND) - dateOf(answer) / SECOND;
}

/** What a service says about its limit in the fields of its responses. */
export type StatedLimit = {
  /** Reads the fields of a response. */
  read(answer: Headers): void;
  /** Requests per second; undefined if nothing is stated. */
  rate(): number | undefined;
};

/**
 * Reads RateLimit-Policy, RateLimit and RateLimit-Limit (the IETF drafts, old and new), and X-RateLimit-Limit. If only the end of the
 * window is stated and not its length, the longest time until a stated end is taken as its length.
 */
export function createStatedLimit(): StatedLimit {
  let policy: number | undefined;
  let limit: number | undefined;
  let longest = 1;
  return {
    read(answer) {
      const state = fieldOf(answer, 'ratelimit') ?? '';
      const quota = fieldOf(answer, 'ratelimit-limit') ?? '';
      policy = rateOfPolicy(fieldOf(answer, 'ratelimit-policy') ?? quota) ?? policy;
      limit = parameter(state, ['limit']) ?? leading(quota) ?? leading(fieldOf(answer, 'x-ratelimit-limit') ?? '') ?? limit;
      longest = Math.max(longest, resetOf(answer) ?? 0);
    },
    rate: () => policy ?? (limit === undefined || limit === 0 ? undefined : limit / longest),
  };
}
