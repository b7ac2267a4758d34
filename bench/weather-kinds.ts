/** How a limit counts requests. */
export const LIMITS = ['fixed window', 'sliding window', 'bucket', 'per key', 'per connection'] as const;
/** What happens to a service during a run. */
export const OUTAGES = ['500', '502 in HTML', 'connections refused', 'no response', 'restart, empty store', 'rolling deployment'] as const;

/** What is in the way of the requests of a run in bench/weather.ts, as JSON in WEATHER. */
export type Weather =
  | { readonly kind: 'fair' }
  | { readonly kind: 'limit'; readonly counts: (typeof LIMITS)[number]; readonly rate: number }
  /** `from`, `until`: seconds after the first request. */
  | { readonly kind: 'outage'; readonly what: (typeof OUTAGES)[number]; readonly from: number; readonly until: number }
  | { readonly kind: 'threads'; readonly threads: number };
