import { execFile } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { type ReferenceOptions, startReference } from '../../proof/server.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { certificateFiles, startEntrance, startTlsEntrance } from '../support/entrance.ts';
import { startFront, startSame } from '../support/front.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const env = { PETSTORE_API_KEY: KEY };
const COMMANDS = ['run', 'smoke', 'doctor'] as const;
const JUDGED: Readonly<Record<(typeof COMMANDS)[number], readonly string[]>> = {
  run: ['--only', 'list.success', '--depth', 'quick'],
  smoke: ['--only', 'list.success'],
  doctor: [],
};

async function reference(options: Partial<ReferenceOptions> = {}): Promise<number> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, ...options });
  onTestFinished(() => server.close());
  return server.port;
}

type Told = { readonly code: number | null; readonly said: string };

async function tell(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}, cwd?: string): Promise<Told> {
  const { code, stdout, stderr } = await runProgram([command, ...args], {
    env: { ...env, ...more },
    ...(cwd === undefined ? {} : { cwd }),
  });
  return { code, said: `${stdout}\n${stderr}`.replace(/\s+/g, ' ') };
}

/** The curl command of a failure, as report.json has it, carried out by a shell. */
async function curlOf(folder: string, variables: Readonly<Record<string, string>> = {}): Promise<{ command: string; output: string }> {
  const record = JSON.parse(readFileSync(join(folder, 'reports', 'report.json'), 'utf8')) as RunRecord;
  const command = record.clauses.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges.map(({ curl }) => curl)))[0] ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...env, ...variables } });
  return { command, output: stdout };
}

describe('an extra header', () => {
  const NAME = 'CF-Access-Client-Secret';
  const SECRET = 'Zk81-ppQ7x-9wTr';

  /** An access proxy: nothing passes without its header. */
  const proxied = (faults: readonly string[] = []) =>
    startFront({
      service: { faults },
      instead({ headers }, response) {
        if (headers[NAME.toLowerCase()] === SECRET) return false;
        response.writeHead(403, { 'content-type': 'text/html' }).end('<html>Forbidden</html>');
        return true;
      },
    });

  test.each(COMMANDS)('opens the access proxy for %s, given by option, variable, or file', async (command) => {
    const front = await proxied();
    onTestFinished(() => front.close());
    const folder = ownFolder();
    writeFileSync(join(folder, 'secret'), `${SECRET}\n`, { mode: 0o600 });
    const base = ['--base-url', front.baseUrl, ...JUDGED[command]];
    const ways: readonly (readonly [readonly string[], Readonly<Record<string, string>>])[] = [
      [['--header', `${NAME}: ${SECRET}`], {}],
      [['--header', `${NAME}: env:ACCESS`], { ACCESS: SECRET }],
      [['--header', `${NAME}: file:secret`], {}],
      [[], { PETSTORE_HEADER: `X-Tenant: a, b\n${NAME}: env:PETSTORE_ACCESS\n`, PETSTORE_ACCESS: SECRET }],
    ];
    for (const [args, variables] of ways) {
      const { code, said } = await tell(command, [...base, ...args], variables, folder);
      expect(code, said).toBe(0);
      expect(said).not.toContain(SECRET);
      expect(said).not.toContain('warning');
    }
    const without = await tell(command, base);
    expect(without.code, without.said).toBe(1);
    expect(without.said).toContain('add the header that it asks for with --header (`headers` of a target)');
    const wrong = await tell(command, [...base, '--header', `${NAME}: ${SECRET}x`]);
    expect(wrong.code).toBe(1);
    expect(wrong.said).toContain(`check the value of ${NAME} (--header, or \`headers\` of a target)`);
  });

  test('is named in commands of reports by a variable, which makes them work', async () => {
    const front = await proxied(['limit-ignored']);
    onTestFinished(() => front.close());
    const folder = ownFolder();
    const { code, said } = await tell(
      'run',
      ['--base-url', front.baseUrl, '--only', 'list.limit-maximum', '--depth', 'quick', '--header', `${NAME}: ${SECRET}`],
      {},
      folder,
    );
    expect(code, said).toBe(1);
    expect(said).toContain(`Each request had ${NAME} (--header)`);
    const { command, output } = await curlOf(folder, { HEADER_CF_ACCESS_CLIENT_SECRET: SECRET });
    expect(command).toContain(` -H "${NAME}: $HEADER_CF_ACCESS_CLIENT_SECRET" `);
    expect(output).toContain('HTTP/1.1 200');
    const { stdout } = await runProgram(['report', 'reports'], { cwd: folder, env });
    expect(stdout).toContain(`"${NAME}: $HEADER_CF_ACCESS_CLIENT_SECRET"`);
  });

  test('is not sent where a check sends or leaves out that very header, nor to another address', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere: unknown[] = [];
    const other = await startFront({
      instead({ headers }) {
        elsewhere.push(headers['user-agent'], headers['x-tenant']);
        return false;
      },
    });
    const front = await startFront({
      instead({ headers }) {
        seen.push(headers['user-agent']);
        return false;
      },
    });
    const redirecting = await startSame({ status: 302, headers: { location: other.baseUrl } });
    onTestFinished(async () => void (await Promise.all([other, front, redirecting].map((one) => one.close()))));
    const header = ['--header', 'User-Agent: team-petstore/7', '--header', 'X-Tenant: tenant-a'];
    await tell('run', ['--base-url', front.baseUrl, '--only', 'media.any-client', '--depth', 'quick', ...header]);
    expect(new Set(seen)).toContain('team-petstore/7');
    expect(new Set(seen)).toContain(undefined);
    expect(new Set(seen).size).toBeGreaterThan(2);
    expect(seen).not.toContain('petstore-conformance');
    await tell('doctor', ['--base-url', redirecting.baseUrl, ...header]);
    expect(elsewhere).not.toContain('tenant-a');
  });

  test.each([
    ['Authorization: Bearer x', "Authorization can't be added: it holds the API key"],
    ['X-Secret', "expected 'NAME: VALUE'"],
    ['X Y: Qx7vB2rM9w', "expected 'NAME: VALUE'"],
    ['X-Secret: Qx7v\nB2rM9w', "--header X-Secret: the value can't stand in a header (character 5 of 11 is U+000A)"],
    ['X-Secret: env:NOWHERE', '--header X-Secret: the environment variable NOWHERE is not set'],
    ['X-Secret: file:nowhere', '--header X-Secret: cannot read the secret file nowhere'],
    ['X-Secret: ${SECRET}', '--header X-Secret: the value is a placeholder that nobody filled in'],
  ])('%j is a mistake, said before anything is sent, and its value is not repeated', async (line, words) => {
    const { code, said } = await tell('smoke', ['--base-url', 'http://127.0.0.1:9/v1', '--header', line]);
    expect(said).toContain(words);
    expect(said).not.toMatch(/Qx7v|B2rM9w/);
    expect(code).toBe(2);
  });

  test('that is given twice is a mistake', async () => {
    const { code, said } = await tell('run', ['--base-url', 'http://127.0.0.1:9/v1', '--header', 'X-A: 1', '--header', 'x-a: 2']);
    expect(code).toBe(2);
    expect(said).toContain('--header: x-a is given twice');
  });
});

