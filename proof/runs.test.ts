import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type RunInput, type RunResult, runSuite } from '../src/judge/run.ts';
import type { SessionOptions } from '../src/session/session.ts';
import type { Sent } from '../src/session/vector.ts';
import { SUITE } from '../suites/plan/index.ts';
import { KEY, sessionOptions } from './judge-reference.ts';
import { runSuiteOn } from './judge-server.ts';
import { startReference } from './server.ts';

type Server = Partial<Parameters<typeof startReference>[0]>;
type Changes = Partial<Omit<RunInput, 'options'>> & { readonly session?: Partial<SessionOptions>; readonly server?: Server };

function run({ session = {}, server = { seedAnimals: 7 }, ...changes }: Changes = {}): Promise<RunResult> {
  return runSuiteOn(() => startReference({ ...server, apiKey: KEY }), { timeout: 10_000, ...session }, changes);
}

const idsOf = (result: RunResult, wanted: string): readonly string[] =>
  result.verdicts.filter(({ verdict }) => verdict === wanted).map(({ clause }) => clause.id);

const bodyOf = (sent: Sent): string => Buffer.from(sent.body ?? []).toString('base64');

/** What a run sent, by phase and without the order between lanes: an animal that was created is named by the body that created it. */
function sentBy({ world, phases, vectorOf }: RunResult): readonly (readonly string[])[] {
  const bodies = new Map(
    world.creations.flatMap(({ read, sent }) => (read.pet === undefined ? [] : [[String(read.pet.id), bodyOf(sent)] as const])),
  );
  const textOf = (sent: Sent): string => {
    const { method, target, headers, framing } = sent;
    const vector = vectorOf(sent);
    // What is made from the id of an animal is named by its values: which of two creations in flight gets the lower id is the service's choice.
    const isRead = vector?.op === 'get' && vector.raw === undefined;
    const isOfAnimal = isRead && (typeof vector.id === 'number' || String(vector.id).startsWith('='));
    const named = target.replace(/^(\/pets\/)(-?\d+)(?=$|\?)/, (_whole, path: string, id: string) => `${path}${bodies.get(id) ?? id}`);
    const path = isOfAnimal && vector.parameters === undefined ? named : isRead ? [vector.id, vector.path, vector.parameters] : target;
    return JSON.stringify([method, path, headers, bodyOf(sent), framing]);
  };
  const later = phases.findIndex(({ title }) => title === 'one after the other');
  // Of a service that is slow at that moment, the phases in order are sent as one.
  const from = phases.flatMap((phase, index) => (index <= later || phase.title === 'the end' ? [phase.from] : []));
  return from.map((begin, index) => {
    const until = from[index + 1] ?? Number.POSITIVE_INFINITY;
    return world.all.flatMap(({ at, sent }) => (at >= begin && at < until ? [textOf(sent)] : [])).sort();
  });
}

/** `must`s that depend on what a conforming service need not have. */
const ABSENT = ['errors.infrastructure-errors', 'record.leftovers'];
const standard = await run();
const quick = await run({ session: { depth: 'quick' } });

describe('a standard run against a conforming service', () => {
  it('meets every must of every clause, and breaks none', () => {
    expect(idsOf(standard, 'fail')).toEqual([]);
    expect(standard.verdicts.filter(({ unmet, clause }) => unmet.length > 0 && !ABSENT.includes(clause.id))).toEqual([]);
    expect(standard.stopped).toBeUndefined();
  });

  it('does not wait until its questions count', () => {
    expect(standard.waits).toBe(0);
  });

  it('has one request under way at a time where one follows the other', () => {
    const { phases, world } = standard;
    const place = phases.findIndex(({ title }) => title === 'one after the other');
    const [begin, end] = [phases[place], phases[place + 1]].map((phase) => phase?.from ?? Number.NaN) as [number, number];
    const sent = world.all.filter(({ at }) => at >= begin && at < end).toSorted((a, b) => a.at - b.at);
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.filter(({ at }, index) => index > 0 && at < (sent[index - 1]?.done ?? 0))).toEqual([]);
  });

  it('meets most pairs of harmless values, and says how many', () => {
    const { met, of } = standard.pairs;
    expect(of).toBeGreaterThan(1_000);
    expect(met).toBeGreaterThan(of / 2);
    expect(met).toBeLessThanOrEqual(of);
  });

  it('sends the same bytes for the same seed and findings, in each phase', async () => {
    const again = await run();
    expect(sentBy(again)).toEqual(sentBy(standard));
  });

  it('sends others for another seed', async () => {
    expect(sentBy(await run({ session: { seed: 7, depth: 'quick' } }))).not.toEqual(sentBy(quick));
  });
});

