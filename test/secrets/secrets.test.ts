import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sessionOptions } from '../../proof/judge-reference.ts';
import { REPORTERS } from '../../src/cli/reporter-names.ts';
import { clauseRecordsOf } from '../../src/judge/clause-records.ts';
import { type RunInput, type RunResult, runSuite } from '../../src/judge/run.ts';
import { runTimelineOf } from '../../src/judge/run-timeline.ts';
import { evidenceOf, summaryOf } from '../../src/judge/summary.ts';
import { REPORT_FILES } from '../../src/report/formats.ts';
import { SUITE } from '../../suites/plan/index.ts';
import { WORDING } from '../../suites/plan/narrowing.ts';
import { versionsOf } from '../../suites/tables/tables.ts';
import { type Attacker, conformingUntil, message } from '../hostile/attacker.ts';
import { ownFolder, runJudged, runProgram, startProgram } from '../support/program.ts';
import { CANARY, leaks, spellings } from './spellings.ts';

/** Ways in which a server returns the key to its sender. */
const ECHOES = [
  'error-message',
  'header',
  'member-name',
  'redirect',
  'animal-name',
  'status-line',
  'encodings',
  'dumps',
  'not-json',
  'broken-http',
] as const;
type Echo = (typeof ECHOES)[number];

function bodyFor(echo: Echo, credential: string): Buffer | string {
  const key = credential.replace(/^Bearer /, '');
  const error = (text: string): string => JSON.stringify({ code: text, message: `unknown token ${text}`, status: 500 });
  switch (echo) {
    case 'error-message':
      return message('500 Oops', error(credential));
    case 'header':
      return message(
        '200 OK',
        '[]',
        `Content-Type: application/json\r\nX-Debug: ${credential}\r\nX-${key.replace(/[^\w]/g, '-')}: 1\r\nWWW-Authenticate: ${credential}\r\n`,
      );
    case 'member-name':
      return message('200 OK', JSON.stringify([{ [key]: key, id: key }]));
    case 'redirect':
      return message('302 Found', '', `Location: http://elsewhere.example/?token=${encodeURIComponent(key)}\r\n`);
    case 'animal-name':
      return message('200 OK', JSON.stringify([{ id: 1, name: key, categoryId: 1, status: key }]));
    case 'status-line':
      return message(`599 ${key}`, key, `Content-Type: ${key}\r\n`);
    case 'encodings':
      return message(
        '500 Oops',
        error(
          [Buffer.from(credential).toString('base64'), Buffer.from(`user:${key}`).toString('base64url'), encodeURIComponent(key)].join(
            ' ',
          ) +
            key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;') +
            Buffer.from(key).toString('hex') +
            key.slice(3, 15),
        ),
      );
    case 'dumps': {
      const bytes = Array.from(Buffer.from(key), (byte) => byte.toString(16).padStart(2, '0'));
      const twice = Buffer.from(Buffer.from(credential).toString('base64')).toString('base64');
      return message('500 Oops', error([bytes.join(' '), bytes.join(':'), [...key].join(' '), [...key].join('.'), twice].join(' | ')));
    }
    case 'not-json':
      return message('200 OK', `${key} ${key}`);
    case 'broken-http':
      return `HTTP/1.1 ${key}\r\n${key}\r\n\r\n`;
    default:
      return echo satisfies never;
  }
}

/**
 * Conforms for the first requests, so that the run continues; from then on every third response echoes the key, each time in another way.
 */
function echoingServer(apiKey: string, header = 'authorization'): Promise<Attacker> {
  return conformingUntil(
    (request, genuine) => {
      const credential = request.headers[header];
      const echo = ECHOES[Math.floor(request.number / 3) % ECHOES.length];
      if (credential === undefined || echo === undefined || request.number < 20 || request.number % 3 !== 0) genuine();
      else request.socket.write(bodyFor(echo, credential));
    },
    { apiKey },
  );
}

const EVERY_REPORTER = REPORTERS.flatMap((name) => ['--reporter', name]);
const OPTIONS = ['--timeout', '2000', '--depth', 'quick', '--consistency-window', '200'];

describe('spellings', () => {
  test('are found where they are', () => {
    expect(spellings(CANARY).size).toBeGreaterThan(100);
    expect(leaks('x', `{"message":${JSON.stringify(CANARY)}}`)).not.toEqual([]);
    expect(leaks('x', Buffer.from(`user:${CANARY}`).toString('base64'))).not.toEqual([]);
    expect(leaks('x', 'nothing to see here')).toEqual([]);
    // Eight characters of the key are a piece of it; seven are not, however many signs they take.
    const twice = (text: string): string => JSON.stringify(JSON.stringify(text));
    expect(leaks('x', twice(CANARY.slice(10, 18)))).not.toEqual([]);
    expect(leaks('x', twice(CANARY.slice(10, 17)))).toEqual([]);
  });
});

test('the key is in no byte of output or report when the server echoes it in every way', async () => {
  const server = await echoingServer(CANARY);
  const ended = await runJudged({
    args: ['run', '--base-url', server.baseUrl, ...OPTIONS, ...EVERY_REPORTER],
    apiKey: CANARY,
  });
  await server.close();
  expect(ended.exit, ended.output).toBe(1);
  expect(Object.keys(ended.reports)).toEqual(expect.arrayContaining(Object.values(REPORT_FILES).flat()));
  expect(leaks('output', ended.output)).toEqual([]);
  for (const [name, text] of Object.entries(ended.reports)) expect(leaks(name, text)).toEqual([]);
  expect(JSON.stringify(ended.reports), 'the echo was seen, and replaced').toContain('[key]');
});

