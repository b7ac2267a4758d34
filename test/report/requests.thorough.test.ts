import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EFFECTS } from '../../src/clause/clause.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { runGate } from '../../src/gate/gate.ts';
import { type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { renderHttp } from '../../src/report/render-http.ts';
import { renderHurl } from '../../src/report/render-hurl.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { failingOf, passingOf } from '../../src/report/requests.ts';
import { openSession } from '../../src/session/open-session.ts';
import { clauses } from '../../suites/index.ts';
import { judgeReference, judgeSession, KEY, recordOfRun, sessionOptions } from '../prove/judge-reference.ts';
import { CANARY_KEY, hostileRecord, sampleRecord } from './sample-record.ts';

const failingHttp = (record: RunRecord): string => renderHttp(record, { what: 'failed', groups: failingOf(record) });
const failingHurl = (record: RunRecord): string => renderHurl(record, { what: 'failed', groups: failingOf(record) });
const passingHttp = (record: RunRecord): string => renderHttp(record, { what: 'passed', groups: passingOf(record) });
const passingHurl = (record: RunRecord): string => renderHurl(record, { what: 'passed', groups: passingOf(record) });

const servers: ReferenceServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Entry = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  /** The expected status; in a .http file the one in its comment. */
  readonly status: string;
  /** The name of the id in its response, for later entries. */
  readonly capture: string | undefined;
};

const headersOf = (lines: string): Entry['headers'] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const);