describe('a service that lags', () => {
  it('is waited for twice at most, and breaks nothing', async () => {
    const lagging = await run({ server: { seedAnimals: 7, variants: ['list-and-get-lag'] }, session: { depth: 'quick' } });
    expect(lagging.waits).toBeGreaterThan(0);
    expect(lagging.waits).toBeLessThanOrEqual(2);
    expect(idsOf(lagging, 'fail')).toEqual([]);
  });
});

describe('the bounds of a run', () => {
  it('are 400 requests in a quick one, which leaves out what takes a large store', () => {
    expect(quick.requests).toBeLessThanOrEqual(410);
    expect(quick.created).toBeLessThanOrEqual(61);
    const unmet = quick.verdicts.flatMap(({ clause, unmet: all }) =>
      ABSENT.includes(clause.id) ? [] : all.map(({ title }) => `${clause.id}: ${title}`),
    );
    expect(unmet).toEqual(['list.limit-maximum: limit 100']);
    expect(idsOf(quick, 'fail')).toEqual([]);
  });

  it('are the animals that it may create, also where the service accepts what it must reject', async () => {
    for (const server of [{ seedAnimals: 7 }, { seedAnimals: 7, faults: ['refusal-answered-200'] }]) {
      const few = await run({ server, session: { maxCreates: 20 } });
      expect(few.created).toBeLessThanOrEqual(20);
      expect(few.created).toBeGreaterThan(10);
      expect(few.world.unsent.some(({ why, missing }) => why === 'choice' && missing.includes('--max-creates'))).toBe(true);
    }
  });

  it('are the requests that it is given', async () => {
    const few = await run({ requests: 60 });
    expect(few.requests).toBeLessThanOrEqual(70);
    expect(idsOf(few, 'fail')).toEqual([]);
  });
});

describe('a read-only run', () => {
  it('creates nothing, and says why it did not', async () => {
    const result = await run({ session: { readOnly: true, intrusive: false }, nearMisses: false });
    expect(new Set(result.world.all.map(({ sent }) => sent.method))).toEqual(new Set(['GET']));
    expect(result.created).toBe(0);
    expect(idsOf(result, 'fail')).toEqual([]);
    const created = result.verdicts.find(({ clause }) => clause.id === 'create.success');
    expect(created).toMatchObject({ verdict: 'inconclusive', why: 'choice', note: expect.stringContaining('--read-only') });
  });
});

