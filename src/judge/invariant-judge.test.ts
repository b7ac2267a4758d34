import { expect, test } from 'vitest';
import { errorsShape } from '../../suites/errors/shape.clause.ts';
import { listed, posted, read } from '../../test/exchange-samples.ts';
import { sessionOptions } from '../../test/prove/judge-reference.ts';
import { openSession } from '../session/open-session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { createInvariantJudge } from './invariant-judge.ts';
import { InternalError } from './judge-check.ts';

const withoutCode = { status: 401, body: { message: 'No key', status: 401 } };
const withoutStatus = { status: 404, body: { code: 'not_found', message: 'No animal' } };

/** What the invariant of errors.shape shows of these exchanges. */
async function shown(exchanges: readonly Exchange[]): Promise<{
  readonly summaries: readonly string[];
  readonly note: string;
  readonly cases: number | undefined;
}> {
  // Nothing is sent: no server is needed.
  const open = await openSession(sessionOptions('http://127.0.0.1:9/v1'));
  const listeners: ((exchange: Exchange) => void)[] = [];
  const recorder = { ...open.recorder, onExchange: (listener: (exchange: Exchange) => void) => void listeners.push(listener) };
  const judge = createInvariantJudge({ ...open, recorder }, [errorsShape]);
  for (const exchange of exchanges) for (const listener of listeners) listener(exchange);
  const [settled] = judge.settle();
  const record = settled instanceof InternalError ? undefined : settled;
  await open.session.close();
  return { summaries: record?.findings.map(({ summary }) => summary) ?? [], note: record?.note ?? '', cases: record?.cases?.length };
}

test('shows counter-examples of different kinds before several of one kind, and lists every case', async () => {
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

test('shows the first twenty where all are of one kind', async () => {
  const { summaries } = await shown(Array.from({ length: 25 }, (_, index) => listed({ limit: index + 1 }, withoutCode)));
  const limits = summaries.map((summary) => Number(/limit=(\d+)/.exec(summary)?.[1]));
  expect(limits).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});
