// When the requests of a run were in flight, and which of them break a clause.

import type { RunTimeline } from '../clause/run-record.ts';
import type { JudgedCase } from '../oracle/blame.ts';
import { type Exchange, isCreation } from '../oracle/exchange.ts';
import { OPERATIONS } from '../wire/exchange.ts';
import type { RunResult } from './run.ts';

/** Requests in the columns, and requests that are named as breaking a clause. */
const [MOST_REQUESTS, MOST_BROKEN] = [3_000, 3_000];

/** So many of them, at the same distance from each other. */
export const thinned = <One>(all: readonly One[], most: number): readonly One[] =>
  all.length <= most
    ? all
    : all.filter((_one, index) => Math.floor((index * most) / all.length) !== Math.floor(((index - 1) * most) / all.length));

/** The exchanges with a wrong response: of a case about what was created, not the creation, which is only the reason. */
export const wrongIn = ({ exchange, others = [] }: JudgedCase): readonly Exchange[] => [
  exchange,
  ...others.filter((other) => !isCreation(other) || isCreation(exchange)),
];

/** For each exchange, in the order of sending, the lowest lane that is free when it is sent. */
function lanesOf(exchanges: readonly Exchange[]): readonly number[] {
  const busyUntil: number[] = [];
  return exchanges.map(({ at, done }) => {
    const free = busyUntil.findIndex((until) => until <= at);
    const lane = free === -1 ? busyUntil.length : free;
    busyUntil[lane] = done;
    return lane;
  });
}

export function runTimelineOf({ world, verdicts, phases }: Pick<RunResult, 'world' | 'verdicts' | 'phases'>): RunTimeline {
  const all = world.all.toSorted((one, other) => one.at - other.at);
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail');
  const most = Math.floor(MOST_BROKEN / Math.max(1, failed.length));
  const broken = failed.map(({ clause, broken: cases }) => {
    const wrong = [...new Set(cases.flatMap(wrongIn))].toSorted((one, other) => one.at - other.at);
    return { clause: clause.id, wrong: thinned(wrong, most), of: wrong.length };
  });
  const named = new Set(broken.flatMap(({ wrong }) => wrong));
  const lanes = new Map(lanesOf(all).map((lane, index) => [all[index], lane]));
  const right = all.filter((one) => !named.has(one));
  const kept = new Set([...named, ...thinned(right, Math.max(0, MOST_REQUESTS - named.size))]);
  const shown = all.filter((one) => kept.has(one));
  const places = new Map(shown.map((one, place) => [one, place]));
  return {
    requests: all.length,
    starts: shown.map(({ at }) => Math.round(at)),
    durations: shown.map(({ at, done }) => Math.round(done - at)),
    lanes: shown.map((one) => lanes.get(one) ?? 0),
    operations: shown.map(({ facts }) => OPERATIONS.indexOf(facts.operation)),
    classes: shown.map(({ status = 0 }) => Math.floor(status / 100)),
    broken: broken.map(({ clause, wrong, of }) => ({
      ...{ clause, places: wrong.flatMap((one) => places.get(one) ?? []) },
      ...(of > wrong.length ? { of } : {}),
    })),
    phases: phases.map(({ title, from }) => ({ title, from: Math.round(from) })),
  };
}