describe('--resolve', () => {
  test.each(COMMANDS)('judges each of two replicas behind one name by itself: %s', async (command) => {
    const good = await reference();
    const broken = await reference({ apiKey: `${KEY}-other` });
    const port = await startEntrance(good);
    await startEntrance(broken, { port, host: '127.0.0.2' });
    const base = ['--base-url', `http://pets.test:${port}/v1`, ...JUDGED[command]];
    const first = await tell(command, [...base, '--resolve', `pets.test:${port}:127.0.0.1`]);
    expect(first.code, first.said).toBe(0);
    expect(first.said).toContain(`Connections go to 127.0.0.1 port ${port}, under the name pets.test (--resolve)`);
    const second = await tell(command, base, { PETSTORE_RESOLVE: `other.test:80:10.0.0.1, pets.test:${port}:127.0.0.2` });
    expect(second.code, second.said).toBe(1);
    const third = await tell(command, [...base, '--resolve', `pets.test:${port}:[::ffff:127.0.0.3]`]);
    expect(third.code).toBe(3);
    expect(third.said).toContain('(--resolve): nothing listens there (ECONNREFUSED)');
  });

  test('keeps the name for TLS and for Host, and the commands of reports go the same way', async () => {
    const folder = ownFolder();
    const { cert, pem } = certificateFiles(folder, 'pets.test');
    const names: (string | undefined)[] = [];
    const hosts: (string | undefined)[] = [];
    const front = await startFront({
      service: { faults: ['limit-ignored'] },
      instead({ headers }) {
        hosts.push(headers.host);
        return false;
      },
    });
    onTestFinished(() => front.close());
    const port = await startTlsEntrance(Number(new URL(front.baseUrl).port), {
      ...pem,
      SNICallback(name, done) {
        names.push(name);
        done(null);
      },
    });
    const resolve = `pets.test:${port}:127.0.0.1`;
    const args = [
      '--base-url',
      `https://pets.test:${port}/v1`,
      '--only',
      'list.limit-maximum',
      '--depth',
      'quick',
      '--resolve',
      resolve,
      '--ca',
      cert,
    ];
    const { code, said } = await tell('run', args, {}, folder);
    expect(code, said).toBe(1);
    expect(new Set(names)).toEqual(new Set(['pets.test']));
    expect(new Set(hosts)).toEqual(new Set([`pets.test:${port}`]));
    const { command, output } = await curlOf(folder, { CURL_CA_BUNDLE: cert });
    expect(command).toContain(`curl -sS -i --resolve '${resolve}' `);
    expect(output).toContain('HTTP/1.1 200');
  });

  test.each(COMMANDS)('that contradicts something is a mistake for %s', async (command) => {
    const args = ['--base-url', 'https://pets.test/v1', '--resolve', 'pets.test:443:127.0.0.1', '--proxy', 'proxy.test:3128'];
    const { code, said } = await tell(command, args);
    expect(said).toContain('--resolve: the proxy proxy.test:3128 connects to the service');
    expect(code).toBe(2);
  });

  test('to the address of production counts as production', async () => {
    const args = ['--base-url', 'http://staging.test:8080/v1', '--resolve', 'staging.test:8080:127.0.0.1'];
    const { code, said } = await tell('run', [...args, '--production-base-url', 'http://localhost:8080/v1']);
    expect(code).toBe(2);
    expect(said).toContain('is the production service');
  });
});

