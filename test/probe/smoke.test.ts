import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../proof/server.ts';
import { defineClause } from '../../src/judge/own-clause.ts';
import { createSmoke } from '../../src/probe/smoke.ts';
import { runSmoke, type SmokeCommand } from '../../src/probe/smoke-command.ts';
import type { Target } from '../../src/probe/target.ts';
import { SMOKE_CLAUSES } from '../../suites/plan/smoke.ts';
import { conformingUntil, message } from '../hostile/attacker.ts';
import { ownFolder } from '../support/program.ts';
import { KEY } from './samples.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function reference(seedAnimals: number): Promise<string> {
  const server = await startReference({ apiKey: KEY, seedAnimals });
  closers.push(() => server.close());
  return server.baseUrl;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const smokeOf = (baseUrl: string, apiKey = KEY) => createSmoke({ baseUrl, apiKey: () => apiKey, deadline: 30_000 }, { version: '0' });

function command(baseUrl: string, extra: Partial<SmokeCommand> = {}): { command: SmokeCommand; out: string[]; err: string[] } {
  const target = { baseUrl, apiKey: () => KEY, deadline: 30_000 };
  const base = {
    target,
    reference: false,
    strict: false,
    now: undefined,
    today: new Date(),
    format: 'text' as const,
    textfile: undefined,
    pingUrl: undefined,
    pingProxy: undefined,
    version: '0',
    stop: new AbortController().signal,
  };
  return { command: { ...base, ...extra }, out: [], err: [] };
}

async function execute(given: ReturnType<typeof command>): Promise<number> {
  return runSmoke(given.command, {
    out: (text) => given.out.push(text),
    err: (text) => given.err.push(text),
    color: false,
    width: 100,
  });
}

