import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { listed, posted, read } from '../../support/exchange-samples.ts';
import { ownFolder } from '../../support/program.ts';
import { sessionOptions } from '../judge-reference.ts';
import type { Result } from '../result.ts';
import { historyFile, readHistory, recordedIn, writeHistory } from './history-file.ts';
import { changesOf, kindResults } from './judge-recorded.ts';
import { createExchangeReader, createExchangeWriter, type ExchangeFileLine, type RunHistory, recordNow } from './run-history.ts';

const PET = { id: 9_007_199_254_740_993n, name: 'rex', categoryId: 1n };

const subject = { kind: 'fault', name: 'limit-ignored' } as const;
const result: Result = {
  ...{ ...subject, red: ['list.limit-maximum'], advised: [], parts: {}, notes: {}, departures: [], causes: [], when: '', failAlone: [] },
  ...{ requestsUntilFound: 1, requests: 2, created: 0, milliseconds: 3, exitCode: 1, headline: 'not conformant', lines: 4 },
};

function keptRun(exchanges: readonly Exchange[]) {
  const options = sessionOptions('http://127.0.0.1:9/v1', { categoryIds: [7n], now: new Date('2027-01-02T03:04:05Z') });
  const [exchange] = exchanges;
  const finding = { summary: 's', expected: ['e'], received: 'r', exchanges: exchange === undefined ? [] : [exchange] };
  const sent: RunHistory['facts']['sent'] = new Map([
    ['list.success/own', { outcome: undefined, duration: 1 }],
    ['list.unique/own', { outcome: { kind: 'fail', findings: [finding] }, duration: 2 }],
  ]);
  const facts = { options, before: 1, sent };
  const evidence = { askedToWait: 0, rejects: [], lockedOut: false, outage: [], closing: undefined };
  const summary = {
    ...{ animals: { created: [], ambiguous: [], budget: 250, prefix: 'p' }, operations: [], departures: [], notices: [] },
    traits: { headers: {}, members: {} },
  };
  return {
    ...{ baseUrl: options.baseUrl, records: [], requests: 2, created: 0, milliseconds: 3, summary, evidence, now: options.now },
    history: { facts, exchanges: exchanges.map(recordNow) },
  };
}

/** Exchanges after writing them to lines and reading them back. */
function throughLines(exchanges: readonly Exchange[], isOver = () => true): readonly Exchange[] {
  const writer = createExchangeWriter();
  for (const exchange of exchanges) writer.write(recordNow(exchange));
  const reader = createExchangeReader(isOver);
  return writer.lines.flatMap((line) => reader(JSON.parse(line) as ExchangeFileLine) ?? []);
}

describe('an exchange is read as it was written', () => {
  const timedOut: Exchange = { ...read(PET.id, 'timeout'), postponed: 2, retried: true };
  test.each<[string, Exchange]>([
    ['with an id beyond 2^53', read(PET.id, { status: 200, body: PET })],
    ['with a body that was sent as bytes', posted(Uint8Array.from([0, 0xff, 0x80]), { status: 400 })],
    ['with text that is no JSON', listed({ limit: 3 }, { status: 200, text: '[{"id":1,}]' })],
    ['with bytes that are no text', listed({}, { status: 200, text: Buffer.from([0xff, 0xfe, 0x00]) })],
    ['with a lone surrogate', posted(`{"name":"\ud800"}`, { status: 400, text: '"\\ud800"' })],
    ['without a body', listed({}, { status: 204 })],
    ['without a response', timedOut],
    ['that was asked a second time', { ...listed({}, { status: 200, body: [PET] }), firstTry: timedOut }],
    ['that was put off', { ...listed({}, { status: 200, body: [] }), putOff: { ...responseOf(listed({}, { status: 429 })) } }],
  ])('%s', (_what, exchange) => {
    expect(throughLines([exchange])).toEqual([exchange]);
  });

  test('with a value that was read differently than the text says, whatever its numbers', () => {
    const received = listed({}, { status: 200, body: { items: [PET] } });
    const value = [{ whole: Number.NaN, large: Number.POSITIVE_INFINITY, small: Number.NEGATIVE_INFINITY, zero: -0, id: PET.id }];
    const response = { ...responseOf(received), json: { ok: true as const, value } };
    const exchange: Exchange = { ...received, received: received.outcome, outcome: { kind: 'answered', answer: response } };
    expect(throughLines([exchange])).toEqual([exchange]);
  });

  test('as it was read when it was recorded, until the run is over', () => {
    const received = listed({}, { status: 200, body: { items: [PET] } }).outcome;
    const confirmed = listed({}, { status: 200, body: [PET] }).outcome;
    let now = received;
    const exchange: Exchange = {
      ...listed({}, { status: 200 }),
      received,
      get outcome() {
        return now;
      },
    };
    const recorded = recordNow(exchange);
    now = confirmed;
    const writer = createExchangeWriter();
    writer.write(recorded);
    let isOver = false;
    const reader = createExchangeReader(() => isOver);
    const [again] = writer.lines.flatMap((line) => reader(JSON.parse(line) as ExchangeFileLine) ?? []);
    expect(again?.outcome).toEqual(received);
    isOver = true;
    expect(again?.outcome).toEqual(confirmed);
    expect(again?.received).toEqual(received);
  });
});

