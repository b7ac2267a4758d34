import { expect } from 'vitest';
import type { RunningMonitor } from './running-monitor.ts';

/** The series that counts the runs of a target that say nothing about it. */
export const internal = (target: string): string =>
  `petstore_probe_check_failures_total{target="${target}",check="smoke",reason="internal"}`;

/** Expects that nothing blames the target for a fault of the probe. */
export async function expectNoBlame(monitor: RunningMonitor, target: string): Promise<void> {
  // After that many runs that say nothing about the target, an alert says so: how many there are depends on time.
  const { alerts } = await monitor.status();
  expect(alerts.filter((alert) => alert.target === target && alert.reason !== 'internal')).toEqual([]);
  const metrics = (await monitor.metrics()).split('\n');
  const blames = metrics.filter(
    (line) => line.startsWith(`petstore_probe_check_failures_total{target="${target}"`) && !line.endsWith(' 0'),
  );
  expect(blames.map((line) => line.replace(/ \d+$/, ''))).toEqual([internal(target)]);
}