describe('createSmoke', () => {
  test('A clause that is newer than asOf leaves a target healthy, with a warning, also a strict one; without asOf it fails.', async () => {
    const baseUrl = await reference(30);
    const clause = defineClause({
      ...{ id: 'acme:list.short', section: 'House rules, 1', level: 'required', requirement: 'Lists are short.', likelyCause: 'None.' },
      rules: [
        {
          layer: 'values',
          judge: ({ intent, status }) =>
            intent.operation === 'listPets' && status === 200
              ? { summary: 'a list is long', expected: ['a short one'], received: 'a long one' }
              : 'not-applicable',
        },
      ],
    });
    const ownClauses = [{ ...clause, since: '3.1' as const }];
    const run = async (more: Partial<Target>) =>
      (await createSmoke({ baseUrl, apiKey: () => KEY, latencyLimit: 30_000, ...more }, { ownClauses, version: '0' }).run()).sample;
    const warned = { verdict: 'pass', failures: [{ clause: clause.id, newer: true }] };
    expect(await run({ asOf: '3.0' })).toMatchObject(warned);
    expect(await run({ asOf: '3.0', strict: true })).toMatchObject(warned);
    for (const asOf of [undefined, '3.1']) expect(await run({ asOf })).toMatchObject({ verdict: 'fail', clause: clause.id });
  });

  test('A conforming service passes, with reads of the selection only.', async () => {
    const { sample, run } = await smokeOf(await reference(30)).run();
    expect(sample).toMatchObject({ verdict: 'pass', httpStatus: 200, failures: [] });
    expect(sample.phases.connect).toBeGreaterThan(0);
    expect(run?.record.operations.map(({ operation, requests }) => [operation, requests > 0])).toEqual([
      ['listPets', true],
      ['createPet', false],
      ['getPet', true],
    ]);
    expect(run?.record.animals.created).toEqual([]);
  });

  test('An empty store is neither a failure nor a green run: the run says what it could not judge.', async () => {
    const { sample, run } = await smokeOf(await reference(0)).run();
    expect(sample).toMatchObject({ verdict: 'degraded', failures: [] });
    expect(sample.note).toMatch(/nothing could be judged|could not be judged/);
    expect(run?.record.conclusion.exitCode).toBe(3);
  });

  test('An advised clause alone leaves a target healthy, with a warning, even if its other failures are waived; it fails a strict one.', async () => {
    const server = await startReference({ apiKey: KEY, seedAnimals: 30, faults: ['deprecation-as-true', 'limit-plus-one'] });
    closers.push(() => server.close());
    const waivers = [{ id: 'list.limit-maximum', reason: 'known', expires: '2099-01-01' }];
    const run = async (more: Partial<Target>) => {
      const target = { baseUrl: server.baseUrl, apiKey: () => KEY, ...more };
      return (await createSmoke(target, { version: '0' }).run()).sample;
    };
    const healthy = await run({ waivers });
    expect(healthy).toMatchObject({ verdict: 'pass', failures: [{ clause: 'deprecation.headers-well-formed', level: 'advised' }] });
    expect(healthy.clause).toBeUndefined();
    expect(healthy.note).toMatch(/^\d+ clauses passed; warning: /);
    expect(await run({ waivers, strict: true })).toMatchObject({ verdict: 'fail', clause: 'deprecation.headers-well-formed' });
    expect((await run({})).verdict).toBe('fail');
    // Slow is degraded, whatever else is advised.
    const slow = await run({ waivers, latencyLimit: 0 });
    expect(slow).toMatchObject({ verdict: 'degraded', note: expect.stringContaining('more than 0 ms') });
    expect(slow.clause).toBeUndefined();
  });

  test('A waiver for one kind of failure leaves a target healthy that has it, and fails one whose clause fails otherwise.', async () => {
    const one = {
      ...{ id: 'list.limit-maximum', operation: 'listPets', place: '[]' },
      ...{ expected: 'at most as many animals as the limit', received: 'one too many' },
      ...{ reason: 'known', expires: '2099-01-01' },
    };
    const run = async (fault: string) => {
      const server = await startReference({ apiKey: KEY, seedAnimals: 30, faults: [fault] });
      closers.push(() => server.close());
      return (await createSmoke({ baseUrl: server.baseUrl, apiKey: () => KEY, waivers: [one] }, { version: '0' }).run()).sample;
    };
    const known = await run('limit-plus-one');
    expect([known.failures, known.reason]).toEqual([[], undefined]);
    const other = await run('limit-ignored');
    expect(other).toMatchObject({ verdict: 'fail', clause: 'list.limit-maximum' });
    expect(other.note).toContain(
      'waived was listPets, []: expected at most as many animals as the limit, received one too many (entry 1). This is',
    );
  });

  test.for([
    ['2026-11-21T23:59:59Z', 'waived'],
    ['2026-11-22T00:00:00Z', 'fail'],
  ] as const)('A waiver applies on its last day in UTC and not after it: %s.', async ([at, verdict]) => {
    const server = await startReference({ apiKey: KEY, seedAnimals: 30, faults: ['limit-plus-one'] });
    closers.push(() => server.close());
    const waivers = [{ id: 'list.limit-maximum', reason: 'known', expires: '2026-11-21' }];
    const target = { baseUrl: server.baseUrl, apiKey: () => KEY, waivers };
    const { run } = await createSmoke(target, { version: '0', today: new Date(at) }).run();
    expect(run?.record.clauses.find(({ id }) => id === 'list.limit-maximum')?.verdict).toBe(verdict);
  });

  test('A wrong key is a failure of the target with the reason status.', async () => {
    const { sample } = await smokeOf(await reference(30), 'another-key').run();
    expect(sample).toMatchObject({ verdict: 'fail', reason: 'status', httpStatus: 401, failures: [] });
    expect(sample.note).toMatch(/^Every request with the API key returned 401/);
  });

  test('A refused connection is a failure with the reason connect and exit code 3.', async () => {
    const { sample, run } = await smokeOf('http://127.0.0.1:1/v1').run();
    expect(sample).toMatchObject({ verdict: 'fail', reason: 'connect', httpStatus: 0, failures: [] });
    expect(run?.record.conclusion.exitCode).toBe(3);
  });

  test('A login in the address of the service is rejected, since it would not be sent.', () => {
    const target = { baseUrl: 'http://user:PASSWORD@127.0.0.1/v1', apiKey: () => KEY };
    const error = expect.objectContaining({ name: 'TypeError', message: expect.not.stringContaining('PASSWORD') });
    expect(() => createSmoke(target, { version: '0' })).toThrow(error);
  });

  test('A body that drips without end is cut off at the deadline.', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const smoke = createSmoke({ baseUrl: await listening(server), apiKey: () => KEY, deadline: 300 }, { version: '0' });
    // The body never ends: waiting for it would never end.
    expect((await smoke.run()).sample).toMatchObject({ verdict: 'fail', reason: 'timeout' });
  });

  test.each([
    ['an address without its base path', (baseUrl: string) => baseUrl.replace(/\/v1$/, ''), /did you mean http:\/\/127\.0\.0\.1:\d+\/v1\?/],
    ['another path', (baseUrl: string) => `${baseUrl}/pets`, /returned 404, and so did everything else at this address/],
  ])('%s is named as the gate names it, and breaks no clause.', async (_what, change, words) => {
    const { sample, run } = await smokeOf(change(await reference(30))).run();
    expect(sample).toMatchObject({ verdict: 'fail', reason: 'status', failures: [], note: expect.stringMatching(words) });
    expect(run?.record.conclusion).toMatchObject({ exitCode: 1, reasons: [expect.stringMatching(words)] });
  });

  test('A service that redirects is named as the gate names it.', async () => {
    const server = createServer((_request, response) => response.writeHead(308, { location: 'https://pets.test/v1/pets' }).end());
    const { sample } = await smokeOf(await listening(server)).run();
    expect(sample).toMatchObject({ verdict: 'fail', reason: 'status', note: expect.stringMatching(/redirects every request, to https:/) });
  });

  test('A body beyond one MiB is a failure with the reason too_large.', async () => {
    const server = createServer((_request, response) => response.end(Buffer.alloc(2 * 1024 * 1024, 'x')));
    const { sample } = await smokeOf(await listening(server)).run();
    expect(sample).toMatchObject({ verdict: 'fail', reason: 'too_large' });
  });

  test('A list that is not an array is a failure with the reason schema.', async () => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":"1"}]'),
    );
    const { sample } = await smokeOf(await listening(server)).run();
    expect(sample).toMatchObject({ verdict: 'fail', reason: 'schema', clause: 'record.pets' });
  });

  test('A key with an unsuitable name server is unknown when the canary name does not resolve either.', async () => {
    const options = { version: '0', dnsCanary: 'canary.invalid' };
    const { sample } = await createSmoke({ baseUrl: 'http://service.invalid/v1', apiKey: () => KEY, deadline: 30_000 }, options).run();
    expect(sample).toMatchObject({ verdict: 'unknown', reason: 'dns' });
    const lost = await createSmoke(
      { baseUrl: 'http://service.invalid/v1', apiKey: () => KEY, deadline: 30_000 },
      { ...options, dnsCanary: 'localhost' },
    ).run();
    expect(lost.sample).toMatchObject({ verdict: 'fail', reason: 'dns' });
  });
});

