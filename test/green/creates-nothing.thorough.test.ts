import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { judgeService, type ServiceRun } from './judge-service.ts';

type Reply = { readonly status: number; readonly body: unknown; readonly type?: string };
type Asked = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly hasKey: boolean;
  readonly body: string;
};
/** How a service departs from a conforming one; undefined if it does not. */
type Otherwise = (asked: Asked) => Reply | undefined;

const error = (status: number, code: string, message: string): Reply => ({ status, body: { code, message, status } });
const NO_KEY = error(401, 'unauthorized', 'The API key is missing or wrong');
const NOT_FOUND = error(404, 'not_found', 'No such animal');
const REJECTED = error(400, 'bad_request', 'a JSON body is required');

/** An empty store that rejects every creation as if it had no body, and conforms in everything else. */
function replyTo({ method, path, query, hasKey }: Asked): Reply {
  if (!hasKey) return NO_KEY;
  if (path !== '/v1/pets') return NOT_FOUND;
  if (method === 'POST') return REJECTED;
  const limit = Number(query.get('limit') ?? 20);
  return limit >= 1 && limit <= 100 ? { status: 200, body: [] } : error(400, 'bad_limit', 'limit is 1 to 100');
}

async function handle(request: IncomingMessage, response: ServerResponse, otherwise: Otherwise): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const { method = '', headers } = request;
  const asked = { method, path, query, hasKey: headers.authorization === `Bearer ${KEY}`, body: await text(request) };
  const { status, body, type = 'application/json' } = otherwise(asked) ?? replyTo(asked);
  response.writeHead(status, { 'content-type': type, 'www-authenticate': 'Bearer' }).end(JSON.stringify(body));
}

async function judgeStore(otherwise: Otherwise, changes: Parameters<typeof judgeService>[1] = {}): Promise<ServiceRun> {
  const server = createServer((request, response) => void handle(request, response, otherwise));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await judgeService(`http://127.0.0.1:${port}/v1`, { timeout: 10_000, ...changes });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const verdictsOf = ({ plain }: ServiceRun, verdict: string): readonly string[] =>
  plain.clauses.filter((clause) => clause.verdict === verdict).map(({ id }) => id);

type Broken = { readonly does: string; readonly otherwise: Otherwise; readonly red: readonly string[] };

const withoutCode = ({ status, body }: Reply): Reply => ({ status, body: { ...(body as object), code: undefined } });

const BROKEN: readonly Broken[] = [
  {
    does: 'sends errors without a code',
    otherwise: (asked) => {
      const reply = replyTo(asked);
      return reply.status < 400 ? undefined : withoutCode(reply);
    },
    red: ['errors.shape'],
  },
  {
    does: 'says 403 where the key is missing or wrong',
    otherwise: ({ hasKey }) => (hasKey ? undefined : error(403, 'forbidden', 'No key')),
    red: ['auth.missing-credential'],
  },
  {
    does: 'asks for no key where an animal is read',
    otherwise: ({ path }) => (path === '/v1/pets' ? undefined : NOT_FOUND),
    red: ['auth.missing-credential'],
  },
  {
    does: 'crashes on limit=0',
    otherwise: ({ hasKey, query }) => (hasKey && query.get('limit') === '0' ? error(500, 'oops', 'division by zero') : undefined),
    red: ['errors.no-server-error'],
  },
  {
    does: 'rejects a limit over 50',
    otherwise: ({ hasKey, query }) => (hasKey && Number(query.get('limit')) > 50 ? error(400, 'bad_limit', 'limit is 1 to 50') : undefined),
    red: ['list.limit-accepted'],
  },
  {
    does: 'says 400 for an id that no animal has',
    otherwise: ({ hasKey, path }) => (hasKey && path !== '/v1/pets' ? error(400, 'bad_id', 'No such animal') : undefined),
    red: ['get.not-found'],
  },
  {
    does: 'sends 404 as HTML',
    otherwise: ({ hasKey, path }) => (hasKey && path !== '/v1/pets' ? { ...NOT_FOUND, type: 'text/html' } : undefined),
    red: ['media.json'],
  },
  {
    does: 'accepts a body without a name',
    otherwise: ({ hasKey, method, body }) =>
      hasKey && method === 'POST' && /^\{"categoryId":\d+\}$/.test(body)
        ? { status: 201, body: { id: 1, name: '', categoryId: 1 } }
        : undefined,
    red: ['create.name-required'],
  },
];

describe('an empty store that rejects every creation', () => {
  test('ends a run with 3 if it conforms otherwise, passes nothing, and the report says how it rejects creations', async () => {
    const run = await judgeStore(() => undefined);
    expect([verdictsOf(run, 'fail'), verdictsOf(run, 'pass')]).toEqual([[], []]);
    const { exitCode, reasons } = run.plain.conclusion;
    expect({ exitCode, reasons: reasons.join('\n') }).toEqual({
      exitCode: 3,
      reasons: expect.stringContaining('"a JSON body is required"'),
    });
  });

  test('is judged in a read-only run too, in which nothing that conforms turns red', async () => {
    const readOnly = { readOnly: true };
    expect(verdictsOf(await judgeStore(() => undefined, readOnly), 'fail')).toEqual([]);
    const crash: Otherwise = ({ hasKey, query }) =>
      hasKey && query.get('status') === 'unknown' ? error(500, 'oops', 'No such status') : undefined;
    expect(verdictsOf(await judgeStore(crash, readOnly), 'fail')).toEqual(['errors.no-server-error']);
  });

  test.each(BROKEN)('is judged on everything else: it $does', async ({ otherwise, red }) => {
    const run = await judgeStore(otherwise);
    expect([verdictsOf(run, 'fail'), verdictsOf(run, 'pass')]).toEqual([red, []]);
    expect(run.plain.conclusion.exitCode).toBe(1);
  });
});