function responseOf({ outcome }: Exchange) {
  if (outcome.kind === 'failed') throw new Error('there is no response');
  return outcome.answer;
}

describe('the history of a server', () => {
  test('is in a separate file, with all results', async () => {
    const folder = ownFolder();
    const exchanges = [listed({}, { status: 200, body: [PET] }), posted(PET, { status: 201, body: PET })];
    const run = keptRun(exchanges);
    await writeHistory(folder, { subject, runs: [run], result });
    expect(recordedIn(folder)).toEqual([subject]);
    const history = readHistory(folder, subject);
    expect(history).toMatchObject({ subject, result });
    expect(history.runs).toHaveLength(1);
    expect(history.runs[0]?.exchanges).toEqual(exchanges);
    expect(history.runs[0]?.facts).toEqual(run.history.facts);
    expect(history.runs[0]?.run.evidence).toEqual(run.evidence);
  });

  test('that is missing causes an error that says how to record it', () => {
    const folder = ownFolder();
    expect(() => recordedIn(folder)).toThrow(`no recorded histories in ${folder}; "npm run prove -- --record ${folder}"`);
    expect(() => recordedIn(`${folder}/none`)).toThrow('no recorded histories');
  });

  const ofVersion = (bytes: Buffer, version: number): Buffer =>
    zstdCompressSync(
      zstdDecompressSync(bytes)
        .toString()
        .replace(/"version":\d+/, `"version":${version}`),
    );
  const withoutLine = (bytes: Buffer, which: number): Buffer =>
    zstdCompressSync(zstdDecompressSync(bytes).toString().split('\n').toSpliced(which, 1).join('\n'));
  test.each<[string, (bytes: Buffer) => string | Buffer, RegExp]>([
    ['of another version', (bytes) => ofVersion(bytes, 99), /it is of version 99, and this program reads version \d+;/],
    ['not compressed', (bytes) => zstdDecompressSync(bytes), /Unknown frame descriptor/],
    ['cut off', (bytes) => bytes.subarray(0, bytes.length - 20), /unexpected end of file/],
    ['without its end', (bytes) => withoutLine(bytes, -2), /its end is missing/],
    ['without a line', (bytes) => withoutLine(bytes, 2), /it has 0 of 1 lines/],
    ['something else', () => zstdCompressSync('{"a":1}\n'), /it does not begin like one/],
    ['empty', () => '', /unexpected end of file/],
  ])('that is damaged (%s) causes an error that says how to record it again', async (_what, damage, problem) => {
    const folder = ownFolder();
    await writeHistory(folder, { subject, runs: [keptRun([listed({}, { status: 200, body: [PET] })])], result });
    const file = historyFile(folder, subject);
    writeFileSync(file, damage(readFileSync(file)));
    expect(() => readHistory(folder, subject)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(problem) }),
    );
    expect(() => readHistory(folder, subject)).toThrow(`"npm run prove -- --record ${folder} limit-ignored" records it anew`);
  });

  test('replaces the previous one, and an unfinished one is ignored', async () => {
    const folder = ownFolder();
    const file = historyFile(folder, subject);
    await writeHistory(folder, { subject, runs: [], result });
    appendFileSync(file, 'x');
    writeFileSync(`${file}.part`, 'x');
    await writeHistory(folder, { subject, runs: [], result: { ...result, lines: 5 } });
    expect(recordedIn(folder)).toEqual([subject]);
    expect(readHistory(folder, subject).result.lines).toBe(5);
  });
});

test('What has changed are red clauses, and parts with another verdict or without one.', () => {
  const then: Result = { ...result, parts: { 'a/1': { verdict: 'pass' }, 'a/2': { verdict: 'pass' }, 'a/3': { verdict: 'fail' } } };
  const now: Result = {
    ...then,
    ...{ red: ['list.unique'], notes: { 'a/2': 'twice' }, failAlone: ['a/9'] },
    parts: { 'a/1': { verdict: 'pass' }, 'a/2': { verdict: 'fail' } },
  };
  expect(changesOf({ now: then, then })).toEqual([]);
  expect(changesOf({ now, then })).toEqual([
    'list.unique is red now',
    'list.limit-maximum is no longer red',
    'a/2: pass -> fail: twice',
    'a/3: fail -> absent',
    'a/9 fails alone now',
  ]);
});

test('A kind finds the faults that break it, and separately those that no other part of its clause shows.', () => {
  const broken = (name: string, ...ids: readonly string[]): Result => ({
    ...{ ...result, name },
    parts: { 'a/1': { verdict: 'pass' }, ...Object.fromEntries(ids.map((id) => [id, { verdict: 'fail' }])) },
  });
  const results = [broken('one', 'a/1', 'b/1'), broken('both', 'a/1', 'a/2'), { ...broken('green', 'a/1'), kind: 'variant' as const }];
  const kinds = [
    { id: 'a/1', clause: 'a' },
    { id: 'a/2', clause: 'a' },
    { id: 'c/1', clause: 'c' },
  ] as const;
  expect(kindResults(results, kinds)).toEqual([
    { id: 'a/1', alone: ['one'], others: ['both'] },
    { id: 'a/2', alone: [], others: ['both'] },
    { id: 'c/1', alone: [], others: [] },
  ]);
});