/** The entries of a Hurl file, for the parts of the format that we use; the last entry of each failure has the expected status. */
function hurlEntries(text: string): readonly Entry[] {
  const entry =
    /^(GET|POST) (\S+)\n((?:[\w-]+: .*\n)*)(?:`([^`]*)`\n|base64,(\S*);\n)?HTTP (\S+)$(?:\n\[Captures\]\n(\w+): jsonpath "\$\.id")?/gm;
  return [...text.matchAll(entry)].map(([, method = '', url = '', lines = '', plain, coded, status = '', capture]) => ({
    method,
    url,
    headers: headersOf(lines),
    body: coded === undefined ? plain : Buffer.from(coded, 'base64').toString('utf8'),
    status,
    capture,
  }));
}

/** The requests of a .http file, for the parts of the format that we use. */
function httpRequests(text: string): readonly Entry[] {
  const received = [...text.matchAll(/^### .*\n# expected .*; received (\d+|no response)$/gm)].length;
  const request = /(?:^# @name (\w+)\n)?^(GET|POST) (\S+)\n((?:[\w-]+: .*\n)*)(?:\n([^#\n].*)\n)?/gm;
  expect(received).toBeGreaterThan(0);
  return [...text.matchAll(request)].map(([, name, method = '', url = '', lines = '', body]) => ({
    method,
    url,
    headers: headersOf(lines),
    body,
    status: '',
    capture: name === undefined ? undefined : `${name}.response.body.$.id`,
  }));
}

/** What tools do with a file: one entry after the other, with the given variables and the captured ids. */
async function sendAll(entries: readonly Entry[], given: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const variables = new Map(Object.entries(given));
  const fill = (text: string): string => text.replace(/\{\{([^}]+)\}\}/g, (all, name: string) => variables.get(name) ?? all);
  const statuses: string[] = [];
  for (const { method, url, headers, body, capture } of entries) {
    const sent = await send({
      method,
      url: fill(url),
      headers: headers.map(
        ([name, value]) =>
          [
            name,
            fill(value)
              .replaceAll('\\u{7b}', '{')
              .replaceAll(/\\([\\#])/g, '$1'),
          ] as const,
      ),
      body,
    });
    statuses.push(sent.status);
    const id = /"id"\s*:\s*(-?\d+)/.exec(sent.body)?.[1];
    if (capture !== undefined && id !== undefined) variables.set(capture, id);
  }
  return statuses;
}

type Sent = { readonly status: string; readonly body: string };

/** Sends a request exactly as given: `fetch` would normalize its path and its headers. */
function send({ method, url, headers, body }: Pick<Entry, 'method' | 'url' | 'headers' | 'body'>): Promise<Sent> {
  const [, host = '', port = '', path = ''] = /^http:\/\/([^:]+):(\d+)(.*)$/.exec(url) ?? [];
  const framed = body === undefined || headers.some(([name]) => name === 'transfer-encoding');
  const all = [['host', `${host}:${port}`], ...headers, ...(framed ? [] : [['content-length', String(Buffer.byteLength(body))]])];
  return new Promise((resolve, reject) => {
    const call = request({ host, port, method, path, headers: all.flat() }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: String(response.statusCode), body: text }));
    });
    call.on('error', reject);
    call.end(body);
  });
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

/** A complete run of the gate against a server that keeps running, with the exchanges of passing checks. */
async function gateRecord(baseUrl: string, passing: readonly string[], only: readonly string[] = []): Promise<RunRecord> {
  return runGate({
    session: sessionOptions(baseUrl),
    ...{ reference: false, strict: false, only, skip: [], waivers: [], drift: () => [], today: new Date(), passing },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

test('a Hurl file fails against a server with the defect and passes against one without, a wrong key sent as it was', async () => {
  const faults = ['number-name-accepted', 'any-bearer-token-accepted'];
  const text = failingHurl(await recordFor(...faults));
  const entries = hurlEntries(text);
  const outcomes = async (base_url: string): Promise<readonly boolean[]> => {
    const statuses = await sendAll(entries, { base_url, api_key: KEY });
    return entries.map(({ status }, index) => statuses[index] === status);
  };
  const faulty = await outcomes(await serve(...faults));
  expect(faulty.length).toBeGreaterThan(2);
  expect(faulty).toEqual(faulty.map(() => false));
  const repaired = await outcomes(await serve());
  expect(repaired).toEqual(repaired.map(() => true));
  expect(text).not.toContain(KEY);
});

test('an entry has the headers that its response depends on, whatever sends it', async () => {
  const judged = clauses.filter(({ id }) => id === 'media.any-client' || id === 'media.json');
  const record = recordOfRun(await judgeReference({ faults: ['html-for-browser-user-agent'], seedAnimals: 7 }, { judged }));
  for (const text of [failingHurl(record), failingHttp(record)]) expect(text).toMatch(/^user-agent: Mozilla/m);
  expect(failingHurl(await recordFor('number-name-accepted'))).not.toContain('user-agent');
});

test('an entry of a Hurl file has asserts if the status is correct, or says that it cannot fail, and the header counts those', async () => {
  const fileFor = async (fault: string, clause: string, seedAnimals: number): Promise<readonly string[]> => {
    const judged = clauses.filter(({ id }) => id === clause);
    return failingHurl(recordOfRun(await judgeReference({ faults: [fault], seedAnimals }, { judged })))
      .trimEnd()
      .split('\n\n');
  };
  const [head = '', ...telling] = await fileFor('limit-plus-one', 'list.limit-maximum', 30);
  expect(head).toContain('# An entry fails while its response is still wrong. Creations');
  expect(telling.length).toBeGreaterThan(0);
  for (const entry of telling) expect(entry).toMatch(/\nHTTP \*\n\[Asserts\]\njsonpath "\$" count <= \d+$/);
  const [warning = '', ...mute] = await fileFor('list-repeats-first', 'list.unique', 3);
  expect(warning).toContain(`wrong, but for ${mute.length} of ${mute.length} that cannot, as their comments say. Creations`);
  expect(mute.length).toBeGreaterThan(0);
  for (const entry of mute) expect(entry).toMatch(/\nHTTP \*\n# it was 200, and this entry cannot fail: .*$/);
});

test('a .http file sends the same requests', async () => {
  const text = failingHttp(await recordFor('number-name-accepted'));
  const statuses = await sendAll(httpRequests(text), { baseUrl: await serve('number-name-accepted'), apiKey: KEY });
  expect(statuses.length).toBeGreaterThan(2);
  expect(statuses).toEqual(statuses.map(() => '201'));
  expect(text).toContain('@apiKey = {{$processEnv PETSTORE_API_KEY}}');
  expect(text).not.toContain(KEY);
});

describe('the exchanges of passing checks', () => {
  let baseUrl = '';
  let record: RunRecord;
  let server: ReferenceServer;
  beforeAll(async () => {
    server = await startReference({ apiKey: KEY, seedAnimals: 30 });
    baseUrl = server.baseUrl;
    record = await gateRecord(baseUrl, ['*']);
  });
  afterAll(() => server.close());

  test('get the same status again, each of a Hurl file', async () => {
    const text = passingHurl(record);
    const entries = hurlEntries(text);
    expect(entries.length).toBeGreaterThan(300);
    expect(text).not.toContain(KEY);
    const statuses = await sendAll(entries, { base_url: baseUrl, api_key: KEY });
    const differ = entries.filter(({ status }, index) => status !== '*' && statuses[index] !== status);
    expect(differ).toEqual([]);
    expect(text).toContain('# it was 404, and an animal may have this id by now');
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set(['*', '200', '201', '400', '401', '404']));
    expect(entries.some(({ capture }) => capture !== undefined)).toBe(true);
  });

  test('are sent by a .http file as well', async () => {
    const text = passingHttp(record);
    const received = [...text.matchAll(/^### .*\n# expected .*; received (\d+)\n(?:# 1 of (\d+)\n)?(?:# @name .*\n)?(?:GET|POST) /gm)];
    const entries = httpRequests(text);
    const statuses = await sendAll(entries, { baseUrl, apiKey: KEY });
    const groups = received.map(([, status, steps = '1']) => ({ status, steps: Number(steps) }));
    const starts = groups.map((_group, index) => groups.slice(0, index).reduce((sum, { steps }) => sum + steps, 0));
    const differ = groups.filter(({ status, steps }, index) => statuses[(starts[index] ?? 0) + steps - 1] !== status);
    expect(differ.filter(({ status }) => status !== '404')).toEqual([]);
    // A few ids that had no animal before now have one, and no more than these.
    expect(differ.length).toBeLessThan(10);
    expect(groups.reduce((sum, { steps }) => sum + steps, 0)).toBe(entries.length);
    expect(text).not.toContain(KEY);
  });

  test('are bounded: ten requests of a check that differ', () => {
    const { passing = [] } = record;
    expect(passing.length).toBeGreaterThan(100);
    expect(Math.max(...passing.map(({ exchanges }) => exchanges.length))).toBe(10);
    expect(passing.some(({ leftOut }) => leftOut > 0)).toBe(true);
    expect(passing.flatMap(({ exchanges }) => exchanges).length).toBeLessThanOrEqual(1_000);
    expect(Buffer.byteLength(renderJson(record))).toBeLessThan(10_000_000);
  });
});

test('a check that failed is not among those that passed', async () => {
  const server = await startReference({ apiKey: KEY, seedAnimals: 30, faults: ['limit-plus-one'] });
  const { passing = [], checks } = await gateRecord(
    server.baseUrl,
    ['list.*'],
    ['list.limit-maximum', 'list.limit-accepted', 'get.success'],
  );
  await server.close();
  const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed.length).toBeGreaterThan(0);
  expect(passing.map(({ check }) => check).filter((id) => failed.includes(id) || !id.startsWith('list.'))).toEqual([]);
  expect(passing.length).toBeGreaterThan(0);
});

test('reports show every header of every request but the trace', async () => {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7 });
  const open = await openSession(sessionOptions(server.baseUrl));
  const hidden = new Set<string>();
  open.recorder.onEveryExchange((exchange) => {
    const shown = open.redact(exchange).requestHeaders.map(([name]) => name);
    for (const [name] of exchange.request.headers) if (!shown.includes(name.toLowerCase())) hidden.add(name.toLowerCase());
  });
  await open.start();
  await judgeSession(open, { clauses, effects: EFFECTS });
  await open.session.close();
  await server.close();
  expect([...hidden]).toEqual(['traceparent']);
});

test.each([
  ['failing Hurl', failingHurl],
  ['failing .http', failingHttp],
  ['passing Hurl', passingHurl],
  ['passing .http', passingHttp],
] as const)('a %s file never holds the key, and no line of a service is more than a comment', (_case, render) => {
  for (const record of [sampleRecord(), hostileRecord()]) {
    const text = render(record);
    expect(text).not.toContain(CANARY_KEY);
    for (const line of text.split('\n').filter((one) => /<script>|alert\(1\)/.test(one) && !one.startsWith('{') && !one.startsWith('`'))) {
      expect(line).toMatch(/^(?:#|@baseUrl)/);
    }
  }
});

test('braces in an address are not a variable of a .http file, whose value would be sent', () => {
  const record = sampleRecord();
  const checks = record.checks.map((check) => ({
    ...check,
    findings: check.findings.map((finding) => ({
      ...finding,
      exchanges: finding.exchanges.map((exchange) => ({ ...exchange, url: `${exchange.url.split('?')[0]}?x={{apiKey}}` })),
    })),
  }));
  const text = failingHttp({ ...record, checks });
  expect(text).toContain('# Not as a request, because of the braces in its address; as curl:');
  expect(text.split('\n').filter((line) => line.includes('x={{apiKey}}') && !line.startsWith('# curl '))).toEqual([]);
});
