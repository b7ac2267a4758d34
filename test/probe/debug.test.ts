import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leaks } from '../secrets/spellings.ts';
import { ownFolder } from '../support/program.ts';
import { listening, startMonitor, startTarget, until } from './running-monitor.ts';
import { KEY } from './samples.ts';

const [READ, WRITE] = ['reader-7Qw2zX8tB4vR', 'writer-3Kp9mN5cD1fG'];

test('/probe with debug tells the whole story of a run as text: its plan, each request, its findings, and its metrics.', async () => {
  const target = await startTarget({ faults: ['missing-animal-bad-request'] });
  const monitor = await startMonitor(
    `server: { port: 0 }\nschedule: false\ntargets:\n  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, latencyLimit: 10s }\n`,
    ownFolder(),
  );
  const get = async (query: string) => {
    const response = await fetch(`${monitor.url}/probe?target=production${query}`);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const { status, type, text } = await get('&debug=true');
  expect([status, type]).toEqual([200, 'text/plain; charset=UTF-8']);
  expect(text).toMatch(/^== production: fail \(status\)\n\nhttp:\/\/127\.0\.0\.1:\d+\/v1, at \S+Z, in \d+ ms\n/);
  expect(text).toMatch(/^resolve [\d.]+ ms, connect [\d.]+ ms$/m);
  expect(text).toMatch(/^pass {11}list\.success +/m);
  expect(text).toMatch(/^fail {11}get\.not-found +GET \/pets\/\d+ returned 400 for an id that no animal has; expected 404$/m);
  const number = Number(/^== Requests: (\d+)$/m.exec(text)?.[1]);
  expect(text.match(/^#\d+ at \d+ ms \(with /gm)).toHaveLength(number);
  expect(text).toContain('(with no credential)');
  expect(text).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/v1\/pets\?limit=1\n/m);
  expect(text).toMatch(/^400 after \d+ ms, \d+ bytes\n/m);
  // What a person goes on with.
  expect(text).toMatch(/^== Findings\n.*get\.not-found.*try +curl -sS -i .*\$PETSTORE_API_KEY/ms);
  const names = (metrics: string) => metrics.match(/^[a-z_]+(?=[{ ])/gm);
  const scraped = await get('&debug=false');
  expect(scraped.type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(names(text.slice(text.indexOf('== Metrics')))).toEqual(names(scraped.text));
  expect(await get('&debug=yes')).toMatchObject({ status: 400, text: 'the parameter "debug" must be true or false\n' });
  expect(leaks('debug.txt', text, KEY)).toEqual([]);

  target.set('gone');
  const silent = await get('&debug=true');
  expect(silent.text).toMatch(/^== production: fail \((?:connect|protocol)\)\n/);
});

test('No output has a key or a token, whatever a service sends back, also that of debug.', async () => {
  // It repeats the credential that it got in each part of its response.
  const port = await listening(
    createServer((request, response) => {
      const { authorization = '' } = request.headers;
      response
        .writeHead(500, { 'content-type': 'application/json', 'x-echo': authorization })
        .end(JSON.stringify({ message: authorization }));
    }),
  );
  const folder = ownFolder();
  const monitor = await startMonitor(
    `server: { port: 0, tokens: { read: env:READ, write: env:WRITE } }
data: { folder: data }
targets:
  - { name: production, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: env:KEY, interval: 1s, downAfter: 1 of 1 }
`,
    folder,
    [],
    { env: { READ, WRITE } },
  );
  const ask = async (path: string, token: string, method = 'GET'): Promise<string> => {
    const response = await fetch(monitor.url + path, { method, headers: { authorization: `Bearer ${token}` } });
    return `${response.status} ${[...response.headers].join()} ${await response.text()}`;
  };
  await until('it is down', async () => (await ask('/', READ)).includes('1 of 1 target down'), { details: monitor.output });
  const outputs = [
    ...(await Promise.all(
      ['/', '/?target=production', '/api/status', '/metrics', '/probe?target=production&debug=true', '/nothing'].map((path) =>
        ask(path, READ),
      ),
    )),
    ...(await Promise.all([READ, WRITE, 'wrong'].map((token) => ask('/-/reload', token, 'POST')))),
  ];
  expect(outputs.map((text) => text.slice(0, 3))).toEqual(['200', '200', '200', '200', '200', '404', '403', '200', '401']);
  expect(outputs[4]).toContain('Bearer [key]');
  const files = readdirSync(join(folder, 'data')).map((name) => readFileSync(join(folder, 'data', name), 'latin1'));
  for (const text of [...outputs, ...files, monitor.output()])
    for (const secret of [KEY, READ, WRITE]) expect(leaks('output', text, secret)).toEqual([]);
});