describe('runSmoke', () => {
  test.for(['text', 'json', 'junit', 'prometheus'] as const)('The format %s is written and does not contain the key.', async (format) => {
    const given = command(await reference(30), { format });
    expect(await execute(given)).toBe(0);
    const [text = ''] = given.out;
    expect(text).not.toContain(KEY);
    if (format === 'json') expect(JSON.parse(text)).toMatchObject({ conclusion: { exitCode: 0 } });
    if (format === 'junit') expect(text).toContain('<testsuites');
    if (format === 'prometheus') expect(text).toContain('petstore_probe_check_success{target="smoke",check="smoke"} 1');
  });

  test('A service that does not serve one of its operations is not a success in any format, nor for a heartbeat.', async () => {
    const service = await conformingUntil(
      ({ socket, target }, genuine) => {
        if (/pets\/\d+/.test(target)) socket.write(message('503 Unavailable', '', 'Retry-After: 3600\r\n'));
        else genuine();
      },
      { apiKey: KEY, seedAnimals: 8 },
    );
    closers.push(() => service.close());
    const pings: string[] = [];
    const heartbeat = createServer((request, response) => {
      pings.push(String(request.url));
      response.end();
    });
    const given = command(service.baseUrl, { format: 'prometheus', pingUrl: await listening(heartbeat) });
    const write = { out: (text: string) => given.out.push(text), err: (text: string) => given.err.push(text), color: false, width: 100 };
    expect(await runSmoke(given.command, write)).toBe(3);
    expect(given.out[0]).toContain('petstore_probe_check_success{target="smoke",check="smoke"} 0');
    expect(given.out[0]).toContain('petstore_probe_check_last_verdict{target="smoke",check="smoke",verdict="unknown"} 1');
    expect(pings.sort()).toEqual(['/fail', '/start']);
    const { sample } = await createSmoke({ baseUrl: service.baseUrl, apiKey: () => KEY }, { version: '0' }).run();
    expect(sample).toMatchObject({ verdict: 'degraded', note: expect.stringContaining('getPet never worked in this run') });
  });

  test('What is broken only by requests that were not served is the consequence of a clause that comes before it.', async () => {
    const service = await conformingUntil(
      ({ socket, target }, genuine) => {
        if (/pets\/\d+/.test(target)) socket.write(message('500 x', 'boom', 'Content-Type: text/plain\r\n'));
        else genuine();
      },
      { apiKey: KEY, seedAnimals: 8 },
    );
    closers.push(() => service.close());
    const { sample } = await createSmoke({ baseUrl: service.baseUrl, apiKey: () => KEY }, { version: '0' }).run();
    expect(sample).toMatchObject({ verdict: 'fail', clause: 'errors.no-server-error' });
    expect(sample.failures[0]).not.toHaveProperty('consequenceOf');
    const media = sample.failures.find(({ clause }) => clause === 'media.json');
    expect(media).toMatchObject({ consequenceOf: 'errors.no-server-error' });
  });

  test('The textfile is replaced atomically, others can read it whatever the umask, and nothing else is left in its folder.', async () => {
    const folder = ownFolder();
    const textfile = join(folder, 'petstore.prom');
    const mask = process.umask(0o077);
    onTestFinished(() => void process.umask(mask));
    expect(await execute(command(await reference(30), { textfile }))).toBe(0);
    expect(statSync(textfile).mode & 0o777).toBe(0o644);
    expect(await execute(command('http://127.0.0.1:1/v1', { textfile }))).toBe(3);
    expect(readdirSync(folder)).toEqual(['petstore.prom']);
    const text = readFileSync(textfile, 'utf8');
    expect(text).toContain('petstore_probe_check_last_failure{target="smoke",check="smoke",reason="connect"} 1');
    expect(text.split('\n').filter((line) => /^petstore.* \d+ \d+$/.test(line))).toEqual([]);
  });

  test('A heartbeat service is notified of the start and of the end, with a summary, and its absence does not fail the run.', async () => {
    const pings: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        pings.push(`${request.method} ${request.url} ${body.split('\n')[0]}`);
        response.end();
      });
    });
    const pingUrl = `${await listening(server)}/uuid`;
    expect(await execute(command(await reference(30), { pingUrl }))).toBe(0);
    expect(await execute(command('http://127.0.0.1:1/v1', { pingUrl }))).toBe(3);
    expect(pings[0]).toBe('POST /uuid/start ');
    expect(pings[1]).toMatch(/^POST \/uuid smoke: pass in \d+ ms, \d+ requests$/);
    expect(pings[3]).toMatch(/^POST \/uuid\/fail smoke: fail/);
    const unacceptedFor = command(await reference(30), { pingUrl: 'http://127.0.0.1:1/secret-path' });
    expect(await execute(unacceptedFor)).toBe(0);
    expect(unacceptedFor.err.join('\n')).toContain('127.0.0.1:1');
    expect(unacceptedFor.err.join('\n')).not.toContain('secret-path');
  });
});

