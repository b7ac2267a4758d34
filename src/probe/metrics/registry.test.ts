import { describe, expect, test } from 'vitest';
import { createRegistry } from './registry.ts';

function values(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('createRegistry', () => {
  test('shows families in the order in which they were made, series in the order in which they were first set, labels in the declared order', () => {
    const registry = createRegistry('shop_');
    const runs = registry.counter('runs_total', 'Runs.', ['target', 'check']);
    const up = registry.gauge('up', 'Whether it is up.', ['target']);
    up.set({ target: 'b' }, 1);
    runs.inc({ check: 'smoke', target: 'b' });
    runs.inc({ target: 'a', check: 'smoke' }, 3);
    expect(registry.text()).toBe(
      [
        '# HELP shop_runs_total Runs.',
        '# TYPE shop_runs_total counter',
        'shop_runs_total{target="b",check="smoke"} 1',
        'shop_runs_total{target="a",check="smoke"} 3',
        '# HELP shop_up Whether it is up.',
        '# TYPE shop_up gauge',
        'shop_up{target="b"} 1',
        '',
      ].join('\n'),
    );
  });

  test('takes the same labels in another order for the same series', () => {
    const registry = createRegistry('');
    const runs = registry.counter('runs_total', 'Runs.', ['target', 'check']);
    runs.inc({ target: 'a', check: 'smoke' });
    runs.inc({ check: 'smoke', target: 'a' });
    expect(values(registry.text())).toEqual(['runs_total{target="a",check="smoke"} 2']);
  });

  test('escapes what would end a label, a help text, or a line, and keeps apart what only looks alike', () => {
    const registry = createRegistry('');
    const up = registry.gauge('up', 'A "quoted" \\ help\nof two lines.', ['target', 'zone']);
    up.set({ target: 'a",zone="b', zone: '' }, 1);
    up.set({ target: 'a', zone: 'b",zone="' }, 2);
    up.set({ target: 'c:\\d\n', zone: 'é' }, 3);
    expect(registry.text()).toBe(
      [
        '# HELP up A "quoted" \\\\ help\\nof two lines.',
        '# TYPE up gauge',
        'up{target="a\\",zone=\\"b",zone=""} 1',
        'up{target="a",zone="b\\",zone=\\""} 2',
        'up{target="c:\\\\d\\n",zone="é"} 3',
        '',
      ].join('\n'),
    );
  });

  test('writes a series without labels without braces, and numbers as the format spells them', () => {
    const registry = createRegistry('');
    const numbers = [0, -0, 1.5, 1e21, 1e-7, 1764547200, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const [index, number] of numbers.entries()) registry.gauge(`number_${index}`, 'A number.', []).set({}, number);
    const written = values(registry.text()).map((line) => line.replace(/^number_\d /, ''));
    expect(written).toEqual(['0', '0', '1.5', '1e+21', '1e-7', '1764547200', 'NaN', '+Inf', '-Inf']);
  });

  test('counts 0 to show a series, and nothing that would make a counter go down or lose its sum', () => {
    const registry = createRegistry('');
    const runs = registry.counter('runs_total', 'Runs.', []);
    const seconds = registry.histogram('seconds', 'Durations.', { labels: [], bounds: [1] });
    expect(values(registry.text())).toEqual([]);
    runs.inc({}, 0);
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => runs.inc({}, wrong)).toThrow(RangeError);
    expect(() => seconds.observe({}, Number.NaN)).toThrow('seconds takes finite numbers, received NaN');
    expect(values(registry.text())).toEqual(['runs_total 0']);
  });

  test('has no second family with the same name', () => {
    const registry = createRegistry('');
    registry.gauge('up', 'Whether it is up.', []);
    expect(() => registry.counter('up', 'Another.', [])).toThrow('there are two metric families with the name up');
  });
});

describe('a histogram', () => {
  test('counts a value in every bucket that holds it, the one without a bound among them', () => {
    const registry = createRegistry('');
    const seconds = registry.histogram('seconds', 'Durations.', { labels: ['target'], bounds: [0.1, 1] });
    for (const value of [0, 0.1, 0.25, 1, 7]) seconds.observe({ target: 'a' }, value);
    expect(registry.text()).toBe(
      [
        '# HELP seconds Durations.',
        '# TYPE seconds histogram',
        'seconds_bucket{le="0.1",target="a"} 2',
        'seconds_bucket{le="1",target="a"} 4',
        'seconds_bucket{le="+Inf",target="a"} 5',
        'seconds_sum{target="a"} 8.35',
        'seconds_count{target="a"} 5',
        '',
      ].join('\n'),
    );
  });

  test('is shown with zeros before anything is observed, and stays as it is when it is shown again', () => {
    const registry = createRegistry('');
    const seconds = registry.histogram('seconds', 'Durations.', { labels: [], bounds: [1] });
    seconds.show({});
    expect(values(registry.text())).toEqual([
      'seconds_bucket{le="1"} 0',
      'seconds_bucket{le="+Inf"} 0',
      'seconds_sum 0',
      'seconds_count 0',
    ]);
    seconds.observe({}, 2);
    seconds.show({});
    expect(values(registry.text())).toEqual([
      'seconds_bucket{le="1"} 0',
      'seconds_bucket{le="+Inf"} 1',
      'seconds_sum 2',
      'seconds_count 1',
    ]);
  });
});

describe('what is removed', () => {
  test('is one series of a gauge, which comes last when it is set again', () => {
    const registry = createRegistry('');
    const up = registry.gauge('up', 'Whether it is up.', ['target']);
    for (const target of ['a', 'b']) up.set({ target }, 1);
    up.remove({ target: 'a' });
    up.remove({ target: 'nobody' });
    expect(values(registry.text())).toEqual(['up{target="b"} 1']);
    up.set({ target: 'a' }, 0);
    expect(values(registry.text())).toEqual(['up{target="b"} 1', 'up{target="a"} 0']);
  });

  test('is every series with such a label, in families of every type, and nothing where the label is missing', () => {
    const registry = createRegistry('');
    const up = registry.gauge('up', 'Whether it is up.', ['target', 'check']);
    const sent = registry.counter('sent_total', 'Messages.', ['webhook']);
    const seconds = registry.histogram('seconds', 'Durations.', { labels: ['check', 'target'], bounds: [] });
    for (const target of ['a', 'aa', 'b']) {
      up.set({ target, check: 'a' }, 1);
      seconds.show({ target, check: 'a' });
    }
    sent.inc({ webhook: 'a' });
    registry.removeWhere('target', (target) => target === 'a');
    const left = values(registry.text()).filter((line) => !/_(?:sum|count)\{/.test(line));
    expect(left).toEqual([
      'up{target="aa",check="a"} 1',
      'up{target="b",check="a"} 1',
      'sent_total{webhook="a"} 1',
      'seconds_bucket{le="+Inf",check="a",target="aa"} 0',
      'seconds_bucket{le="+Inf",check="a",target="b"} 0',
    ]);
  });
});
