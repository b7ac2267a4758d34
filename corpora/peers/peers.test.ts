import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Machine } from '../../bench/measure.ts';
import { ownFolder } from '../../test/support/program.ts';
import { writeDescription } from './description.ts';
import { judgeServer } from './judge-server.ts';
import { measurementOf } from './page.ts';
import { byExitCode, type Peer } from './peer.ts';
import { PLAIN, REGISTERED, sampleOf, subjectsNamed } from './registry.ts';
import { addResult, beginResults, readResults } from './results.ts';

const keyOf = ({ kind, name }: { readonly kind: string; readonly name: string }): string => `${kind} ${name}`;

/** A program that requests the animals that many times, and ends with that exit code. */
function asking(times: number, code: number): Peer {
  const script = `for (let i = 0; i < ${times}; i++) await fetch(process.env.BASE_URL + '/pets'); process.exit(${code})`;
  return {
    name: 'asking',
    title: 'Asking',
    configuration: 'none',
    better: 'Nowhere.',
    program: '',
    install: () => [],
    version: () => ({ argv: [process.execPath, '--version'] }),
    judge: ({ baseUrl }) => ({ argv: [process.execPath, '--input-type=module', '-e', script], env: { BASE_URL: baseUrl } }),
    verdict: byExitCode(1),
  };
}

describe('sampleOf', () => {
  test('A smaller sample is part of a larger one, and half as many variants as faults are in it.', () => {
    const [small, large] = [sampleOf(10), sampleOf(40)].map((sample) => sample.map(keyOf));
    expect(large).toEqual(expect.arrayContaining(small ?? []));
    expect(sampleOf(10).map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => ['fault', 'variant', 'fault']).flat());
  });

  test('Without a number, every fault and every variant is judged once.', () => {
    const all = sampleOf().map(keyOf);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(REGISTERED.faults + REGISTERED.variants);
  });
});

test('subjectsNamed names the servers that are not in the registry.', () => {
  expect(() => subjectsNamed(['limit-ignored', 'no-such-fault'])).toThrow('no fault or variant is called no-such-fault');
});

describe('judgeServer', () => {
  test.each([
    [0, 'passed'],
    [1, 'failed'],
    [2, 'undecided'],
  ])('The exit code %i is the verdict "%s"; requests and processor time are counted.', async (code, verdict) => {
    const judged = await judgeServer(asking(3, code), '', { subject: PLAIN, patience: 30_000 });
    expect(judged).toMatchObject({ kind: 'plain', name: 'reference', verdict, code, requests: 3 });
    expect(judged.processor).toBeGreaterThan(0);
  });

  test('A program that does not end in time has no verdict.', async () => {
    const waiting: Peer = { ...asking(0, 0), judge: () => ({ argv: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] }) };
    expect(await judgeServer(waiting, '', { subject: PLAIN, patience: 500 })).toMatchObject({ verdict: 'undecided', requests: 0 });
  });
});

test('Results are read as they were written, one server per line.', () => {
  const file = join(ownFolder(), 'asking.jsonl');
  const measured = {
    peer: 'asking',
    version: '1.0',
    date: '2026-11-22T00:00:00.000Z',
    plain: { milliseconds: 9, processor: 5, requests: 3 },
  };
  const judged = {
    peer: 'asking',
    kind: 'fault',
    name: 'limit-ignored',
    verdict: 'failed',
    code: 1,
    milliseconds: 9,
    processor: 5,
    requests: 3,
  } as const;
  beginResults(file, measured);
  addResult(file, judged);
  expect(readResults(file)).toEqual({ ...measured, judged: [judged] });
});

test.each(['3.1.1', '3.0.3'] as const)('The description of OpenAPI %s needs no other file.', (version) => {
  const text = readFileSync(writeDescription(ownFolder(), version), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ openapi: version, components: { schemas: { Pet: { title: 'Pet' } } } });
  expect(text).not.toMatch(/schema\.json/);
});

test('measurementOf counts what each program finds, and which conforming servers it fails.', () => {
  const server = { code: 1, milliseconds: 2_000, processor: 500, requests: 3 };
  const judged = [
    { ...server, peer: 'asking', kind: 'fault', name: 'limit-ignored', verdict: 'failed' },
    { ...server, peer: 'asking', kind: 'fault', name: 'limit-plus-one', verdict: 'passed' },
    { ...server, peer: 'asking', kind: 'variant', name: 'ids-negative', verdict: 'failed' },
    { ...server, peer: 'asking', kind: 'variant', name: 'name-unique-409', verdict: 'undecided' },
  ] as const;
  const plain = { milliseconds: 9, processor: 5, requests: 7 };
  const results = [{ peer: 'asking', version: '1.0', date: '2026-11-22T00:00:00.000Z', plain, judged }];
  const { tables } = measurementOf([asking(1, 0)], { registered: REGISTERED, results }, {} as Machine);
  expect(tables[0]?.rows).toEqual([['Asking', '1.0', '2026-11-22', '1 of 2 (50 %)', '1 of 2 (50 %)', 'none', 1, 7, '0.50', '2.0']]);
});
