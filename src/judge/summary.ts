// What a record has of a run of rows in addition to its verdicts: animals, statistics, what was read through, and the evidence for the conclusion.

import type { RunSummary } from '../clause/run-record.ts';
import { type Counted, createOperations, createTraits, redactTraits } from '../clause/run-statistics.ts';
import { conductOf, noLongerIn } from '../oracle/conduct.ts';
import { departuresOf } from '../oracle/departures.ts';
import { type Exchange, hasKey, isDocumented } from '../oracle/exchange.ts';
import type { World } from '../oracle/world.ts';
import { NAME_PREFIX } from '../session/compose.ts';
import type { SessionOptions } from '../session/session.ts';
import { describeExtra } from '../wire/extra-headers.ts';
import { sessionRedactor, showText } from '../wire/redact.ts';
import { describeRoute } from '../wire/route.ts';
import { UNAUTHORIZED } from '../wire/statuses.ts';
import { animalsOf } from './animals.ts';
import type { RunEvidence } from './conclusion.ts';
import type { RunResult } from './run.ts';

const countedOf = (exchange: Exchange): Counted => ({
  ...{ operation: exchange.facts.operation, response: exchange.response, duration: exchange.done - exchange.at },
  isDocumented: isDocumented(exchange),
});

/** The summary of a run, or of what there is of one: every text as reports may show it. */
export function summaryOf(result: Pick<RunResult, 'world' | 'notices' | 'nextRun' | 'wire'>, options: SessionOptions): RunSummary {
  const { world, nextRun } = result;
  const redact = sessionRedactor(options);
  const show = (text: string): string => showText(text, redact);
  const { created, ambiguous } = animalsOf(world, options.runTag);
  const inOrder = world.all.toSorted((one, other) => one.number - other.number);
  return {
    animals: {
      created: created.map((animal) => ({ ...animal, id: show(animal.id), name: show(animal.name) })),
      ambiguous: ambiguous.map(show),
      budget: options.readOnly ? 0 : options.maxCreates,
      ...(nextRun === undefined ? {} : { nextRun }),
      prefix: NAME_PREFIX,
    },
    operations: createOperations(countedOf)(inOrder),
    traits: redactTraits(createTraits(countedOf)(inOrder), show),
    departures: departuresOf(world).map((departure) => ({ ...departure, description: show(departure.description) })),
    notices: noticesOf(result, options).map(show),
  };
}

function noticesOf({ world, notices, wire }: Pick<RunResult, 'world' | 'notices' | 'wire'>, options: SessionOptions): readonly string[] {
  const { askedToWait } = conductOf(world);
  const retried = world.all.filter(({ isRetried }) => isRetried === true).length;
  const again = sentAgainIn(world);
  const { waited, unasked, sentences } = wire;
  return [
    ...describeRoute(options, options.baseUrl),
    ...describeExtra(options.headers),
    ...notices,
    ...(askedToWait === 0 || waited === 0
      ? []
      : [
          `${askedToWait} responses asked to wait (429 or 503 with Retry-After); the suite waited ${Math.round(waited / 100) / 10} s in all`,
        ]),
    ...unreadIn(world),
    ...(retried === 0 ? [] : [`Reads repeated because the service had closed a kept-alive connection: ${retried}`]),
    ...(again === 0
      ? []
      : [`Requests sent again because the service intermittently rejected the API key or broke off a response: ${again}`]),
    ...(unasked === 0
      ? []
      : [
          `On ${unasked} connections the service sent a response that no request had asked for: whoever uses such a connection again may take it for the response to another request`,
        ]),
    ...sentences,
  ];
}

function unreadIn({ all }: World): readonly string[] {
  const reasons = all.flatMap(({ isUnread, response, failure }) => {
    if (!isUnread) return [];
    const problem = response?.json.ok === false ? response.json.problem : '';
    return [response === undefined ? (failure?.message ?? '') : `the body exceeds a limit of the suite: ${problem}`];
  });
  return [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, { length }]) =>
      `${length === 1 ? 'The body of 1 response is' : `The bodies of ${length} responses are`} not judged: ${reason}`,
  );
}

/** How many requests are the same bytes once more, after the key was rejected or a read broken off. */
function sentAgainIn({ all }: World): number {
  const hasFailed = (one: Exchange | undefined): boolean =>
    one !== undefined && hasKey(one) && (one.status === UNAUTHORIZED || (one.failure?.reason === 'protocol' && !one.failure.stale));
  return [...Map.groupBy(all, ({ sent }) => sent).values()]
    .map((same) => same.filter((_one, index) => index > 0 && hasFailed(same[index - 1])).length)
    .reduce((sum, count) => sum + count, 0);
}

const END = 'the end';

export function evidenceOf({ world, phases }: Pick<RunResult, 'world' | 'phases'>, options: SessionOptions): RunEvidence {
  const { askedToWait, rejects, isLockedOut, outage } = conductOf(world);
  const redact = sessionRedactor(options);
  const place = phases.findIndex(({ title }) => title === END);
  const [end, next] = place === -1 ? [] : phases.slice(place);
  return {
    ...{ askedToWait, rejects, lockedOut: isLockedOut, outage: [...outage] },
    closing:
      end === undefined
        ? undefined
        : noLongerIn({ from: end.from, ...(next === undefined ? {} : { until: next.from }) }, world).map((sentence) =>
            showText(sentence, redact),
          ),
  };
}
