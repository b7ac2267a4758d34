import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { startProcess, until } from '../probe/running-monitor.ts';
import { certificateFiles } from '../support/entrance.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { NGINX, needs } from '../support/tool.ts';

const KEY = 'ng-5tR8wQ2zX6vB';
const SECRET = 'Zk81-ppQ7x-9wTr';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** nginx in front of a server: it wants a client certificate of that CA, and the access header. Returns its port. */
async function startNginx(to: number, { folder, server, ca }: { folder: string; server: { cert: string; key: string }; ca: string }) {
  const port = await freePort();
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; ${temporary}
  server {
    listen 127.0.0.1:${port} ssl; server_name pets.test;
    ssl_certificate ${server.cert}; ssl_certificate_key ${server.key};
    ssl_client_certificate ${ca}; ssl_verify_client on;
    location / {
      if ($http_cf_access_client_secret != "${SECRET}") { return 403; }
      proxy_pass http://127.0.0.1:${to}; proxy_set_header Host $http_host; proxy_pass_request_headers on;
    }
  }
}\n`,
  );
  const program = await startProcess(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], { cwd: folder });
  await until('nginx listens', () => listens(port), { details: program.output });
  return port;
}

test('A service that nginx guards with client certificates and an access header is judged, and doctor names what is missing.', async (context) => {
  needs(context, NGINX);
  const reference = await startReference({ apiKey: KEY, seedAnimals: 7 });
  onTestFinished(() => reference.close());
  const folder = ownFolder();
  const server = certificateFiles(folder, 'pets.test');
  const client = certificateFiles(folder, 'client.test');
  const other = certificateFiles(folder, 'other.test');
  const port = await startNginx(reference.port, { folder, server, ca: client.cert });
  const env = { PETSTORE_API_KEY: KEY, ACCESS: SECRET };
  const to = ['--base-url', `https://pets.test:${port}/v1`, '--resolve', `pets.test:${port}:127.0.0.1`, '--ca', server.cert];
  const certificate = ['--cert', client.cert, '--key', client.key];
  const header = ['--header', 'CF-Access-Client-Secret: env:ACCESS'];
  for (const [command, ...more] of [
    ['doctor'],
    ['smoke'],
    ['run', '--depth', 'quick', '--only', 'list-pets', '--only', 'auth.*'],
  ] as const) {
    const { code, stdout, stderr } = await runProgram([command, ...to, ...certificate, ...header, ...more], { cwd: folder, env });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain(SECRET);
  }
  for (const [args, words] of [
    [header, 'asks for a client certificate: name yours with --cert and --key'],
    [[...header, '--cert', other.cert, '--key', other.key], `rejects the client certificate of ${other.cert}`],
    [certificate, 'add the header that it asks for with --header'],
    [[...certificate, '--header', 'CF-Access-Client-Secret: wrong'], 'check the value of CF-Access-Client-Secret'],
  ] as const) {
    const { code, stdout } = await runProgram(['doctor', ...to, ...args], { cwd: folder, env });
    expect(stdout.replace(/\s+/g, ' ')).toContain(words);
    expect(code).toBe(1);
  }
});
