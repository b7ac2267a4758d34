import { describe, expect, test } from 'vitest';
import { type AlertEvent, alertOf, eventId, reactTo } from '../../src/probe/alerts/event.ts';
import { FRESH_STATE } from '../../src/probe/alerts/target-state.ts';
import { Changes } from '../../src/probe/changes/changes.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { memoryHistory, sampleOf, USUAL } from './samples.ts';

const START = Date.parse('2030-10-01T10:00:00Z');
const INTERVAL = 60_000;

/** The events of one monitor, whose runs begin at a time of its own. */
function monitorAt(begin: number, runs: readonly Partial<Sample>[]): readonly AlertEvent[] {
  const changes = new Changes({ history: memoryHistory(), wall: () => begin });
  let state = FRESH_STATE;
  return runs.flatMap((run, index) => {
    const sample = sampleOf({ at: begin + index * INTERVAL, ...run });
    const reaction = reactTo(state, sample, USUAL);
    state = reaction.state;
    return [...reaction.events, ...changes.take(sample).map((change) => alertOf(change, { link: null }))];
  });
}

const idsOf = (events: readonly AlertEvent[]): readonly string[] => events.map(({ status, dedupId }) => `${status} ${dedupId}`);

describe('Two monitors that watch one target', () => {
  test('Their alerts about an outage have one dedup id, also if each sees another clause break first.', () => {
    const [fail, pass] = [{ verdict: 'fail' }, {}] as const;
    const one = monitorAt(START, [pass, fail, fail, fail, pass, pass]);
    const other = monitorAt(START + 17_000, [fail, fail, { ...fail, clause: 'record.pets', reason: 'schema' }, pass, pass]);
    const wanted = ['announcement production/removal/getPet/2030-12-05', 'firing production/down', 'resolved production/down'];
    expect([idsOf(one), idsOf(other)]).toEqual([wanted, wanted]);
    // A receiver drops an event that it gets twice, and not that of the other monitor.
    const ids = [...one, ...other].map(eventId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('Their announcements of a change have one dedup id, and a later change of the same thing is another event with it.', () => {
    const runs = ['none', 'some', 'some', 'some', 'none', 'none'].map((value) => ({
      impressions: [{ kind: 'list', subject: 'animals', value } as const],
    }));
    const changesOf = (begin: number) => monitorAt(begin, runs).filter(({ dedupId }) => dedupId.includes('/change/'));
    const [one, other] = [changesOf(START), changesOf(START + 17_000)];
    expect(one.map(({ dedupId }) => dedupId)).toEqual(Array(2).fill('production/change/list animals'));
    expect(idsOf(other)).toEqual(idsOf(one));
    expect(new Set([...one, ...other].map(eventId)).size).toBe(4);
  });
});
