// What breaks a clause, as a record has it: every case in one line with its kinds, and the first findings with their exchanges.

import type { Chapter } from '../clause/clause.ts';
import type { ReportedCase, ReportedFinding, ReportedKind } from '../clause/clause-record.ts';
import { createKindTable, kindsOfFailure } from '../clause/failure-kind.ts';
import { caseText, MOST_EXCHANGES, MOST_FINDINGS } from '../clause/record-bounds.ts';
import type { JudgedCase } from '../oracle/blame.ts';
import { describeCredential } from '../oracle/credential-facts.ts';
import type { Exchange } from '../oracle/exchange.ts';
import type { Breach } from '../oracle/rule.ts';
import type { Received } from '../session/history.ts';
import type { SessionOptions } from '../session/session.ts';
import type { Sent, Vector } from '../session/vector.ts';
import type { ExchangeOutcome } from '../wire/exchange.ts';
import { oncePerObject } from '../wire/once.ts';
import { sessionRedactor, showText } from '../wire/redact.ts';
import { type RedactedExchange, redactParts } from '../wire/redacted-exchange.ts';

/** What came off the wire, and what its request was. */
export type ShownExchange = Received & Pick<Exchange, 'facts'>;

/** What makes an exchange and a text fit for reports. */
export type Redaction = {
  readonly exchange: (exchange: ShownExchange) => RedactedExchange;
  readonly text: (text: string) => string;
};

/** Of a run: each exchange is redacted once. */
export function redactionOf(options: SessionOptions): Redaction {
  const redact = sessionRedactor(options);
  return {
    text: (text) => showText(text, redact),
    exchange: oncePerObject(({ sent, facts, number, at, done, waits, isRetried, trace, ...received }: ShownExchange) => {
      const { method, target, body, framing } = sent;
      const headers = trace === undefined ? sent.headers : [...sent.headers, ['traceparent', trace] as const];
      const parts = {
        ...{ number, method, target, headers, body, chunked: framing === 'chunked', outcome: outcomeOf(received) },
        ...{ hasKey: facts.credential.kind === 'valid', credential: describeCredential(facts.credential), operation: facts.operation },
        ...{ startedAt: at, duration: done - at, retried: isRetried === true, postponed: waits },
      };
      return redactParts(parts, { ...options, redact });
    }),
  };
}

function outcomeOf({ response, failure }: Pick<Received, 'response' | 'failure'>): ExchangeOutcome {
  if (response !== undefined) return { kind: 'answered', answer: response };
  if (failure === undefined) throw new Error('an exchange has neither a response nor a failure');
  return { kind: 'failed', failure };
}

export type Failing = {
  readonly findings: readonly ReportedFinding[];
  readonly cases: readonly ReportedCase[];
  readonly failureKinds: readonly ReportedKind[];
};

export type FailingOptions = {
  readonly chapter: Chapter;
  readonly redaction: Redaction;
  /** What was asked for by the bytes that were sent. */
  readonly vectorOf: (sent: Sent) => Vector | undefined;
  readonly namedBySituations?: ReadonlySet<JudgedCase>;
};

/** A breach with the exchanges that show it, the last of which is the wrong one, and with the places of its kinds, if there are several. */
type BreachWithKinds = {
  readonly breach: Breach;
  readonly exchanges: readonly Exchange[];
  readonly ofKinds: Pick<ReportedCase, 'failureKinds'>;
  readonly isNamed: boolean;
};

/** The exchanges that show what is wrong in a case, in order: the last one has the wrong response. */
export const exchangesShowing = ({ breach, exchange }: JudgedCase): readonly Exchange[] => [...new Set(breach?.shown ?? [exchange])];

