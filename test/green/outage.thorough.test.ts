import { describe, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { conformingUntil, message } from '../hostile/attacker.ts';
import { judgeService } from './judge-service.ts';

const BOOM = message('500 Internal Server Error', 'boom', 'Content-Type: text/plain\r\n');

/** Clauses that are red if the requests with these numbers get a 500, whatever they are. */
async function redAround(from: number, to: number): Promise<ReadonlySet<string>> {
  let seen = 0;
  const service = await conformingUntil(
    ({ socket }, genuine) => {
      seen += 1;
      if (seen < from || seen > to) genuine();
      else socket.write(BOOM);
    },
    { apiKey: KEY, seedAnimals: 8 },
  );
  try {
    const { plain } = await judgeService(service.baseUrl, { consistencyWindow: 300, timeout: 30_000 });
    expect(plain.clauses.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(20);
    return new Set(plain.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  } finally {
    await service.close();
  }
}

describe('an outage during a run', () => {
  test.for([
    [40, 120],
    [100, 260],
    [150, 210],
    [250, 400],
    [300, 100_000],
  ] as const)('turns errors.no-server-error red and nothing else: requests %i to %i get 500 and a text', async ([from, to]) => {
    expect([...(await redAround(from, to))].filter((clause) => clause !== 'auth.challenge')).toEqual(['errors.no-server-error']);
  });
});
