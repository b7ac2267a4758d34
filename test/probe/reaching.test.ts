import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSmoke } from '../../src/probe/smoke.ts';
import { startReference } from '../../src/reference/server.ts';
import { certificateFiles, startEntrance, startTlsEntrance } from '../support/entrance.ts';
import { startFront } from '../support/front.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { loadText } from './load-text.ts';
import { startMonitor, until } from './running-monitor.ts';
import { KEY } from './samples.ts';

const target = (baseUrl: string, fields: string): string =>
  `targets: [{ name: production, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 1s, ${fields} }]\n`;

describe('The configuration says how a target is reached', () => {
  const folder = ownFolder;

  test('and the target has it, with paths from the folder of the file.', () => {
    const at = folder();
    const { cert, key } = certificateFiles(at, 'client.test');
    writeFileSync(join(at, 'secret'), 'Zk81-ppQ7x-9wTr\n', { mode: 0o600 });
    const fields = [
      `headers: { CF-Access-Client-Id: id.access, CF-Access-Client-Secret: "file:${join(at, 'secret')}", User-Agent: env:AGENT }`,
      `resolve: ["pets.test:443:10.0.0.7"], family: 4, cert: "${cert}", key: "${key}"`,
    ].join(', ');
    const { config, problems } = loadText(target('https://pets.test/v1', fields), { KEY: 'an-api-key', AGENT: 'mine/1' });
    expect(problems).toBe('');
    const [one] = config?.targets ?? [];
    expect(one).toMatchObject({ resolve: ['pets.test:443:10.0.0.7'], family: 4, cert, key });
    expect(one?.headers()).toEqual([
      ['CF-Access-Client-Id', 'id.access'],
      ['CF-Access-Client-Secret', 'Zk81-ppQ7x-9wTr'],
      ['User-Agent', 'mine/1'],
    ]);
    // A secret that is rotated counts from then on, and no output has either.
    writeFileSync(join(at, 'secret'), 'Nw45-kkR2y-1sUv\n');
    expect(one?.headers()[1]?.[1]).toBe('Nw45-kkR2y-1sUv');
    expect(config?.secrets()).toContain('Nw45-kkR2y-1sUv');
    expect(config?.addressParts()).toEqual(expect.arrayContaining(['id.access', 'mine/1']));
  });

  test('and each mistake has its line and field, and shows no value.', () => {
    const { cert } = certificateFiles(folder(), 'client.test');
    for (const [fields, words] of [
      ['headers: { Authorization: Qx7vB2rM9w }', "targets[0].headers.Authorization: can't be added: it holds the API key"],
      ['headers: { X-A: Qx7vB2rM9w, x-a: env:KEY }', 'targets[0].headers.x-a: is there twice'],
      ['headers: { X-A: env:NONE }', 'targets[0].headers.X-A: the environment variable NONE is not set'],
      ['headers: { X-A: "Qx7vB2\\nrM9w" }', "targets[0].headers.X-A: the value can't stand in a header"],
      ['headers: { X-A: 71205 }', 'targets[0].headers.X-A: expected a text'],
      ['headers: { X-A: "" }', 'targets[0].headers.X-A: expected a non-empty string'],
      ['resolve: ["pets.test:80:10.0.0.7"]', 'targets[0].resolve: names another host or port than the service'],
      ['resolve: ["pets.test:443:10.0.0.7"], proxy: "http://proxy.test:3128"', 'targets[0].resolve: the proxy proxy.test:3128 connects'],
      ['family: 5', 'targets[0].family: expected one of 4, 6'],
      ['unixSocket: /run/x, family: 4', 'targets[0].unixSocket: a socket has no IP address'],
      ['cert: none', 'targets[0].cert: cannot use the client certificate from'],
      [`cert: "${cert}"`, 'targets[0].cert: cannot use the client certificate from'],
      [`cert: "${cert}", key: "sekret-0123456789"`, 'targets[0].key: cannot use the private key: ENOENT'],
      ['key: "-----BEGIN PRIVATE KEY-----"', 'targets[0].key: is the private key of a client certificate: name that with cert'],
    ] as const) {
      const { problems } = loadText(target('https://pets.test/v1', fields), { KEY: 'an-api-key' });
      expect(problems).toContain(`FILE:1: ${words}`);
      expect(problems).not.toMatch(/Qx7v|rM9w|71205/);
    }
  });
});