/** What breaks a clause of that chapter; `broken`: its cases, in the order in which they are told. */
export function failingOf(broken: readonly JudgedCase[], { chapter, redaction, vectorOf, namedBySituations }: FailingOptions): Failing {
  const { text } = redaction;
  const table = createKindTable();
  const placed = broken.flatMap((one) => {
    if (one.breach === undefined) return [];
    const exchanges = exchangesShowing(one);
    const last = exchanges.at(-1);
    const status = last?.status === undefined ? undefined : String(last.status);
    return [
      {
        breach: one.breach,
        exchanges,
        isNamed: namedBySituations?.has(one) === true,
        places: table.add(kindsOfFailure(one.breach, { chapter, status, operation: last?.facts.operation })),
      },
    ];
  });
  const isOne = table.failureKinds.length === 1;
  const kinded = placed.map(({ places, ...one }): BreachWithKinds => ({ ...one, ofKinds: isOne ? {} : { failureKinds: places } }));
  return {
    findings: firstOfEachKind(kinded).map((one) => findingOf(one, redaction)),
    cases: kinded.map((one) => caseOf(one, { redaction, vectorOf })),
    failureKinds: table.failureKinds.map(({ operation, place, expected, received }, index) => ({
      ...{ operation, place: text(place), expected: text(expected), received: text(received) },
      cases: placed.filter(({ places }) => places.includes(index)).length,
    })),
  };
}

function findingOf({ breach, exchanges, ofKinds }: BreachWithKinds, { text, exchange }: Redaction): ReportedFinding {
  const { summary, expected, received, pointer } = breach;
  return {
    ...{ summary: text(summary), expected: expected.map(text), received: text(received) },
    ...(pointer === undefined ? {} : { pointer: text(pointer) }),
    ...ofKinds,
    exchanges: exchanges.slice(-MOST_EXCHANGES).map(exchange),
  };
}

function caseOf(
  { breach, exchanges, ofKinds }: BreachWithKinds,
  { redaction: { text }, vectorOf }: Pick<FailingOptions, 'redaction' | 'vectorOf'>,
): ReportedCase {
  const last = exchanges.at(-1);
  const row = last === undefined ? undefined : shownRow(vectorOf(last.sent), text);
  return {
    summary: caseText(text(breach.summary)),
    ...(last === undefined ? {} : { exchange: last.number }),
    ...ofKinds,
    ...(row === undefined ? {} : { row }),
  };
}

/** A row names an animal by the id that the service gave it, which may be anything: one that is not shown can't be sent again. */
function shownRow(vector: Vector | undefined, text: (text: string) => string): Vector | undefined {
  const written = JSON.stringify(vector);
  return vector === undefined || text(written) !== written ? undefined : vector;
}

function lookOf({ breach: { pointer = '' }, exchanges, ofKinds: { failureKinds = [] } }: BreachWithKinds): string {
  const last = exchanges.at(-1);
  return [last?.facts.operation, last?.status ?? last?.failure?.reason, pointer.replace(/\d+/g, ''), failureKinds].join(' ');
}

/**
 * At most twenty: the first of each kind and of each situation, so that a reader who shows a few shows different ones, and none is said to be broken
 * without what shows it; then each exchange once before what else is wrong with it, such as other animals that a list omits.
 */
function firstOfEachKind(all: readonly BreachWithKinds[]): readonly BreachWithKinds[] {
  const numberOf = ({ exchanges }: BreachWithKinds): number | undefined => exchanges.at(-1)?.number;
  const once = new Map(all.toReversed().map((one) => [`${numberOf(one)} ${one.breach.summary}`, one]));
  const said = new Set(once.values());
  const different = all.filter((one) => said.has(one));
  const ofKinds = new Map(different.toReversed().map((one) => [lookOf(one), one])).values();
  const firsts = new Set([...ofKinds, ...different.filter(({ isNamed }) => isNamed)]);
  const turns = new Map<number | undefined, number>(different.flatMap((one) => (firsts.has(one) ? [[numberOf(one), 1] as const] : [])));
  const others = different.flatMap((one) => {
    if (firsts.has(one)) return [];
    const turn = turns.get(numberOf(one)) ?? 0;
    turns.set(numberOf(one), turn + 1);
    return [{ one, turn }];
  });
  const inTurn = others.toSorted((a, b) => a.turn - b.turn).map(({ one }) => one);
  return [...different.filter((one) => firsts.has(one)), ...inTurn].slice(0, MOST_FINDINGS);
}
