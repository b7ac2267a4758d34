import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Rule } from '../../src/oracle/world.ts';
import { type OpenSession, openSession } from '../../src/session/open-session.ts';
import { type Drawn, sendDrawn } from '../../suites/stimuli/drawn.ts';
import { sessionOptions } from '../prove/judge-reference.ts';
import { listed } from '../support/exchange-samples.ts';

let open: OpenSession;
beforeAll(async () => {
  // Nothing is sent, so no server is needed.
  open = await openSession(sessionOptions('http://127.0.0.1:9/v1'));
});
afterAll(() => open.session.close());

const TEN = 10;
const rule: Rule = {
  layer: 'status',
  judge: ({ status = 0 }) => (status === 200 ? 'holds' : { summary: 's', expected: ['200'], received: String(status) }),
};

/** Draws numbers; returns what was sent, in order. */
async function drawn(changes: Partial<Drawn<number>> = {}): Promise<readonly number[]> {
  const sent: number[] = [];
  const { send = async () => listed({}, { status: 200, body: [] }), ...others } = changes;
  await sendDrawn(open.session, {
    ...{ name: 'numbers', values: fc.nat({ max: 1000 }), batch: [1, 1], planned: 40, shrinking: 40, rules: [rule] },
    ...others,
    send: async (value) => {
      sent.push(value);
      return send(value);
    },
  });
  return sent;
}

const broken = async (value: number) => listed({}, { status: value >= TEN ? 400 : 200, body: [] });

describe('sendDrawn', () => {
  it('sends as many as planned if the rule holds, the same ones for the same name', async () => {
    const sent = await drawn();
    expect(sent).toHaveLength(40);
    expect(await drawn()).toEqual(sent);
    expect(await drawn({ name: 'others' })).not.toEqual(sent);
  });

  it('shrinks what breaks the rule to the smallest value, out of a batch too', async () => {
    expect((await drawn({ send: broken })).filter((value) => value >= TEN)).toContain(TEN);
    expect((await drawn({ send: broken, batch: [5, 5], shrinking: 100 })).filter((value) => value >= TEN)).toContain(TEN);
  });

  it('judges the exchanges of a batch together', async () => {
    const twice: Rule = {
      layer: 'history',
      judgeAll: ({ events }) =>
        events.flatMap((event) => (events.length < 4 ? [] : [{ event, breach: { summary: 's', expected: ['few'], received: 'many' } }])),
    };
    const pair = async () => [listed({}, { status: 200, body: [] }), listed({}, { status: 200, body: [] })];
    const sent = await drawn({ send: pair, batch: [2, 2], rules: [twice], planned: 9, shrinking: 0 });
    expect(sent).toHaveLength(2);
    expect(await drawn({ send: pair, rules: [twice], planned: 9, most: 3 })).toHaveLength(3);
  });

  it('sends no more to shrink than it may', async () => {
    const sent = await drawn({ send: broken, shrinking: 3 });
    expect(sent.slice(sent.findIndex((value) => value >= TEN) + 1)).toHaveLength(3);
  });

  it('halts if nothing could be sent, and keeps what was sent before a budget ran out', async () => {
    const spent = async (): Promise<never> => haltInconclusive('the budget is spent', 'choice');
    await expect(drawn({ send: spent })).rejects.toMatchObject({ unsent: { missing: 'the budget is spent' } });
    let left = 3;
    const few = async () => {
      left -= 1;
      return left < 0 ? spent() : listed({}, { status: 200, body: [] });
    };
    await expect(drawn({ send: few })).resolves.toHaveLength(40);
  });

  it('passes on exceptions of the suite', async () => {
    const bug = async (): Promise<never> => {
      throw new TypeError('a bug');
    };
    await expect(drawn({ send: bug })).rejects.toThrow('a bug');
  });
});