test('A monitor presents the client certificate that is in its files now, and says when it ends; smoke and doctor reach the target as it does.', async () => {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 7 });
  onTestFinished(() => reference.close());
  const folder = ownFolder();
  const server = certificateFiles(folder, 'pets.test');
  const client = certificateFiles(folder, 'client.test');
  const next = certificateFiles(folder, 'next.test');
  const seen = new Set<string>();
  const port = await startTlsEntrance(reference.port, {
    ...server.pem,
    ca: [client.pem.cert, next.pem.cert],
    requestCert: true,
    rejectUnauthorized: true,
    onSecure: (socket) => seen.add(String(socket.getPeerCertificate().subject.CN)),
  });
  const way = `resolve: ["pets.test:${port}:127.0.0.1"], ca: "${server.cert}", cert: client.test.crt, key: client.test.key`;
  const monitor = await startMonitor(`server: { port: 0 }\n${target(`https://pets.test:${port}/v1`, way)}`, folder);
  await until('the target is up', async () => (await monitor.health()) === 'up', { details: monitor.output });
  const series = 'petstore_probe_tls_client_certificate_expiry_timestamp_seconds{target="production"}';
  expect(await monitor.metric(series)).toBeGreaterThan(Date.now() / 1000 + 86_400);
  expect(seen).toEqual(new Set(['client.test']));
  // The certificate is there before its key: until both are, the old ones are presented.
  writeFileSync(client.cert, next.pem.cert);
  const runs = async (): Promise<number> => (await monitor.metric('petstore_probe_checks_total{target="production",check="smoke"}')) ?? 0;
  const before = await runs();
  await until('two more runs', async () => (await runs()) >= before + 2, { details: monitor.output });
  expect((await monitor.status()).targets[0]?.lastRun?.verdict).toBe('pass');
  expect(seen).toEqual(new Set(['client.test']));
  expect(await monitor.metric(series)).toBeGreaterThan(0);
  writeFileSync(client.key, next.pem.key);
  await until('the new certificate is presented', () => seen.has('next.test'), { details: monitor.output });
  const named = ['--config', join(folder, 'monitor.yaml'), '--target', 'production'];
  for (const command of ['smoke', 'doctor']) {
    const { code, stdout, stderr } = await runProgram([command, ...named], { cwd: folder, env: { KEY } });
    expect(code, stdout + stderr).toBe(0);
  }
});

test('A run of the probe goes one way, through a socket, or with headers that no text of it shows.', async () => {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 7 });
  onTestFinished(() => reference.close());
  const socket = join(ownFolder(), 'pets.sock');
  await startEntrance(reference.port, { path: socket });
  const options = { version: '3.0.0' };
  const through = await createSmoke({ baseUrl: 'http://pets.test/v1', apiKey: () => KEY, unixSocket: socket }, options).run();
  expect(through.sample).toMatchObject({ verdict: 'pass', phases: { connect: expect.any(Number) } });
  expect(through.sample.phases).not.toHaveProperty('resolve');
  const secret = 'Zk81-ppQ7x-9wTr';
  const front = await startFront({
    service: { apiKey: KEY },
    instead({ headers }, response) {
      response.setHeader('x-seen', String(headers['x-access']));
      response
        .writeHead(500, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: 1, message: `no ${headers['x-access']}`, status: 500 }));
      return true;
    },
  });
  onTestFinished(() => front.close());
  const { sample, run } = await createSmoke(
    { baseUrl: front.baseUrl, apiKey: () => KEY, headers: () => [['X-Access', secret]] },
    options,
  ).run();
  const shown = JSON.stringify([sample, run?.record]);
  expect(shown).toContain('[secret]');
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain(secret.slice(0, 9));
});