async function smoke(animals: number) {
  const server = await startReference({ apiKey: KEY, seedAnimals: animals });
  closers.push(() => server.close());
  const { sample, run } = await createSmoke({ baseUrl: server.baseUrl, apiKey: () => KEY }, { version: '0' }).run();
  if (run === undefined) throw new Error(sample.note);
  return { sample, record: run.record };
}

describe('the requests of every run', () => {
  test('They reach a verdict on exactly the clauses that smoke is about.', async () => {
    const { record } = await smoke(30);
    const open = ['inconclusive', 'not-applicable', 'observed'];
    const decided = record.clauses.filter(({ verdict }) => !open.includes(verdict)).map(({ id }) => id);
    expect(decided.toSorted()).toEqual([...SMOKE_CLAUSES].toSorted());
  });

  test.for([30, 7, 3])('%d animals are judged with 18 requests, and each clause that they are about is decided.', async (animals) => {
    const { sample, record } = await smoke(animals);
    expect(sample).toMatchObject({ failures: [] });
    expect(['pass', 'degraded'], sample.note).toContain(sample.verdict);
    expect(sample.requests).toBe(18);
    expect(record.conclusion.exitCode).toBe(0);
    const others = record.clauses.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    // A page of a few animals is not full.
    expect(others.map(({ id }) => id)).toEqual(animals < 20 ? ['list.limit-default'] : []);
    expect(record.operations.find(({ operation }) => operation === 'createPet')?.requests).toBe(0);
  });

  test('An empty store gets fewer requests than one with animals, and nothing is broken.', async () => {
    const { sample, record } = await smoke(0);
    expect(sample.requests).toBeLessThan(18);
    expect(record.clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(record.conclusion.exitCode).toBe(3);
  });
});
