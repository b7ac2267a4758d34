import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../proof/faults/index.ts';
import { startReference } from '../../proof/server.ts';
import { VARIANTS } from '../../proof/variants/index.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { compose } from '../../suites/tables/tables.ts';
import { isBinding } from '../clause/clause.ts';
import type { Received } from '../session/history.ts';
import type { Sent, Vector } from '../session/vector.ts';
import type { HttpResponse } from '../wire/exchange.ts';
import { readJson } from '../wire/json.ts';
import { ALLOWED, type Allowed } from './allowed.ts';
import type { UnusualClient } from './client-facts.ts';
import { judgeHistory } from './verdicts.ts';
import { createWorld } from './world.ts';

const API_KEY = 'pk-7Hq2XvR9sLmT4wZa';

function send(baseUrl: string, { method, target, headers, body, framing }: Sent): Promise<HttpResponse> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const length = body === undefined || framing === 'chunked' ? [] : ['content-length', String(body.length)];
  return new Promise((resolve, reject) => {
    const sending = request({
      hostname,
      port,
      path: `${pathname}${target}`,
      method,
      headers: ['host', `${hostname}:${port}`, ...headers.flat(), ...length],
    });
    sending.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
          resolve({ status: response.statusCode ?? 0, headers: received, size: text.length, text, json: readJson(text) });
        });
    });
    sending.end(body);
  });
}

const ROWS_BY_UNUSUAL_CLIENT: Readonly<Record<UnusualClient, Vector>> = {
  'no User-Agent': { op: 'list', client: 'no User-Agent' },
  'User-Agent of an old or automated client': { op: 'list', client: 'Java' },
  'Accept without JSON': { op: 'list', client: 'any application type' },
  Origin: { op: 'list', client: 'another origin' },
  'Accept-Charset': { op: 'list', client: 'Latin-1 preferred' },
  chunked: { op: 'create', framing: 'chunked' },
  'headers over 4 KB': { op: 'list' },
  'target over 2,000 characters': { op: 'create' },
  'body over 1 KB': { op: 'create' },
};

/** Rows for services that look at one header only, which is large by itself. */
const OWN_ROWS: Readonly<Record<string, Vector>> = { 'token-outside-ascii-rejected': { op: 'list', credential: '8,000 letters' } };

/** What is unusual by its size alone, far beyond where services stop. */
const FILLER = 'a'.repeat(9_000);
const ENLARGED: Partial<Record<UnusualClient, (sent: Sent) => Sent>> = {
  'headers over 4 KB': (sent) => ({ ...sent, headers: [...sent.headers, ['x-filler', FILLER]] }),
  'target over 2,000 characters': (sent) => ({ ...sent, target: `${sent.target}?filler=${FILLER}` }),
  'body over 1 KB': (sent) => ({ ...sent, body: Buffer.concat([Buffer.from(' '.repeat(FILLER.length)), sent.body ?? Buffer.of()]) }),
};

/** The binding clauses that a few requests break, the last of them the unusual one. */
async function broken(
  { by, status, taken }: Allowed,
  allowed: readonly Allowed[],
): Promise<{ readonly isTaken: boolean; readonly red: readonly string[] }> {
  const server = await startReference({
    apiKey: API_KEY,
    seedAnimals: 3,
    ...(taken in VARIANTS ? { variants: [taken] } : { faults: [taken] }),
  });
  const world = createWorld({ apiKey: API_KEY, baseUrl: server.baseUrl, now: new Date(), window: 2_000, leftoverIds: [], allowed });
  const vectors: readonly Vector[] = [
    { op: 'list' },
    { op: 'list', credential: 'none' },
    { op: 'create', status: 'sold' },
    OWN_ROWS[taken] ?? ROWS_BY_UNUSUAL_CLIENT[by],
  ];
  let last = 0;
  for (const [rowNumber, vector] of vectors.entries()) {
    const usual = compose(vector, { apiKey: API_KEY, seed: 1, rowNumber, runTag: 'abcd', categoryId: 1n, knownIds: [1n], cookies: [] });
    const isLarge = rowNumber === vectors.length - 1 && !(taken in OWN_ROWS);
    const sent = isLarge ? (ENLARGED[by]?.(usual) ?? usual) : usual;
    const response = await send(server.baseUrl, sent);
    last = response.status;
    const received: Received = {
      ...{
        number: rowNumber + 1,
        sent,
        at: rowNumber * 100,
        done: rowNumber * 100 + 10,
        response,
        failure: undefined,
        isUnread: false,
        waits: 0,
      },
    };
    world.add(received);
  }
  await server.close();
  const red = judgeHistory(clauses, world.now()).filter(({ verdict, clause }) => verdict === 'fail' && isBinding(clause));
  return { isTaken: last === status, red: red.map(({ clause }) => clause.id) };
}

describe('what a service may reject of a client', () => {
  test.each(ALLOWED.map((one) => [`${one.by}, ${one.status}`, one] as const))('%s', async (_title, one) => {
    expect([...Object.keys(VARIANTS), ...Object.keys(FAULTS)]).toContain(one.taken);
    expect(await broken(one, ALLOWED)).toEqual({ isTaken: true, red: [] });
    // Without its line, that service would be accused.
    expect(
      (
        await broken(
          one,
          ALLOWED.filter((other) => other !== one),
        )
      ).red,
    ).not.toEqual([]);
  });
});