describe('--family', () => {
  test('connects by one version of IP alone', async () => {
    const port = await reference();
    for (const command of COMMANDS) {
      const base = ['--base-url', `http://localhost:${port}/v1`, ...JUDGED[command]];
      const four = await tell(command, [...base, '--family', '4']);
      expect(four.code, four.said).toBe(0);
      expect(four.said).toContain('Connections use IPv4 alone (--family)');
      const six = await tell(command, [...base, '--family', '6']);
      expect(six.code, six.said).toBe(3);
      // A machine may have no IPv6 address for that name.
      expect(six.said).toMatch(/the host name has no IPv6 address, and no other is to be used \(--family\)|nothing listens there/);
    }
  });
});

describe('--unix-socket', () => {
  test.each(COMMANDS)('%s connects through the socket, and says what is wrong with it', async (command) => {
    const folder = ownFolder();
    const socket = join(folder, 'pets.sock');
    await startEntrance(await reference(), { path: socket });
    writeFileSync(join(folder, 'file'), '');
    const base = ['--base-url', 'http://pets.test/v1', ...JUDGED[command]];
    const good = await tell(command, [...base, '--unix-socket', socket]);
    expect(good.code, good.said).toBe(0);
    expect(good.said).toContain(`Connections go through the Unix socket ${socket} (--unix-socket)`);
    for (const [path, words] of [
      [join(folder, 'none.sock'), 'it does not exist (ENOENT)'],
      [join(folder, 'file'), 'it is not a socket (ECONNREFUSED)'],
    ] as const) {
      const { code, said } = await tell(command, [...base, '--unix-socket', path]);
      expect(said).toContain(`no connection to the Unix socket ${path}: ${words}`);
      expect(code).toBe(3);
    }
  });

  test('is in the commands of reports', async () => {
    const folder = ownFolder();
    const socket = join(folder, 'pets.sock');
    await startEntrance(await reference({ faults: ['limit-ignored'] }), { path: socket });
    const { code } = await tell(
      'run',
      ['--base-url', 'http://pets.test/v1', '--only', 'list.limit-maximum', '--depth', 'quick', '--unix-socket', socket],
      {},
      folder,
    );
    expect(code).toBe(1);
    const { command, output } = await curlOf(folder);
    expect(command).toContain(`--unix-socket '${socket}' `);
    expect(output).toContain('HTTP/1.1 200');
  });
});