describe('a run that ends early', () => {
  it('keeps its deadline, reads the end, and judges what it has', async () => {
    const begin = performance.now();
    const result = await run({ deadline: 1_500, session: { rate: 100 } });
    expect(performance.now() - begin).toBeLessThan(6_000);
    expect(result.requests).toBeLessThan(200);
    expect(idsOf(result, 'fail')).toEqual([]);
    expect(idsOf(result, 'pass')).toContain('list.success');
    expect(result.world.unsent.every(({ why }) => why === 'choice')).toBe(true);
  });

  it.each([1, 15, 200])('judges what it has when it is interrupted after request %d', async (after) => {
    const stop = new AbortController();
    const onProgress: RunInput['onProgress'] = ({ requests }) => {
      if (requests >= after) stop.abort();
    };
    const result = await run({ stop: stop.signal, onProgress });
    expect(result.stopped).toContain('interrupted');
    expect(result.requests).toBeLessThan(after + 20);
    expect(idsOf(result, 'fail')).toEqual([]);
  });

  it('says of each row once that it was not sent', async () => {
    const stop = new AbortController();
    let rows = 0;
    const { world } = await run({
      stop: stop.signal,
      onProgress({ phase, planned }) {
        rows = planned;
        if (phase === 'growing') stop.abort();
      },
    });
    expect(world.unsent.length).toBeGreaterThan(rows / 2);
    expect(world.unsent.length).toBeLessThan(rows);
  });

  it('does not wait for a service that does not respond', async () => {
    const stop = new AbortController();
    const server = createServer(() => stop.abort());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const options = sessionOptions(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, { timeout: 60_000 });
    try {
      const begin = performance.now();
      const result = await runSuite({ ...SUITE, options, stop: stop.signal });
      expect(performance.now() - begin).toBeLessThan(30_000);
      expect(result.stopped).toContain('interrupted');
      expect(idsOf(result, 'pass')).toEqual([]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('says which rows it did not send', async () => {
    const stop = new AbortController();
    const result = await run({ stop: stop.signal, onProgress: ({ phase }) => phase === 'growing' && stop.abort() });
    expect(result.world.unsent.some(({ vector }) => vector.credential === 'none')).toBe(true);
    expect(result.verdicts.find(({ clause }) => clause.id === 'auth.wrong-scheme')).toMatchObject({
      verdict: 'inconclusive',
      why: 'choice',
    });
  });
});

describe('the progress of a run', () => {
  it('names the phase, and grows to what was planned', async () => {
    const seen: { phase: string; requests: number; planned: number }[] = [];
    await run({ only: new Set(['list.success']), onProgress: (one) => seen.push(one) });
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.at(-1)?.phase).toBe('the end');
    expect(seen.every(({ requests }, index) => requests >= (seen[index - 1]?.requests ?? 0))).toBe(true);
  });

  it('counts the rows of the plan until all were sent or left out', async () => {
    const seen: { done: number; of: number }[] = [];
    await run({ only: new Set(['list.success']), onProgress: ({ done, of }) => seen.push({ done, of }) });
    expect(seen.every(({ done, of }, index) => done <= of && done >= (seen[index - 1]?.done ?? 0))).toBe(true);
    expect(seen.at(-1)?.done).toBe(seen.at(-1)?.of);
  });

  it('yields what the run would return at any moment, and judges nothing twice', async () => {
    let early: RunResult | undefined;
    let notes: readonly string[] = [];
    let failed = 0;
    await run({
      server: { seedAnimals: 7, faults: ['limit-below-5-refused'] },
      onProgress(progress) {
        failed = Math.max(failed, progress.failed);
        if (early !== undefined || progress.phase !== 'growing') return;
        early = progress.soFar();
        expect(progress.soFar()).toBe(early);
        notes = early.verdicts.filter(({ why }) => why === 'choice').map(({ note }) => note);
      },
    });
    expect(early?.stopped).toContain('interrupted');
    expect(idsOf(early as RunResult, 'fail')).toContain('list.limit-accepted');
    expect(idsOf(early as RunResult, 'pass')).toContain('list.success');
    expect(notes.length).toBeGreaterThan(3);
    expect(new Set(notes)).toEqual(new Set(['the time to send it: the run was interrupted']));
    expect(failed).toBe(idsOf(early as RunResult, 'fail').length);
  });
});

describe('how many animals a next run creates', () => {
  it('is said of a whole run that found the store empty, and is what the next one creates', async () => {
    const reference = await startReference({ seedAnimals: 0, apiKey: KEY });
    try {
      const options = sessionOptions(reference.baseUrl, { timeout: 10_000, depth: 'quick', categoryIds: [1n] });
      const first = await runSuite({ ...SUITE, options: { ...options, runTag: 'first' } });
      const second = await runSuite({ ...SUITE, options: { ...options, runTag: 'other' } });
      expect(first.nextRun).toBeGreaterThan(10);
      expect(Math.abs((first.nextRun ?? 0) - second.created)).toBeLessThan(10);
      expect(second.nextRun).toBeUndefined();
    } finally {
      await reference.close();
    }
  });
});
