import type { Target } from '../target.ts';

/** A target group in the format of `http_sd_configs` and `file_sd_configs` of Prometheus. */
export type TargetGroup = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

/** Milliseconds by which a scrape lasts longer than its run. */
const MARGIN = 1_000;

/**
 * The configured targets by name, for a Prometheus that scrapes `/probe` for each: no address and no key. The labels give each target its
 * own interval, and time for its deadline.
 */
export function targetGroups(targets: readonly Pick<Target, 'name' | 'interval' | 'deadline'>[]): readonly TargetGroup[] {
  const groups = Map.groupBy(targets, ({ interval, deadline }) => `${interval}ms ${Math.ceil(Math.min(interval, deadline + MARGIN))}ms`);
  return [...groups].map(([timing, group]) => {
    const [interval = '', timeout = ''] = timing.split(' ');
    return { targets: group.map(({ name }) => name), labels: { __scrape_interval__: interval, __scrape_timeout__: timeout } };
  });
}