describe('a client certificate', () => {
  test.each(COMMANDS)('%s presents it, and says what is wrong with it', async (command) => {
    const folder = ownFolder();
    const server = certificateFiles(folder, 'localhost');
    const client = certificateFiles(folder, 'client.test');
    const other = certificateFiles(folder, 'other.test');
    const expired = certificateFiles(folder, 'expired.test', { expired: true });
    const port = await startTlsEntrance(await reference(), {
      ...server.pem,
      ca: client.pem.cert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const base = ['--base-url', `https://localhost:${port}/v1`, '--ca', server.cert, ...JUDGED[command]];
    const good = await tell(command, [...base, '--cert', client.cert, '--key', client.key]);
    expect(good.code, good.said).toBe(0);
    expect(good.said).toContain(command === 'doctor' ? 'CN=client.test' : 'Connections present a client certificate (--cert)');
    expect(good.said).not.toContain('warning');
    const both = join(folder, 'both.pem');
    writeFileSync(both, client.pem.key + client.pem.cert, { mode: 0o600 });
    expect((await tell(command, base, { PETSTORE_CERT: both })).code).toBe(0);
    const none = await tell(command, base);
    expect(none.said).toContain(
      'the service asks for a client certificate: name yours with --cert and --key (`cert` and `key` of a target)',
    );
    expect(none.code).toBe(3);
    for (const [{ cert, key }, words] of [
      [other, /client certificate/],
      [expired, /the client certificate expired on 2020-01-02/],
    ] as const) {
      const { code, said } = await tell(command, [...base, '--cert', cert, '--key', key]);
      expect(said).toMatch(words);
      expect(said).toContain(cert);
      expect(code, said).toBe(3);
    }
  });

  test('that cannot be presented is a mistake, said before anything is sent', async () => {
    const folder = ownFolder();
    const one = certificateFiles(folder, 'one.test');
    const other = certificateFiles(folder, 'two.test');
    const encrypted = join(folder, 'encrypted.key');
    writeFileSync(
      encrypted,
      createPrivateKey(one.pem.key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
    );
    const text = join(folder, 'text');
    writeFileSync(text, 'nothing', { mode: 0o600 });
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['--cert', join(folder, 'none')], `cannot use ${folder}/none (--cert): ENOENT`],
      [['--cert', text], `cannot use ${text} (--cert): it contains no PEM certificate`],
      [['--cert', one.cert], '(--cert): it contains no private key, and no other file is named for it (--key'],
      [['--cert', one.cert, '--key', text], `cannot use ${text} (--key): it contains no PEM private key`],
      [
        ['--cert', one.cert, '--key', other.key],
        `cannot use ${other.key} (--key): the private key is not that of the certificate in ${one.cert}`,
      ],
      [['--cert', one.cert, '--key', encrypted], '(--key): the private key is encrypted, and there is nobody to enter its passphrase'],
      [['--key', one.key], '--key: is the private key of a client certificate: name that with cert'],
      [['--key', 'sekret-0123456789'], '--key (PETSTORE_KEY) names no file'],
    ];
    for (const [args, words] of cases) {
      const { code, said } = await tell('smoke', ['--base-url', 'https://127.0.0.1:9/v1', ...args]);
      expect(said).toContain(words);
      expect(said).not.toContain('sekret-0123456789');
      expect(code).toBe(2);
    }
    const plain = await tell('smoke', ['--base-url', 'http://127.0.0.1:9/v1', '--cert', one.cert, '--key', one.key]);
    expect(plain.said).toContain('--cert: a client certificate is presented in TLS, and the base URL is http://');
    expect(plain.code).toBe(2);
  });

  test('is in the commands of reports', async () => {
    const folder = ownFolder();
    const server = certificateFiles(folder, 'localhost');
    const client = certificateFiles(folder, 'client.test');
    const port = await startTlsEntrance(await reference({ faults: ['limit-ignored'] }), {
      ...server.pem,
      ca: client.pem.cert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const way = ['--ca', server.cert, '--cert', client.cert, '--key', client.key];
    const { code } = await tell(
      'run',
      ['--base-url', `https://localhost:${port}/v1`, '--only', 'list.limit-maximum', '--depth', 'quick', ...way],
      {},
      folder,
    );
    expect(code).toBe(1);
    const { command, output } = await curlOf(folder, { CURL_CA_BUNDLE: server.cert });
    expect(command).toContain(`--cert '${client.cert}' --key '${client.key}' `);
    expect(output).toContain('HTTP/1.1 200');
  });
});

test('the built-in server needs none of it, whatever the environment says of another service', async () => {
  const variables = {
    PETSTORE_HEADER: 'X-A: env:NONE',
    PETSTORE_RESOLVE: 'x.test:80:10.0.0.1',
    PETSTORE_FAMILY: '6',
    PETSTORE_CERT: '/none',
  };
  const { code, said } = await tell('smoke', ['--reference', ...JUDGED.smoke], variables);
  expect(code, said).toBe(0);
});

test('.env names no way to the service, unless the API key is there too', async () => {
  const port = await reference();
  const folder = ownFolder();
  const settings = `PETSTORE_RESOLVE=pets.test:${port}:127.0.0.1\nPETSTORE_HEADER="X-A: 1"\nPETSTORE_FAMILY=4\n`;
  writeFileSync(join(folder, '.env'), settings, { mode: 0o600 });
  const args = ['--base-url', `http://pets.test:${port}/v1`, ...JUDGED.smoke];
  const untrusted = await tell('smoke', args, {}, folder);
  expect(untrusted.code).toBe(3);
  for (const name of ['PETSTORE_RESOLVE', 'PETSTORE_HEADER', 'PETSTORE_FAMILY']) expect(untrusted.said).toContain(name);
  writeFileSync(join(folder, '.env'), `${settings}PETSTORE_API_KEY=${KEY}\n`, { mode: 0o600 });
  const { code, stdout, stderr } = await runProgram(['smoke', ...args], { cwd: folder });
  expect(code, stdout + stderr).toBe(0);
});
