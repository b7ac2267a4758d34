/** The value that `share` (0 to 1) of the values do not exceed, by nearest rank; undefined without values. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export type Latency = { readonly p50: number; readonly p95: number; readonly p99: number };

/** The percentiles that reports show, in milliseconds; undefined without durations. */
export function latencyOf(durations: readonly number[]): Latency | undefined {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(durations, share));
  return p50 === undefined || p95 === undefined || p99 === undefined ? undefined : { p50, p95, p99 };
}

/** Milliseconds with a sensible number of digits: `0.4 ms`, `12 ms`, `1.3 s`. */
export function latencyText(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
