import { FRESH_STATE } from '../../src/probe/alerts/target-state.ts';
import { animalValue, type Change } from '../../src/probe/changes/change.ts';
import type { MonitorView, TargetView } from '../../src/probe/monitor-view.ts';
import { sampleOf } from './samples.ts';

const NOW = Date.parse('2026-11-21T12:34:56Z');
const HOUR = 3_600_000;
export const HOSTILE = `</style></svg><script>document.title='owned'</script><img src=x onerror="document.title='owned'">"'&{{7*7}}`;

/** A monitor with a target that is up and one that is down, whose texts try to act. */
export function hostileView(): MonitorView {
  const target = { baseUrl: 'https://petstore.example/v1' };
  const coverage = { of: 957, met: 957, failing: [], leftOut: 75 };
  const change: Change = {
    ...{ target: 'production', kind: 'animal', subject: '17', what: 'changed', since: NOW - HOUR, at: NOW },
    ...{ before: animalValue({ name: 'Rex', categoryId: 4n }), after: animalValue({ name: HOSTILE, categoryId: 4n }) },
  };
  const runs = [
    { at: NOW - 5_000, verdict: 'fail', duration: 41, reason: 'status', clause: 'list.success', note: HOSTILE },
    { at: NOW - 65_000, verdict: 'degraded', duration: 2_345, note: 'a response took 2040 ms, more than 2000 ms' },
    { at: NOW - 125_000, verdict: 'unknown', duration: 12, reason: 'internal', note: HOSTILE },
    { at: NOW - 185_000, verdict: 'pass', duration: 38, note: '40 clauses passed' },
  ] as const;
  const known = {
    runs: () => runs,
    failedRuns: () => [{ ...runs[0], at: NOW - HOUR }],
    changes: () => [change],
    coverage,
  };
  const failures = [
    {
      clause: 'list.success' as const,
      level: 'required' as const,
      quote: ['a sentence of the document'],
      check: 'list.success/plain',
      reason: 'status' as const,
      summary: HOSTILE,
      exchange: `GET /v1/pets\n\n500\n\n${HOSTILE}`,
      condition: `only with ${HOSTILE}: 3 of 3 responses; otherwise 0 of 57`,
      command: `curl -sS -i 'https://petstore.example/v1/pets?${HOSTILE}'`,
    },
  ];
  const lastFailure = { at: NOW - 5_000, verdict: 'fail', reason: 'status', clause: 'list.success', note: HOSTILE, failures } as const;
  const down: TargetView = {
    target: { ...target, name: 'production' },
    state: { ...FRESH_STATE, health: 'down', window: [true, true, true], downSince: NOW - HOUR, failingSince: NOW - HOUR },
    last: sampleOf({ at: NOW - 5_000, verdict: 'fail', note: HOSTILE, failures }),
    since: NOW - HOUR,
    lastFailure: () => lastFailure,
    ...known,
  };
  const up: TargetView = {
    target: { ...target, name: 'staging' },
    state: FRESH_STATE,
    last: sampleOf({ target: 'staging', at: NOW - 9_000, certificateExpiry: NOW / 1000 + 13.5 * 86_400 }),
    since: NOW - 2 * HOUR,
    lastFailure: () => ({ ...lastFailure, at: NOW - 3 * HOUR }),
    ...known,
  };
  const event = {
    version: 1,
    dedupId: 'x',
    target: 'production',
    clause: 'list.success' as const,
    reason: 'status',
    summary: HOSTILE,
    condition: HOSTILE,
    since: new Date(NOW - HOUR).toISOString(),
    at: new Date(NOW).toISOString(),
    failures: 3,
    total: 5,
    link: null,
  } as const;
  return {
    version: '1.0.0',
    now: NOW,
    startedAt: NOW - 5 * HOUR,
    targets: [up, down],
    alerts: [{ ...event, status: 'firing' }],
    causes: [],
    changes: [change],
    maintenance: [{ reason: 'database upgrade <b>', targets: ['production'], from: NOW - HOUR, to: NOW + HOUR }],
    problems: [HOSTILE],
  };
}

/** The same with that many targets, every third of them down. */
export function ofMany(count: number): MonitorView {
  const [up, down] = hostileView().targets;
  if (up === undefined || down === undefined) throw new Error('two targets are needed');
  const failures = Array.from({ length: 27 }, () => down.last?.failures[0] ?? []).flat();
  const last = sampleOf({ verdict: 'fail', failures: failures.map((one) => ({ ...one, summary: HOSTILE.repeat(200) })) });
  const named = (index: number): TargetView => {
    const failing = index % 3 === 2;
    const target = { ...up.target, name: `target-${index}`, baseUrl: `https://${'long.'.repeat(100)}example/v1` };
    return { ...up, target, ...(failing ? { state: down.state, last } : {}) };
  };
  return {
    ...hostileView(),
    targets: Array.from({ length: count }, (_unused, index) => named(index)),
    problems: Array(1_000).fill(HOSTILE),
  };
}
