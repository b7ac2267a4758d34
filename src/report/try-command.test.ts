import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { judgeAddress } from '../../proof/judge-server.ts';
import { startReference } from '../../proof/server.ts';
import { sampleExchange, sampleRecord } from '../../test/report/sample-record.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { brokenClauses } from './broken-clauses.ts';
import { companyCommand, contrastCommand, tryCommand } from './try-command.ts';

const COUNTS = { unit: 'response', there: { broken: 2, of: 2 }, elsewhere: { broken: 0, of: 9 } } as const;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function outputOf(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, PETSTORE_API_KEY: KEY } });
  return stdout;
}

/** How often each line came, as `uniq -c` writes it. */
const countsIn = (output: string): readonly (readonly [count: number, line: string])[] =>
  [...output.matchAll(/^ *(\d+) (.*)$/gm)].map(([, count, line = '']) => [Number(count), line]);

const MET = 4;

/** A server that answers requests in groups of four, each with what `answer` makes of all of the group; one that is alone waits in vain. */
async function meeting(answer: (bodies: readonly string[], place: number) => readonly [status: number, body: string]): Promise<string> {
  const waiting: { readonly body: string; readonly response: ServerResponse }[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    waiting.push({ body: await text(request), response });
    if (waiting.length < MET) return;
    const group = waiting.splice(0);
    const bodies = group.map(({ body }) => body);
    group.forEach(({ response: one }, place) => {
      const [status, body] = answer(bodies, place);
      one.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** The exchange as if it had been sent to that address. */
const at = (baseUrl: string, exchange: RedactedExchange): RedactedExchange => ({
  ...exchange,
  curl: exchange.curl.replace(/'http[^']+'$/, `'${baseUrl}/pets'`),
});

const creation = (number: number, name: string, category: number): RedactedExchange => ({
  ...sampleExchange({
    ...{ number, request: 'POST /pets', status: 201, response: '{}', intent: { operation: 'createPet' } },
    body: `{"name":"${name}","categoryId":${category}}`,
  }),
  ...{ startedAt: number, duration: 10 },
});

/** What the command that a report shows for a clause of this fault prints in a shell. */
async function printed(fault: string, clause: string): Promise<{ readonly command: string; readonly output: string }> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 8, faults: [fault] });
  cleanups.push(() => server.close());
  const record = await judgeAddress(server.baseUrl, { only: [clause] });
  const [broken] = brokenClauses(record);
  const command = broken === undefined ? undefined : companyCommand(broken, undefined);
  if (command === undefined) throw new Error(`${fault} needs no company: exit code ${record.conclusion.exitCode}`);
  return { command, output: await outputOf(command) };
}

/** What the command for a finding about two creations at the same time prints, where that member is wrong. */
async function printedTogether(pointer: string, answer: Parameters<typeof meeting>[0]): Promise<string> {
  const baseUrl = await meeting(answer);
  const exchanges = [creation(1, 'anna', 1), creation(2, 'bert', 2)].map((one) => at(baseUrl, one));
  const finding = { summary: 'mixed up', expected: [], received: '', pointer, exchanges };
  const [clause] = sampleRecord().clauses;
  if (clause === undefined) throw new Error('the sample has no clause');
  const cases = [{ summary: finding.summary, finding, exchange: exchanges.at(-1), times: 1 }];
  const command = companyCommand({ clause, cases, contrast: undefined }, undefined);
  return outputOf(command ?? '');
}

describe('the command that a report shows', () => {
  const first = (bodies: readonly string[]): string => bodies[0] ?? '';

  test('counts names of creations at the same time, which are all different', async () => {
    const output = await printedTogether('/name', (bodies) => [201, first(bodies)]);
    expect(countsIn(output)).toHaveLength(5);
    for (const [count, line] of countsIn(output))
      expect([count, line]).toEqual([MET, expect.stringMatching(/^"name":"(?:anna|bert)\d+"$/)]);
  });

  test('counts ids of creations at the same time', async () => {
    const output = await printedTogether('/id', () => [201, '{"id":7}']);
    expect(countsIn(output)).toEqual([[20, '"id":7']]);
  });

  test('shows which animal has which category, of two that are created at the same time', async () => {
    const output = await printedTogether('/categoryId', (bodies, place) => [201, (bodies[place] ?? '').replace(/:\d+}/, ':1}')]);
    expect(countsIn(output)).toHaveLength(20);
    expect(output).toMatch(/"name":"bert\d+","categoryId":1\} 201$/m);
  });

  test('counts the statuses of requests at the same time', async () => {
    const baseUrl = await meeting((_bodies, place) => [place === 0 ? 200 : 401, '{}']);
    const broken = at(baseUrl, sampleExchange({ number: 1, request: 'GET /pets', status: 401, response: '{}' }));
    const command = contrastCommand({ ...COUNTS, broken, atOnce: 4 }) ?? '';
    expect(countsIn(await outputOf(command))).toEqual([
      [5, '200'],
      [15, '401'],
    ]);
  });

  test('is that of one request where the command would be cut, or the body is no text', () => {
    const long = { ...creation(1, 'anna', 1), curl: `curl -sS -i '${'a'.repeat(6_000)}'` };
    expect(contrastCommand({ ...COUNTS, broken: long, before: long })).toBeUndefined();
    const bytes = { ...creation(1, 'anna', 1), curl: "printf '\\377' | curl -sS -i --data-binary @- 'http://127.0.0.1:9/v1/pets'" };
    expect(contrastCommand({ ...COUNTS, broken: bytes, atOnce: 2 })).toBeUndefined();
  });

  test('is none for a request of which a report keeps only the beginning', () => {
    const [clause] = sampleRecord().clauses;
    if (clause === undefined) throw new Error('the sample has no clause');
    const commandOf = (exchange: RedactedExchange): string | undefined => {
      const finding = { summary: 'broken', expected: [], received: '', exchanges: [exchange] };
      return tryCommand({ clause, cases: [{ summary: 'broken', finding, exchange, times: 1 }], contrast: undefined }, undefined);
    };
    expect(commandOf(creation(1, 'a'.repeat(3_000), 1))).toContain("$(printf %03000d 0 | tr 0 'a')");
    const cut = creation(1, 'a'.repeat(5_000), 1);
    expect(cut.curl).toContain('more characters)');
    expect(commandOf(cut)).toBeUndefined();
    expect(contrastCommand({ ...COUNTS, broken: cut, before: creation(2, 'bert', 1) })).toBeUndefined();
  });

  test.each([
    // What authenticates the connection need not be accepted.
    ['connection-authenticated-by-creation', 'auth.every-request', ['400', '200']],
    ['name-of-connection-taken', 'create.independent', ['201', '201']],
  ] as const)('sends both requests on one connection if what came before matters: %s', async (fault, clause, statuses) => {
    const { command, output } = await printed(fault, clause);
    expect(command).toContain(' --next ');
    expect([...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(statuses);
  });

  test('creates the animal that a later list does not show', async () => {
    const { command, output } = await printed('filter-misses-category-zero', 'create.unusual-categories');
    expect(command).toMatch(/"categoryId"\s*:\s*0\b/);
    expect([...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['201', '200']);
  });

  test('reads the animal that it creates, which has an id of its own', async () => {
    const server = await startReference({ apiKey: KEY, seedAnimals: 8, faults: ['stored-category-one'] });
    cleanups.push(() => server.close());
    const [clause] = sampleRecord().clauses;
    if (clause === undefined) throw new Error('the sample has no clause');
    const created = {
      ...creation(1, 'anna', 5),
      answer: sampleExchange({ number: 1, request: '', status: 201, response: '{"id":99}' }).answer,
    };
    const read = sampleExchange({ number: 2, request: 'GET /pets/99', status: 200, response: '{}' });
    const exchanges = [at(server.baseUrl, created), { ...read, curl: read.curl.replace(/'http[^']+'$/, `'${server.baseUrl}/pets/99'`) }];
    const finding = { summary: 'another category', expected: [], received: '', exchanges };
    const cases = [{ summary: finding.summary, finding, exchange: exchanges.at(-1), times: 1 }];
    const output = await outputOf(companyCommand({ clause, cases, contrast: undefined }, undefined) ?? '');
    expect(output).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"id":9,"name":"anna","categoryId":1\b/);
  });
});
