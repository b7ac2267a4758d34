import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { judgeSetting } from '../../proof/judge-server.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function always(status: number, body: string, type = 'application/json'): Handler {
  return (request, response) => {
    request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(body));
  };
}

const echo: Handler = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  request.pipe(response);
};

const error = (status: number): string => JSON.stringify({ code: 'no', message: 'no', status });

const REX = JSON.stringify({ id: 1, name: 'Rex', categoryId: 1, status: 'available' });

/** Servers that return the same nonsense to everything. */
export const NONSENSE: readonly (readonly [string, Handler])[] = [
  ['200 {}', always(200, '{}')],
  ['200 []', always(200, '[]')],
  ['200 null', always(200, 'null')],
  ['500 HTML', always(500, '<!doctype html><title>500</title>', 'text/html')],
  ['200 HTML', always(200, '<!doctype html><title>Welcome</title>', 'text/html')],
  ['401 with a perfect Error', always(401, error(401))],
  ['404 with a perfect Error', always(404, error(404))],
  ['400 with a perfect Error', always(400, error(400))],
  ['201 {}', always(201, '{}')],
  ['204 without a body', always(204, '')],
  ['an echo of the request', echo],
  ['201 and always the same animal', always(201, REX)],
  ['200 and always the same animal', always(200, REX)],
  ['200 and a list of something else', always(200, '[{"id":1},{"id":2}]')],
  ['an envelope of something else', always(200, '{"items":[{"id":1,"title":"x"}],"total":1}')],
];

/** The record of a run on a server with that handler. */
export function judgeNonsense(handler: Handler): Promise<RunRecord> {
  const server = createServer(handler);
  return judgeSetting({
    async start() {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return {
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        async close() {
          server.closeAllConnections();
          server.close();
        },
      };
    },
    session: { consistencyWindow: 100, timeout: 2_000 },
  });
}
