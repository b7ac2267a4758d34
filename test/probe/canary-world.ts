import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { type Canary, createCanary } from '../../src/probe/canary/canary.ts';
import type { CanaryLimits } from '../../src/probe/canary/limits.ts';
// Modules that a canary loads on demand, loaded now so that no tested run waits for them.
import '../../src/probe/canary/run.ts';
import type { Settlement } from '../../src/probe/canary/ledger.ts';
import { createSmoke, resolveTarget, type SmokeResult } from '../../src/probe/smoke.ts';
import type { Target } from '../../src/probe/target.ts';
import { probeClauses as clauses } from '../../suites/probe.ts';
import { startFront } from '../support/front.ts';
import { ownFolder } from '../support/program.ts';
import { createFakeClock, type FakeClock, KEY } from './samples.ts';

/** Shared by the tests of the write canary: a service that records its requests, and the canary with a controllable clock. */

export const NAME = 'production';
const DAY = 86_400_000;

export type Post = { readonly name: string; readonly categoryId: number; readonly status: string };
export type Service = {
  readonly baseUrl: string;
  readonly posts: readonly Post[];
  /** The paths of all other requests. */
  readonly reads: readonly string[];
};

/** Handles a POST before the service sees it; true if that was all. */
export type OnPost = (response: ServerResponse, post: Post) => boolean | Promise<boolean>;

/** The reference server behind a front that counts, and passes nothing on before it `opens`. */
export async function startService(
  options: { faults?: string[]; variants?: string[]; seedAnimals?: number; onPost?: OnPost; opens?: Promise<void> } = {},
): Promise<Service> {
  const { faults = [], variants = [], seedAnimals = 8, onPost = () => false, opens } = options;
  const posts: Post[] = [];
  const reads: string[] = [];
  const front = await startFront({
    service: { apiKey: KEY, seedAnimals, faults, variants },
    async instead({ method, url, body }, response) {
      await opens;
      if (method !== 'POST') {
        reads.push(url);
        return false;
      }
      const post = JSON.parse(body) as Post;
      posts.push(post);
      return onPost(response, post);
    },
  });
  onTestFinished(() => front.close());
  return { baseUrl: front.baseUrl, posts, reads };
}

export type Row = {
  readonly number: number;
  readonly target: string;
  readonly state: string;
  readonly id: string | null;
  readonly name: string;
};

/** The rows of the ledger file. */
export function rowsOf(file: string): Row[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare('SELECT number, target, state, id, name FROM creation ORDER BY number').all() as unknown as Row[];
  } finally {
    database.close();
  }
}

export type Bird = {
  readonly canary: Canary;
  readonly target: Target;
  readonly problems: string[];
  readonly settled: string[];
  /** One scheduled run. */
  run(): Promise<SmokeResult>;
  close(): void;
};

export const GENEROUS: CanaryLimits = { perDay: 4, lifetime: 100, categoryId: undefined };

/** A canary as in the monitor, and the runs of one target. */
export function startCanary(service: Pick<Service, 'baseUrl'>, options: { file: string; clock: FakeClock } & Partial<Target>): Bird {
  const { file, clock, ...rest } = options;
  const problems: string[] = [];
  const settled: string[] = [];
  const target = resolveTarget({ name: NAME, baseUrl: service.baseUrl, apiKey: () => KEY, writes: GENEROUS, ...rest });
  const canary = createCanary({
    file,
    clock,
    onProblem: (problem) => problems.push(problem),
    note: (problem) => problems.push(problem),
    onSettled: (name: string, state: Settlement['state']) => settled.push(`${name} ${state}`),
  });
  canary.use([target]);
  const smoke = createSmoke(target, { clauses, version: '0', now: () => new Date(clock.wall()), ...canary.after(target) });
  const close = () => canary.close();
  onTestFinished(close);
  return { canary, target, problems, settled, run: () => smoke.run(), close };
}

/** A service, a ledger, a clock, and a canary that has waited for its first creation: the next run creates. */
export async function world(options: Parameters<typeof startService>[0] & Partial<Target> = {}) {
  const { faults, seedAnimals, onPost, ...rest } = options;
  const service = await startService({
    ...(faults === undefined ? {} : { faults }),
    ...(seedAnimals === undefined ? {} : { seedAnimals }),
    ...(onPost === undefined ? {} : { onPost }),
  });
  const file = join(ownFolder(), 'canary.db');
  const clock = createFakeClock();
  const bird = startCanary(service, { file, clock, ...rest });
  await bird.run();
  await clock.advance(DAY);
  return { service, file, clock, bird };
}

/** The failing rows of a run: clause and check. */
export function redOf({ run }: SmokeResult): string[] {
  return (run?.record.checks ?? []).filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

/** The verdict on one check of a run. */
export function verdictOf({ run }: SmokeResult, id: string): string | undefined {
  return run?.record.checks.find((check) => check.id === id)?.verdict;
}
