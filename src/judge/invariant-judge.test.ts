import { describe, expect, test } from 'vitest';
import { errorsShape } from '../../suites/errors/shape.clause.ts';
import { knowledgeOf, listed, posted, read } from '../../test/exchange-samples.ts';
import { sessionOptions } from '../../test/prove/judge-reference.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import { eventOf } from '../oracle/event.ts';
import type { SessionClause } from '../oracle/rule.ts';
import { worldOf } from '../oracle/world.ts';
import { openSession } from '../session/open-session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { createInvariantJudge } from './invariant-judge.ts';
import { InternalError } from './judge-check.ts';
import { judgeByRules, recordJudged } from './judging.ts';

const withoutCode = { status: 401, body: { message: 'No key', status: 401 } };
const withoutStatus = { status: 404, body: { code: 'not_found', message: 'No animal' } };

const [rule] = errorsShape.rules ?? [];
/** The same law, as an invariant that judges itself. */
const law: SessionClause = {
  ...{ id: 'errors.shape', chapter: 'errors', section: 's', level: 'required', quote: ['q'], requirement: 'r', likelyCause: 'c' },
  checks: [],
  invariants: [
    {
      ...{ id: 'errors.shape/every-error', title: 'Every error body is an Error' },
      judge: (exchange, known) => rule?.judge?.(eventOf(exchange), worldOf([], known)) ?? 'not-applicable',
    },
  ],
};

// Nothing is sent: no server is needed.
const openNothing = () => openSession(sessionOptions('http://127.0.0.1:9/v1'));

async function byInvariant(exchanges: readonly Exchange[]): Promise<CheckRecord | InternalError | undefined> {
  const open = await openNothing();
  const listeners: ((exchange: Exchange) => void)[] = [];
  const recorder = { ...open.recorder, onExchange: (listener: (exchange: Exchange) => void) => void listeners.push(listener) };
  const judge = createInvariantJudge({ ...open, recorder }, [law]);
  for (const exchange of exchanges) for (const listener of listeners) listener(exchange);
  const [settled] = judge.settle();
  await open.session.close();
  return settled;
}

async function byRule(exchanges: readonly Exchange[]): Promise<CheckRecord | undefined> {
  const open = await openNothing();
  const history = { events: exchanges.map(eventOf), known: knowledgeOf(), sent: new Map(), others: [] };
  const [part] = judgeByRules(history, { clauses: [errorsShape], plan: [] });
  await open.session.close();
  return part === undefined ? undefined : recordJudged(open, part, { sent: new Map() });
}

const JUDGES = { 'an invariant': byInvariant, 'a rule': byRule } as const;

describe.each(['an invariant', 'a rule'] as const)('What %s finds', (judge) => {
  /** What the record shows of these exchanges. */
  async function shown(exchanges: readonly Exchange[]) {
    const settled = await JUDGES[judge](exchanges);
    const record = settled instanceof InternalError ? undefined : settled;
    return { summaries: record?.findings.map(({ summary }) => summary) ?? [], note: record?.note ?? '', cases: record?.cases?.length };
  }

  test('is shown with counter-examples of different kinds before several of one kind, and every case is listed', async () => {
    const { summaries, note, cases } = await shown([
      ...Array.from({ length: 25 }, (_, index) => listed({ limit: index + 1 }, withoutCode)),
      read(7n, withoutStatus),
      posted({}, { status: 400, body: [] }),
      read(8n, withoutStatus),
    ]);
    const statuses = summaries.map((summary) => /^the (\d+)/.exec(summary)?.[1]);
    expect(statuses.slice(0, 4)).toEqual(['401', '404', '400', '401']);
    expect(summaries).toHaveLength(20);
    expect(note).toContain('limit=1');
    expect(note).toContain('28 of 28 exchanges');
    expect(cases).toBe(28);
  });

  test('is shown by the first twenty where all are of one kind', async () => {
    const { summaries } = await shown(Array.from({ length: 25 }, (_, index) => listed({ limit: index + 1 }, withoutCode)));
    const limits = summaries.map((summary) => Number(/limit=(\d+)/.exec(summary)?.[1]));
    expect(limits).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});
