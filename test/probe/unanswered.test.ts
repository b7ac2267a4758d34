import { describe, expect, test } from 'vitest';
import { reactTo } from '../../src/probe/alerts/event.ts';
import { FRESH_STATE, failUnanswered, type TargetState } from '../../src/probe/alerts/target-state.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { sampleOf, USUAL } from './sample-of.ts';

/** What getPet returned in a run, along with a list that works: `-` is a run that did not request an animal. */
function runOf(codes: string, at: number): Sample {
  const lists = { operation: 'listPets', code: '200', count: 3 };
  const reads = codes === '-' ? [] : codes.split(' ').map((code) => ({ operation: 'getPet', code, count: 2 }));
  return sampleOf({ at, responses: [lists, ...reads] });
}

function story(...runs: readonly string[]): { verdicts: string; events: string[]; last: Sample | undefined } {
  let state: TargetState = FRESH_STATE;
  const samples: Sample[] = [];
  const events: string[] = [];
  runs.forEach((codes, index) => {
    const sample = failUnanswered(runOf(codes, index * 60_000), state.unanswered ?? {});
    const reaction = reactTo(state, sample, USUAL);
    state = reaction.state;
    samples.push(sample);
    events.push(...reaction.events.map(({ status }) => status));
  });
  return { verdicts: samples.map(({ verdict }) => verdict.charAt(0)).join(''), events, last: samples.at(-1) };
}

describe('failUnanswered', () => {
  test.for([
    ['an operation that works', ['200 404 401', '200 404 401', '200 404 401'], 'ppp', []],
    ['one that is limited at times', ['200 429', '429', '200', '429 503', '429 200'], 'pdpdp', []],
    ['one that rejects what is odd, and asks to wait for all else', ['429 404', '503 400', '429 404'], 'ddf', ['firing']],
    ['one that asks to wait for three runs', ['401 503', '503', '429 none'], 'ddf', ['firing']],
    ['one that does for longer', ['200', '503', '503', '503', '503', '503'], 'pddfff', ['firing']],
    ['one that is not asked in between', ['503', '-', '503', '-', '503'], 'dpdpf', ['firing']],
    ['one that comes back', ['503', '503', '503', '200', '200'], 'ddfpp', ['firing', 'resolved']],
    ['one that was removed', ['404 410', '410', '410'], 'ppp', []],
  ] as const)('%s', ([, runs, verdicts, events]) => {
    const told = story(...runs);
    expect([told.verdicts, told.events]).toEqual([verdicts, events]);
  });

  test('The failure names the operation and its clause.', () => {
    expect(story('503', '503', '503').last).toMatchObject({
      reason: 'status',
      clause: 'get.success',
      note: 'getPet was not served in 3 runs in a row: the service only asked to wait (429 or 503)',
    });
  });

  test('A failed or unknown sample stays unchanged.', () => {
    for (const verdict of ['fail', 'unknown'] as const) {
      const sample = { ...runOf('503', 0), verdict };
      expect(failUnanswered(sample, { getPet: 5 })).toBe(sample);
    }
  });
});
