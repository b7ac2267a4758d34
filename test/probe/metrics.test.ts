import { expect, test } from 'vitest';
import { Metrics } from '../../src/probe/metrics/metrics.ts';
import { resolveTarget } from '../../src/probe/smoke.ts';
import { OPERATIONS } from '../../src/wire/exchange.ts';
import { sampleOf } from './samples.ts';

const targetOf = (name: string) => resolveTarget({ name, baseUrl: 'http://127.0.0.1:9/v1', apiKey: () => 'key', interval: 30_000 });

/** The names of the families in the text, each once. */
const familiesIn = (text: string): readonly string[] => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
const seriesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('petstore_probe_'));

test('Each family is described once, with HELP before TYPE, and has only series of its own.', () => {
  const metrics = new Metrics('1.0.0');
  metrics.setTargets([targetOf('shop')]);
  metrics.setReceivers({ webhooks: [{ name: 'pager' }], alertmanagers: [{ name: 'first' }] });
  const families = familiesIn(metrics.text());
  expect(new Set(families).size).toBe(families.length);
  expect(families.filter((name) => !name.startsWith('petstore_probe_'))).toEqual([]);
  for (const part of metrics.text().split('# HELP ').slice(1)) {
    const [name, type] = [/^\S+/.exec(part)?.[0], /\n# TYPE \S+ (\S+)/.exec(part)?.[1]];
    const own = seriesIn(part.slice(part.indexOf('\n'))).map((line) => /^[a-z_]+/.exec(line)?.[0]);
    const allowed = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name];
    expect(own.filter((one) => one === undefined || !allowed.includes(one))).toEqual([]);
  }
});

test('A target is shown with zeros before its first run, so that what is counted first is an increase.', () => {
  const metrics = new Metrics('1.0.0');
  metrics.setTargets([targetOf('shop')]);
  const text = metrics.text();
  expect(text).toContain('petstore_probe_checks_total{target="shop",check="smoke"} 0\n');
  expect(text).toContain('petstore_probe_check_duration_seconds_bucket{le="+Inf",target="shop",check="smoke"} 0\n');
  const responses = seriesIn(text).filter((line) => line.includes('http_responses_total'));
  expect(responses).toHaveLength((OPERATIONS.length - 1) * 2);
  expect(responses.filter((line) => line.includes('createPet') || !line.endsWith(' 0'))).toEqual([]);
  expect(text).toContain('petstore_probe_config_last_reload_successful 0\n');
});

test('What a run of a delayed probe took spends no latency budget, nor does a failure.', () => {
  const metrics = new Metrics('1.0.0');
  metrics.setTargets([targetOf('shop')]);
  const slow = (): string => seriesIn(metrics.text()).find((line) => line.includes('slow_checks_total')) ?? '';
  for (const verdict of ['unknown', 'fail'] as const) metrics.observe(sampleOf({ target: 'shop', verdict, slow: true }));
  expect(slow()).toBe('petstore_probe_slow_checks_total{target="shop",check="smoke"} 0');
  for (const verdict of ['pass', 'degraded'] as const) metrics.observe(sampleOf({ target: 'shop', verdict, slow: true }));
  expect(slow()).toBe('petstore_probe_slow_checks_total{target="shop",check="smoke"} 2');
});

test('A reload keeps what was counted, and drops every series of a target that is no longer configured, and no other.', () => {
  const metrics = new Metrics('1.0.0');
  const [kept, gone] = [targetOf('shop'), targetOf('shop-2')];
  metrics.setTargets([kept, gone]);
  for (const target of ['shop', 'shop-2']) {
    metrics.observe(sampleOf({ target, duration: 200, certificateExpiry: 5, responses: [{ operation: 'getPet', code: '418', count: 2 }] }));
  }
  const before = seriesIn(metrics.text());
  metrics.setTargets([kept]);
  const after = seriesIn(metrics.text());
  const reset = (line: string): boolean => /^petstore_probe_clauses\{/.test(line);
  expect(after.filter((line) => !reset(line))).toEqual(before.filter((line) => !line.includes('target="shop-2"') && !reset(line)));
  expect(after).toContain('petstore_probe_check_duration_seconds_sum{target="shop",check="smoke"} 0.2');
  expect(after).toContain('petstore_probe_http_responses_total{target="shop",operation="getPet",code="418"} 2');

  // Its last run ends after the reload.
  metrics.observe(sampleOf({ target: 'shop-2' }));
  metrics.skip('shop-2', 'overlap');
  expect(seriesIn(metrics.text())).toEqual(after);
});
