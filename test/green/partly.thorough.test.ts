import { describe, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { conformingUntil, type Deal, message, type RawRequest, rawServer } from '../hostile/attacker.ts';
import { judgeService } from './judge-service.ts';

const LATER = 'Retry-After: 0\r\n';
const PAGE = message('503 Unavailable', '<!doctype html><title>Later</title>', `Content-Type: text/html\r\n${LATER}`);
const errorOf = (status: number): string => JSON.stringify({ code: 'later', message: 'Not now', status });
const LIMITED = message('429 Too Many Requests', errorOf(429), `Content-Type: application/json\r\n${LATER}`);
const CONFORMS_FOR = 14;

/** Sends another response wherever the genuine server rejects something. */
function insteadOfRejections({ socket }: RawRequest, genuine: () => void): void {
  const write = socket.write.bind(socket);
  socket.write = (bytes: unknown): boolean => {
    socket.write = write;
    const status = (bytes as Buffer).toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 4'.length);
    return write(status === '4' ? LIMITED : (bytes as Buffer));
  };
  genuine();
}

const instead =
  (response: Buffer, of: (request: RawRequest) => boolean): Deal =>
  (request, genuine) =>
    of(request) ? void request.socket.write(response) : genuine();

type Service = { readonly does: string; readonly deal: Deal; readonly exit: number; readonly reason: RegExp };

/** Partly conforming services: what they do not do fails no required clause. */
const SERVICES: readonly Service[] = [
  {
    does: 'asks to wait whenever an animal is read',
    deal: instead(LIMITED, ({ target }) => /^\/v1\/pets\/./.test(target)),
    exit: 3,
    reason: /getPet never worked in this run/,
  },
  {
    does: 'asks to wait whenever an animal is created',
    deal: instead(LIMITED, ({ method }) => method === 'POST'),
    exit: 3,
    reason: /createPet never worked in this run/,
  },
  {
    does: 'asks to wait instead of rejecting anything',
    deal: (request, genuine) => (request.number <= CONFORMS_FOR ? genuine() : insteadOfRejections(request, genuine)),
    exit: 3,
    reason: /never rejected what it must reject/,
  },
  {
    does: 'sends a page that asks to wait instead of every third response',
    deal: instead(PAGE, ({ number }) => number % 3 === 0),
    // A repeated request gets a correct response: everything was judged, and the page is a warning.
    exit: 0,
    reason: /^errors\.infrastructure-errors$/,
  },
];

describe('a service that is itself in part', () => {
  test.each(SERVICES)('ends a run with $exit: it $does', async ({ deal, exit, reason }) => {
    const server = await conformingUntil(deal, { apiKey: KEY, seedAnimals: 8 });
    const run = await judgeService(server.baseUrl, { timeout: 5_000 }).finally(() => server.close());
    const { exitCode, headline, reasons } = run.plain.conclusion;
    expect({ exit: exitCode, reasons: reasons.join('\n') }, headline).toEqual({
      exit,
      reasons: expect.stringMatching(reason),
    });
  });
});

describe('a service that does only one thing', () => {
  // What is no pet store, or what no key opens, is a mistake that no waiver is for.
  test.each([
    [500, 3],
    [403, 3],
    [426, 3],
    [404, 1],
    [302, 1],
  ])('is not judged by what waivers leave: %i to everything', async (status, exitCode) => {
    const server = await rawServer(({ socket }) => socket.write(message(`${status} Always`, errorOf(status))));
    const run = await judgeService(server.baseUrl, { timeout: 5_000 }).finally(() => server.close());
    const [plain, waived] = [run.plain.conclusion, run.waived.conclusion];
    expect([plain.exitCode, waived.exitCode], waived.headline).toEqual([1, exitCode]);
  });
});
