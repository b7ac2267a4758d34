import { describe, expect, test } from 'vitest';
import type { HttpResponse, TransportFailure } from '../wire/exchange.ts';
import { Circuit, type EndedRequest } from './circuit.ts';

let count = 0;
function failed(reason: TransportFailure['reason'], more: Partial<TransportFailure> = {}): EndedRequest {
  count += 1;
  return { number: count, at: count, response: undefined, failure: { reason, message: 'it broke', stale: false, ...more } };
}
function answered(status: number, headers: HttpResponse['headers'] = []): EndedRequest {
  count += 1;
  const response: HttpResponse = { status, headers, size: 2, text: '{}', json: { ok: true, value: {} } };
  return { number: count, at: count, response, failure: undefined };
}
const times = (number: number, make: () => EndedRequest): EndedRequest[] => Array.from({ length: number }, make);

/** A circuit whose questions get these responses, the last one repeated; each takes so many milliseconds. */
function circuitWith(answers: readonly EndedRequest[], duration = 3_000) {
  const notices: string[] = [];
  let [asked, now] = [0, 0];
  const circuit = new Circuit({
    async ask() {
      now += duration;
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1] ?? answered(200);
    },
    notice: (sentence) => void notices.push(sentence),
    elapsed: () => now,
  });
  const note = (...all: readonly EndedRequest[]): void => {
    for (const one of all) circuit.note(['list'], one);
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { circuit, note, notices, asked: () => asked, pass };
}

describe('the circuit', () => {
  test.each([
    ['four failures in a row', times(4, () => failed('protocol'))],
    ['five failures with a response between', [...times(4, () => failed('connect')), answered(200), failed('connect')]],
    ['kept connections that are closed', times(6, () => failed('protocol', { stale: true }))],
    ['timeouts while this process was busy', times(6, () => failed('timeout', { heldUp: true }))],
    ['rejections for their rate', times(6, () => answered(503, [['retry-after', '1']]))],
  ])('asks nothing after %s', async (_what, all) => {
    const { circuit, note, asked } = circuitWith([]);
    note(answered(200), ...all);
    expect(await circuit.admit(['read'])).toBeUndefined();
    expect(asked()).toBe(0);
  });

  test.each([
    ['no response', () => failed('protocol')],
    ['no connection', () => failed('connect')],
    ['server errors', () => answered(502)],
  ])('waits for a service that is down (%s), says so, and gives back what failed', async (_what, make) => {
    const { circuit, note, notices } = circuitWith([make(), make(), answered(200)]);
    const lost = times(6, make);
    note(answered(200), ...lost);
    expect(await circuit.admit(['read'])).toBeUndefined();
    expect(notices).toEqual([
      expect.stringMatching(/^The service .* for 9\.0 s from .* it was down; after that, 6 requests that failed were sent once more$/),
    ]);
    expect(circuit.takeLost()).toEqual(lost);
    expect(circuit.takeLost()).toEqual([]);
  });

  test('a service that responds at once was not down: what it fails is its own, but for connections that it refused', async () => {
    const { circuit, note, notices } = circuitWith([answered(200)]);
    const refused = failed('connect');
    note(answered(200), ...times(5, () => answered(500)), refused);
    expect(await circuit.admit(['read'])).toBeUndefined();
    expect(notices).toEqual([]);
    expect(circuit.takeLost()).toEqual([refused]);
  });

  test('a response to what was sent before says nothing about the time since', async () => {
    const { circuit, note } = circuitWith([answered(502), answered(200)]);
    const before = answered(200);
    const lost = times(5, () => answered(502));
    note(lost[0] ?? before, before, ...lost.slice(1));
    await circuit.admit(['read']);
    expect(circuit.takeLost()).toEqual(lost);
  });

  test('nothing is sent to a service that does not come back', async () => {
    const { circuit, note, asked } = circuitWith([failed('connect')]);
    note(answered(200), ...times(5, () => failed('connect')));
    const refusal = await circuit.admit(['read']);
    expect(refusal).toMatchObject({ missing: 'the service has stopped responding: it broke', needs: count });
    expect(asked()).toBe(5);
    expect(await circuit.admit(['list'])).toEqual(refusal);
    expect(asked()).toBe(5);
  });

  test('a service that fails all the time is waited for once, and then sent the rest', async () => {
    const { circuit, note, asked } = circuitWith([answered(500)]);
    note(answered(200), ...times(5, () => answered(500)));
    expect(await circuit.admit(['read'])).toBeUndefined();
    const before = asked();
    note(...times(20, () => answered(500)));
    expect(await circuit.admit(['read'])).toBeUndefined();
    expect(asked()).toBe(before);
  });

  test('what failed is given back once a service that failed for longer than it was waited for has succeeded, and what showed that it was down does', async () => {
    const { circuit, note, notices, asked, pass } = circuitWith([...times(5, () => answered(500)), answered(500), answered(200)]);
    const lost = times(5, () => answered(500));
    note(answered(200), ...lost);
    await circuit.admit(['read']);
    expect(asked()).toBe(5);
    const more = times(20, () => answered(500));
    // A rejection is no success.
    note(...more, answered(401));
    await circuit.admit(['read']);
    expect(asked()).toBe(5);
    // Creations may never have failed.
    note(answered(201));
    pass(1_000);
    await circuit.admit(['read']);
    expect([asked(), notices, circuit.takeLost()]).toEqual([6, [], []]);
    note(answered(200));
    pass(1_000);
    await circuit.admit(['read']);
    expect(notices).toEqual([
      'The service returned 500 for 23.0 s from 0.0 s after the start of the run on: it was down; after that, 25 requests that failed were sent once more',
    ]);
    expect(circuit.takeLost()).toEqual([...lost, ...more]);
  });

  test('what hangs three times is not sent any more, and the rest is', async () => {
    const { circuit } = circuitWith([answered(200)]);
    for (const one of times(3, () => failed('timeout'))) {
      circuit.note(['list', 'list with limit 0'], one);
      circuit.note(['list'], answered(200));
    }
    expect(await circuit.admit(['list', 'list with limit 0'])).toMatchObject({ missing: expect.stringContaining('list with limit 0') });
    expect(await circuit.admit(['list', 'list with limit 1'])).toBeUndefined();
  });

  test('after forty timeouts nothing more is sent', async () => {
    const { circuit, note } = circuitWith([]);
    note(...times(40, () => failed('timeout')).flatMap((one) => [one, answered(200)]));
    expect(await circuit.admit(['read'])).toMatchObject({ missing: '40 requests timed out; sending stopped' });
  });
});
