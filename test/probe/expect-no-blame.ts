import { expect } from 'vitest';
import type { RunningMonitor } from './running-monitor.ts';

/** The series that counts the runs of a target that say nothing about it. */
export const internal = (target: string): string =>
  `petstore_probe_check_failures_total{target="${target}",check="smoke",reason="internal"}`;

/** What nobody may say of a target when the fault is the probe's own. */
export async function expectNoBlame(monitor: RunningMonitor, target: string): Promise<void> {
  // After so many runs that say nothing about the target, it is told that they don't: how many there are is a matter of time.
  const { alerts } = await monitor.status();
  expect(alerts.filter((alert) => alert.target === target && alert.reason !== 'internal')).toEqual([]);
  const metrics = (await monitor.metrics()).split('\n');
  const blames = metrics.filter(
    (line) => line.startsWith(`petstore_probe_check_failures_total{target="${target}"`) && !line.endsWith(' 0'),
  );
  expect(blames.map((line) => line.replace(/ \d+$/, ''))).toEqual([internal(target)]);
}
