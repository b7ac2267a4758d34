import { afterEach, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { renderHttp } from '../../src/report/requests/render-http.ts';
import { renderHurl } from '../../src/report/requests/render-hurl.ts';
import { clauses } from '../../suites/index.ts';
import { judgeReference, KEY, recordOfRun } from '../prove/judge-reference.ts';
import { CANARY_KEY, hostileRecord, sampleRecord } from './sample-record.ts';

const servers: ReferenceServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Entry = {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly status: string;
};

/** The entries of a Hurl file, as far as ours use the format; the last of each failure has the status that is expected. */
function hurlEntries(text: string, variables: Readonly<Record<string, string>>): readonly Entry[] {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => variables[name] ?? `{{${name}}}`);
  return [...filled.matchAll(/^(GET|POST) (\S+)\n((?:[\w-]+: .*\n)*)(?:`([^`]*)`\n|base64,(\S*);\n)?HTTP (\S+)$/gm)].map(
    ([, method = '', url = '', lines = '', plain, coded, status = '']) => ({
      method,
      url,
      headers: new Headers(
        lines
          .split('\n')
          .filter(Boolean)
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as [string, string]),
      ),
      body: coded === undefined ? plain : Buffer.from(coded, 'base64').toString('utf8'),
      status,
    }),
  );
}

/** The requests of a .http file, as far as ours use the format. */
function httpRequests(text: string, variables: Readonly<Record<string, string>>): readonly Omit<Entry, 'status'>[] {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => variables[name] ?? `{{${name}}}`);
  return [...filled.matchAll(/^(GET|POST) (\S+)\n((?:[\w-]+: .*\n)*)(?:\n([^#\n].*)\n)?/gm)].map(
    ([, method = '', url = '', lines = '', body]) => ({
      method,
      url,
      headers: new Headers(
        lines
          .split('\n')
          .filter(Boolean)
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as [string, string]),
      ),
      body,
    }),
  );
}

async function serve(...faults: readonly string[]): Promise<string> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults });
  servers.push(server);
  return server.baseUrl;
}

async function recordFor(...faults: readonly string[]): Promise<RunRecord> {
  const judged = clauses.filter(({ id }) => ['create.name-type', 'auth.wrong-key'].includes(id));
  return recordOfRun(await judgeReference({ faults, seedAnimals: 7 }, { judged }));
}

async function send({ method, url, headers, body }: Omit<Entry, 'status'>): Promise<string> {
  return String((await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })).status);
}

test('a Hurl file fails against a server with the defect and passes against one without, a wrong key sent as it was', async () => {
  const faults = ['number-name-accepted', 'any-bearer-token-accepted'];
  const text = renderHurl(await recordFor(...faults));
  const outcomes = async (base_url: string): Promise<readonly boolean[]> => {
    const entries = hurlEntries(text, { base_url, api_key: KEY });
    return Promise.all(entries.map(async (entry) => (await send(entry)) === entry.status));
  };
  const faulty = await outcomes(await serve(...faults));
  expect(faulty.length).toBeGreaterThan(2);
  expect(faulty).toEqual(faulty.map(() => false));
  const repaired = await outcomes(await serve());
  expect(repaired).toEqual(repaired.map(() => true));
  expect(text).not.toContain(KEY);
});

test('a .http file sends the same requests', async () => {
  const text = renderHttp(await recordFor('number-name-accepted'));
  const requests = httpRequests(text, { baseUrl: await serve('number-name-accepted'), apiKey: KEY });
  expect(requests.length).toBeGreaterThan(2);
  for (const request of requests) expect(await send(request)).toBe('201');
  expect(text).toContain('@apiKey = {{$processEnv PETSTORE_API_KEY}}');
  expect(text).not.toContain(KEY);
});

test.each([
  ['Hurl', renderHurl],
  ['.http', renderHttp],
] as const)('a %s file never holds the key, and no line of a service is more than a comment', (_case, render) => {
  for (const record of [sampleRecord(), hostileRecord()]) {
    const text = render(record);
    expect(text).not.toContain(CANARY_KEY);
    for (const line of text.split('\n').filter((one) => /<script>|alert\(1\)/.test(one) && !one.startsWith('{') && !one.startsWith('`'))) {
      expect(line).toMatch(/^(?:#|@baseUrl)/);
    }
  }
});
