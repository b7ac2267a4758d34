import type { Target } from '../target.ts';

/** A group of targets as `http_sd_configs` and `file_sd_configs` of Prometheus read it. */
export type TargetGroup = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

/** Milliseconds by which a scrape lasts longer than the run that it asks for. */
const MARGIN = 1_000;

/**
 * The configured targets by their names, for a Prometheus that asks `/probe` for each: no address and no key. The labels give each target its own
 * interval, and time for its deadline.
 */
export function targetGroups(targets: readonly Pick<Target, 'name' | 'interval' | 'deadline'>[]): readonly TargetGroup[] {
  const groups = Map.groupBy(targets, ({ interval, deadline }) => `${interval}ms ${Math.ceil(Math.min(interval, deadline + MARGIN))}ms`);
  return [...groups].map(([timing, group]) => {
    const [interval = '', timeout = ''] = timing.split(' ');
    return { targets: group.map(({ name }) => name), labels: { __scrape_interval__: interval, __scrape_timeout__: timeout } };
  });
}