test('the key is in no byte of what a run of rows records when the server echoes it in every way', async () => {
  const server = await echoingServer(CANARY);
  const options = sessionOptions(server.baseUrl, { apiKey: CANARY, depth: 'quick', timeout: 2_000, consistencyWindow: 200 });
  const partial: string[] = [];
  const told = (result: RunResult): string =>
    JSON.stringify([
      clauseRecordsOf(result, { session: options, versionsOf }),
      ...[summaryOf(result, options), evidenceOf(result, options), runTimelineOf(result)],
    ]);
  const onProgress: RunInput['onProgress'] = ({ requests, soFar }) => requests % 50 === 0 && partial.push(told(soFar()));
  const result = await runSuite({ ...SUITE, options, wording: WORDING, onProgress });
  await server.close();
  const record = told(result);
  expect(result.verdicts.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(3);
  expect(record, 'the echo was seen, and replaced').toContain('[key]');
  expect(leaks('record', record)).toEqual([]);
  expect(partial.length).toBeGreaterThan(2);
  expect(leaks('partial records', partial.join('\n'))).toEqual([]);
});

test('the value of an extra header is in no byte of output or report when the server echoes it in every way', async () => {
  const key = 'pk-7Hq2XvR9sLmT4wZa';
  const server = await echoingServer(key, 'x-access');
  const ended = await runJudged({
    args: ['run', '--base-url', server.baseUrl, '--header', `X-Access: ${CANARY}`, ...OPTIONS, ...EVERY_REPORTER],
    apiKey: key,
  });
  await server.close();
  expect(ended.exit, ended.output).toBe(1);
  expect(leaks('output', ended.output)).toEqual([]);
  for (const [name, text] of Object.entries(ended.reports)) expect(leaks(name, text)).toEqual([]);
  expect(JSON.stringify(ended.reports), 'the echo was seen, and replaced').toContain('[secret]');
});

test.each([
  ['DEBUG', '*'],
  ['NODE_DEBUG', '*'],
  ['NODE_DEBUG', 'worker'],
])(
  'what libraries and Node print with %s=%s contains neither the key nor the password of the proxy nor the value of a header',
  async (name, value) => {
    const server = await conformingUntil((_request, genuine) => genuine(), { apiKey: CANARY });
    const folder = ownFolder();
    writeFileSync(join(folder, 'key'), CANARY, { mode: 0o600 });
    const password = 'Qx7vB2rM9w';
    const header = 'Zk81-ppQ7x-9wTr';
    const env = {
      [name]: value,
      PETSTORE_HEADER: `X-Access: ${header}`,
      PETSTORE_PROXY: `http://user:${password}@127.0.0.1:9`,
      PETSTORE_API_KEY: CANARY,
    };
    const args = ['--base-url', server.baseUrl, '--only', 'list.success'];
    const fromFile = ['--api-key-file', 'key', '--proxy', 'none'];
    const outputs: string[] = [];
    for (const command of [
      ['run', ...args],
      ['run', ...args, ...fromFile],
      ['smoke', ...args, ...fromFile],
    ]) {
      const { stdout, stderr } = await runProgram(command, { cwd: folder, env });
      outputs.push(stdout + stderr);
    }
    await server.close();
    // In some of these modes the output has 50 MB: too much for all spellings, and libraries only print these.
    const secrets = [password, header, CANARY.slice(0, 10), CANARY.slice(-10)];
    expect(outputs.map((output) => secrets.filter((secret) => output.includes(secret)))).toEqual(outputs.map(() => []));
  },
);

function everyFile(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? everyFile(path) : [path];
  });
}

/** The text of a file; empty if it was renamed in the meantime, as a report is while it is written. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

describe('a run of a conforming server', () => {
  const commandLines: string[] = [];
  const files = new Set<string>();
  /** Requests in which the key is elsewhere too. */
  const elsewhere = new Set<string>();

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-test-'));
    writeFileSync(join(folder, 'key'), CANARY, { mode: 0o600 });
    let child: ChildProcess | undefined;
    const look = (): void => {
      for (const path of everyFile(folder)) if (!path.endsWith('/key')) files.add(textOf(path));
    };
    const server = await conformingUntil(
      (request, genuine) => {
        const { authorization, ...headers } = request.headers;
        const sent = `${request.target}\n${JSON.stringify(headers)}\n${request.body}`;
        if (leaks('request', sent).length > 0 && authorization !== undefined) elsewhere.add(sent);
        if (request.number % 50 === 0) {
          if (child?.pid !== undefined) commandLines.push(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'));
          look();
        }
        genuine();
      },
      { apiKey: CANARY },
    );
    const args = ['run', '--base-url', server.baseUrl, '--api-key-file', 'key', ...OPTIONS];
    const run = startProgram(args, { cwd: folder, env: { TMPDIR: folder } });
    child = run.child;
    await run.ended;
    await server.close();
    look();
    return () => rmSync(folder, { recursive: true, force: true });
  });

  test('has the key in no process list and in no temporary file', () => {
    expect(commandLines.length).toBeGreaterThan(3);
    expect(leaks('command line', commandLines.join('\n'))).toEqual([]);
    expect(files.size).toBeGreaterThan(0);
    expect(leaks('files', [...files].join('\n'))).toEqual([]);
  });

  test('sends the whole key only in the Authorization header, except by checks that put it elsewhere on purpose', () => {
    expect([...elsewhere]).toEqual([]);
  });
});
