import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reactTo } from '../../src/probe/alerts/event.ts';
import { openAlertLedger } from '../../src/probe/alerts/ledger.ts';
import { createPostman, pauseAfter } from '../../src/probe/alerts/postman.ts';
import { deliver, type Webhook } from '../../src/probe/alerts/webhook.ts';
import { ownFolder } from '../support/own-folder.ts';
import { createFakeClock } from './fake-clock.ts';
import { SECRET } from './keys.ts';
import { isSigned, type Message } from './running-monitor.ts';
import { sampleOf } from './sample-of.ts';

const PATIENCE = 500;

/** What becomes of one try, from the side of the receiver. */
type Answer = 'nobody listens' | 'no answer' | 'hangs up' | 503 | 500 | 'slow 204' | 204;

/** A receiver that may be away: its port is free meanwhile, so that connections are refused. */
async function receiverOf(answers: readonly Answer[]) {
  const messages: Message[] = [];
  let next = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const answer = answers[next++] ?? 204;
    const taken = answer === 204 || answer === 'slow 204';
    messages.push({ headers: request.headers, body, id: String(request.headers['webhook-id']), taken });
    if (answer === 'no answer') return;
    if (answer === 'hangs up') request.socket.destroy();
    else if (answer === 'slow 204') setTimeout(() => response.writeHead(204).end(), PATIENCE / 2);
    else response.writeHead(Number(answer)).end();
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(async () => {
    if (server.listening) await close();
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    messages,
    /** Is there or not, as the next try has it. */
    async prepare(): Promise<void> {
      const wanted = answers[next] !== 'nobody listens';
      if (wanted && !server.listening) await listen(port);
      if (!wanted && server.listening) await close();
      if (!wanted) next += 1;
    },
  };
}

test('A receiver that is down, says nothing, hangs up, refuses twice and is slow gets each event at least once, in order, with one id each, signed.', async () => {
  const firing = ['nobody listens', 'nobody listens', 'no answer', 'hangs up', 503, 500, 'slow 204'] as const;
  const receiver = await receiverOf([...firing, 503, 204]);
  const clock = createFakeClock();
  const hook: Webhook = { name: 'on-call', format: 'json', url: () => receiver.url, secret: () => SECRET };
  const [taken, failed]: [string[], string[]] = [[], []];
  const file = join(ownFolder(), 'alerts.db');
  const open = () => {
    const ledger = openAlertLedger({ file, now: clock.wall, onProblem: (problem) => failed.push(problem) });
    const postman = createPostman({
      clock,
      ledger,
      webhooks: () => [hook],
      deliver: (webhook, delivery, now) => deliver(webhook, delivery, now, PATIENCE),
      onDelivered: (name) => taken.push(name),
      onFailed: (_name, problem) => failed.push(problem),
    });
    return { ledger, postman };
  };
  let office = open();
  for (const verdict of ['fail', 'fail', 'fail', 'pass', 'pass'] as const) {
    const sample = sampleOf({ verdict, at: clock.wall() });
    const { state, events } = reactTo(office.ledger.state(sample.target), sample, { link: null });
    office.ledger.commit(sample.target, { state, events, webhooks: [hook.name], at: clock.wall() });
    await clock.advance(60_000);
  }

  let tries = 0;
  while (office.ledger.pending().length > 0) {
    await receiver.prepare();
    await office.postman.round();
    tries += 1;
    // Nothing goes out before its pause is over.
    const before = receiver.messages.length;
    await office.postman.round();
    expect(receiver.messages).toHaveLength(before);
    // Each try is that of another process: what is owed is on file.
    office = open();
    await clock.advance(pauseAfter(tries));
  }
  expect(tries).toBe(firing.length + 1);
  expect(failed).toHaveLength(firing.length);
  expect(failed[0]).toContain('ECONNREFUSED');
  expect(failed[2]).toContain('timeout');
  expect(failed.slice(4)).toEqual(['webhook on-call answered 503', 'webhook on-call answered 500', 'webhook on-call answered 503']);
  expect(taken).toHaveLength(2);
  expect(receiver.messages.every(isSigned)).toBe(true);
  const words = receiver.messages.map(({ id }) => id.split('/').at(-1));
  expect(words).toEqual([...Array.from({ length: 5 }, () => 'firing'), 'resolved', 'resolved']);
  expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(2);
  // The signature is over the time of the try, not of the event: receivers refuse what is old.
  const times = receiver.messages.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length - 1);
});
