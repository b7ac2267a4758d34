import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRedactSink } from '../../src/probe/journal.ts';
import { headerFault, secretOf } from '../../src/secrets/secret.ts';
import { makeCertificate } from '../support/certificate.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { loadText } from './load-text.ts';

const withKey = (reference: string, head = ''): string =>
  `${head}targets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: "${reference}"\n`;

function secretFile(content: string, mode = 0o600): string {
  const file = join(ownFolder(), 'secret');
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

describe('secrets of the configuration', () => {
  test('A key that no header can carry is a mistake, in a file and in a variable, and is not shown.', () => {
    const file = secretFile('first-key\nsecond-key\n');
    expect(loadText(withKey(`file:${file}`)).problems).toBe(
      `FILE:4: targets[0].apiKey: the content of the secret file ${file} can't stand in an Authorization header ` +
        '(character 10 of 20 is U+000A); was a space or a line end pasted with it?',
    );
    const { problems } = loadText(withKey('env:TWO_WORDS'), { TWO_WORDS: 'two words' });
    expect(problems).toContain("FILE:4: targets[0].apiKey: the environment variable TWO_WORDS can't stand in an Authorization header");
    expect(problems).not.toContain('two words');
  });

  test('A key that is rotated to one that no header can carry is a mistake from then on, until it is fixed.', () => {
    const file = secretFile('first-key');
    const get = secretOf(`file:${file}`, {}, headerFault);
    expect(get()).toBe('first-key');
    writeFileSync(file, 'first-key\nsecond-key');
    expect(get).toThrow(`the content of the secret file ${file} can't stand in an Authorization header`);
    writeFileSync(file, 'second-key\n');
    expect(get()).toBe('second-key');
  });

  test('A path that is neither a small file nor a pipe is rejected as a secret, and nothing hangs on it.', () => {
    expect(loadText(withKey('file:/dev/zero')).problems).toBe(
      'FILE:4: targets[0].apiKey: cannot read the secret file /dev/zero: it is neither a regular file nor a pipe',
    );
    const large = secretFile('k'.repeat(70_000));
    expect(loadText(withKey(`file:${large}`)).problems).toContain('it is larger than 64 KB');
  });

  test('.env and the configuration may be pipes, and a folder in the place of .env is a warning.', async () => {
    const folder = ownFolder();
    execFileSync('mkfifo', [join(folder, '.env'), join(folder, 'monitor.yaml')]);
    const check = (config: string, cwd: string) =>
      runProgram(['monitor', '--check-config', '--config', config], { cwd, env: { CI: 'false' } });
    const checked = check('monitor.yaml', folder);
    await Promise.all([
      writeFile(join(folder, '.env'), 'KEY=an-api-key\n', { flag: 'a' }),
      writeFile(join(folder, 'monitor.yaml'), withKey('env:KEY'), { flag: 'a' }),
    ]);
    expect(await checked).toMatchObject({ code: 0, stderr: '' });
    const other = ownFolder();
    mkdirSync(join(other, '.env'));
    writeFileSync(join(other, 'monitor.yaml'), withKey(`file:${secretFile('an-api-key')}`));
    expect(await check('monitor.yaml', other)).toMatchObject({
      code: 0,
      stderr: 'warning: cannot read .env: it is neither a regular file nor a pipe\n',
    });
  });

  test('A line end after a secret does not count, in a file and in a variable.', () => {
    expect(loadText(withKey('env:KEY'), { KEY: 'an-api-key\r\n' }).config?.targets[0]?.apiKey()).toBe('an-api-key');
    expect(loadText(withKey(`file:${secretFile('an-api-key\r\n')}`)).config?.targets[0]?.apiKey()).toBe('an-api-key');
  });

  test('A placeholder that nobody filled in is a mistake, in a field and in a secret, and prose may have one.', () => {
    expect(
      loadText(withKey('env:KEY', 'server: { publicUrl: "https://$HOST/petstore" }\n'), { KEY: '{{key}}' }).problems.split('\n'),
    ).toEqual([
      'FILE:1: server.publicUrl: contains $HOST, a placeholder that nobody filled in',
      'FILE:5: targets[0].apiKey: the environment variable KEY is a placeholder that nobody filled in',
    ]);
    const webhook = 'webhooks: [{ name: h, url: "env:HOOK" }]\n';
    expect(loadText(withKey('env:KEY', webhook), { KEY: 'an-api-key', HOOK: 'https://<host>/h' }).problems).toBe(
      'FILE:1: webhooks[0].url: the environment variable HOOK contains <host>, a placeholder that nobody filled in',
    );
    const window = 'maintenance: [{ reason: "see <ticket>", duration: 1h, weekly: "sunday 02:00" }]\n';
    expect(loadText(withKey('env:KEY', window), { KEY: 'an-api-key' }).problems).toBe('');
  });

  test.for([
    [0o644, 'everybody on this machine'],
    [0o666, 'everybody on this machine'],
    [0o640, 'its group'],
  ] as const)('--check-config warns about a secret file of mode %o.', async ([mode, who]) => {
    const file = secretFile('an-api-key', mode);
    const config = join(ownFolder(), 'monitor.yaml');
    writeFileSync(config, withKey(`file:${file}`));
    const ended = await runProgram(['monitor', '--check-config', '--config', config]);
    expect(ended.stderr).toBe(
      `warning: ${config}:4: targets[0].apiKey: ${file} holds a secret and ${who} can read it; "chmod 600 ${file}" makes it private\n`,
    );
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(`${config} is valid: 1 target, 0 webhooks, 0 Alertmanagers; 1 warning above\n`);
  });

  test('A file that many fields name causes one warning, and one that only its owner can read causes none.', () => {
    const webhook = (file: string) => `webhooks: [{ name: on-call, url: "file:${file}" }]\n`;
    const open = secretFile('https://hooks.example/1', 0o644);
    expect(loadText(withKey(`file:${open}`, webhook(open))).warnings.split('\n')).toHaveLength(1);
    const closed = secretFile('https://hooks.example/1');
    expect(loadText(withKey(`file:${closed}`, webhook(closed))).warnings).toBe('');
  });
});

describe('what the log masks', () => {
  const redactedBy = (url: string, target: string): ((text: string) => string) => {
    const text = `webhooks: [{ name: on-call, url: "${url}", secret: env:SECRET }]\n${withKey('env:KEY').replace('https://petstore.example/v1', target)}`;
    const { config, problems } = loadText(text, { SECRET: 'whsec_c2lnbmluZw' });
    expect(problems).toBe('');
    return createRedactSink(
      () => config?.secrets() ?? [],
      () => config?.addressParts() ?? [],
    );
  };

  test.for([
    ['https://alerts.corp.example/hook/AbCdEf123456', 'https://petstore.corp.example/v1', 'petstore.corp.example port 443'],
    ['http://localhost:5199/petstore/alerts/abcdef123456', 'http://petstore-staging:5199/v1', 'petstore-staging port 5199, localhost:5199'],
    ['https://ops:Pa55word@alerts.example/h?token=AbCdEf123456', 'https://alerts.example/v1', 'https://alerts.example'],
  ] as const)('The webhook %s masks no name or address of %s.', ([webhook, target, text]) => {
    const redact = redactedBy(webhook, target);
    const line = `firing: production: cannot reach ${text}: getaddrinfo ENOTFOUND`;
    expect(redact(line)).toBe(line);
  });

  test.for([
    'https://hooks.slack.com/services/T0001/B0001/abcdefghijklmnop',
    'https://discord.com/api/webhooks/123456789012345678/Kq7Zt9Xw2Lm4Vb6Np8Rd',
    'https://ntfy.sh/production',
    'https://ntfy.sh/on-call',
    'https://ntfy.sh/nothing',
    'https://alerts.example/NOTIFICATIONS/failed-targets/nothing-is-known?channel=service',
  ] as const)('The webhook %s masks no word and no configured name.', (webhook) => {
    const line = 'production: nothing is known about the service; webhook on-call failed; 2 notifications for failed targets';
    const redact = redactedBy(webhook, 'https://petstore.example/v1');
    expect(redact(line)).toBe(line);
  });

  test('A user name without a password is masked, and so is a short password, where it is used as one.', () => {
    expect(redactedBy('https://operator@alerts.example/', 'https://petstore.example/v1')('the operator')).toBe('the [key]');
    const redact = redactedBy('https://me:pass1@alerts.example/', 'https://petstore.example/v1');
    expect([redact('password token=pass1'), redact('a pass1 of many')]).toEqual(['password token=[key]', 'a pass1 of many']);
  });

  test('The login of the proxy that leads to a webhook is masked.', () => {
    const { config } = loadText(`webhooks: [{ name: on-call, url: "https://alerts.example/" }]\n${withKey('env:KEY')}`, {
      HTTPS_PROXY: 'http://me:Pa55%20word@proxy.example:3128',
      NO_PROXY: 'petstore.example',
    });
    expect(new Set(config?.addressParts())).toEqual(new Set(['Pa55 word']));
  });

  test('The password, the last and long random parts of the path, query values, and the secret of a webhook are masked, in all their spellings.', () => {
    const redact = redactedBy(
      'https://operator:Pa55%20word@alerts.example/services/T0000/B0123456789abcdef/Xy%2Fz567890?token=AbCdEf123456&Qwertz123456&format=compact',
      'https://petstore.example/v1',
    );
    for (const secret of [
      'B0123456789abcdef',
      'Pa55 word',
      'Pa55%20word',
      'Xy/z567890',
      'Xy%2Fz567890',
      'AbCdEf123456',
      'Qwertz123456',
      'whsec_c2lnbmluZw',
    ])
      expect(redact(`it said ${secret}!`)).toBe('it said [key]!');
    const line = 'https://alerts.example/services/T0000: the operator wants compact tokens';
    expect(redact(line)).toBe(line);
  });
});

describe('the address of a webhook', () => {
  const withHook = (url: string, more = ''): string => `webhooks: [{ name: on-call, url: "${url}"${more} }]\n${withKey('env:KEY')}`;

  test.for([
    ['http://hook.example/SECRET#x', 'has a fragment, which is never sent; remove everything from "#" on'],
    ['http://@hook.example/SECRET', 'has an empty login before the "@"'],
    ['http://a%3Ab:SECRET@hook.example/', 'has a user name with a colon, which ends it in an Authorization header'],
    ['http://u:SECRET%@hook.example/', 'has a login that is not percent-encoded UTF-8; write a "%" as %25'],
    ['http://hook.example:99999/SECRET', 'is not an http or https URL'],
  ] as const)('%s can not be used, in the file and in a variable, and is not shown.', ([url, fault]) => {
    expect(loadText(withHook(url)).problems).toBe(`FILE:1: webhooks[0].url: the value ${fault}`);
    expect(loadText(withHook('env:HOOK'), { HOOK: url }).problems).toBe(`FILE:1: webhooks[0].url: the environment variable HOOK ${fault}`);
  });

  test('A proxy of the environment that can not be used is a mistake, unless the host needs none.', () => {
    const environment = { HTTP_PROXY: 'socks5://proxy.example:1080' };
    expect(loadText(withHook('http://hook.example/'), environment).problems).toContain(
      'FILE:1: webhooks[0]: the proxy of the environment is not an HTTP proxy such as',
    );
    expect(loadText(withHook('http://hook.example/'), { ...environment, NO_PROXY: 'hook.example' }).problems).toBe('');
  });
});

describe('the proxy of a target', () => {
  const environment = { HTTPS_PROXY: 'http://me:Pa55%20word@proxy.example:3128' };
  const at = (baseUrl: string): string => withKey('env:KEY').replace('https://petstore.example/v1', baseUrl);

  test('It is that of the environment, unless the target has one or NO_PROXY lists it, also by a range; its password is masked.', () => {
    const { config } = loadText(at('https://petstore.example/v1'), environment);
    expect(config?.targets[0]?.proxy).toBe(environment.HTTPS_PROXY);
    expect(config?.addressParts()).toEqual(['Pa55 word']);
    const own = `${at('https://petstore.example/v1')}    proxy: http://other.example:3128\n`;
    expect(loadText(own, environment).config?.targets[0]?.proxy).toBe('http://other.example:3128');
    const exempt = loadText(at('https://10.96.0.7/v1'), { ...environment, NO_PROXY: '10.96.0.0/12' });
    expect(exempt.config?.targets[0]?.proxy).toBeUndefined();
    expect(loadText(at('https://127.0.0.1/v1'), environment).config?.targets[0]?.proxy).toBeUndefined();
  });

  test('One of the environment that can not be used is a mistake, and one with a login in the file too.', () => {
    expect(loadText(at('https://petstore.example/v1'), { HTTPS_PROXY: 'http://a%3Ab:SECRET@proxy.example:3128' }).problems).toBe(
      'FILE:2: targets[0]: the proxy of the environment has a user name with a colon, which ends it in an Authorization header; correct it, or list the host in NO_PROXY',
    );
    const login = loadText(`${at('https://petstore.example/v1')}    proxy: http://u:SECRET@other.example:3128\n`).problems;
    expect(login).toContain('FILE:5: targets[0].proxy: expected an http or https address without user name');
    expect(login).not.toContain('SECRET');
  });
});

describe('certificates of a target', () => {
  const withCa = (path: string): string => `${withKey('env:KEY')}    ca: "${path}"\n`;

  test('A file without certificates is a mistake, and nothing hangs on a path that is not a file.', () => {
    const fifo = join(ownFolder(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    for (const [path, fault] of [
      [join(ownFolder(), 'none.pem'), 'ENOENT: no such file or directory'],
      [secretFile('hello'), 'it contains no PEM certificate'],
      [secretFile('-----BEGIN CERTIFICATE-----\nhello\n-----END CERTIFICATE-----\n'), ''],
      [fifo, 'it is a pipe, which can be read only once'],
    ] as const)
      expect(loadText(withCa(path)).problems).toContain(`FILE:5: targets[0].ca: cannot read certificates from ${path}: ${fault}`);
  });

  test('A relative path begins at the configuration.', () => {
    const { cert } = makeCertificate({ name: 'localhost' });
    const file = secretFile(cert);
    expect(loadText(withCa(file)).config?.targets[0]?.ca).toBe(file);
    expect(loadText(withCa('ca.pem')).problems).toMatch(/cannot read certificates from \/.*\/ca\.pem: ENOENT/);
  });
});

describe('server.tokens', () => {
  const open = 'server: { host: 0.0.0.0, tokens: { read: "env:TOKEN" } }\n';

  test('It has 16 characters at least where others can reach the monitor.', () => {
    expect(loadText(withKey('env:KEY', open), { TOKEN: 'x'.repeat(15) }).problems).toBe(
      'FILE:1: server.tokens.read: the environment variable TOKEN has 15 characters, too few for a monitor that others can reach: expected at least 16',
    );
    expect(loadText(withKey('env:KEY', open), { TOKEN: 'x'.repeat(16) }).problems).toBe('');
    expect(loadText(withKey('env:KEY', open.replace('0.0.0.0', '127.0.0.1')), { TOKEN: 'x' }).problems).toBe('');
  });

  test('The one for writing is another one, and neither is shown.', () => {
    const both = 'server: { tokens: { read: "env:READ", write: "env:WRITE" } }\n';
    const { config, problems } = loadText(withKey('env:KEY', both), { READ: 'reads', WRITE: 'writes' });
    expect(problems).toBe('');
    expect(config?.secrets()).toEqual(expect.arrayContaining(['reads', 'writes']));
    expect(loadText(withKey('env:KEY', both), { READ: 'same', WRITE: 'same' }).problems).toBe(
      'FILE:1: server.tokens.write: is the token for reading: whoever reads could write; give each its own',
    );
    expect(
      loadText(withKey('env:KEY', 'server: { host: 0.0.0.0, tokens: { write: "env:TOKEN" } }\n'), { TOKEN: 'x'.repeat(16) }).problems,
    ).toBe('FILE:1: server.host: others can reach "0.0.0.0": set server.tokens.read, or listen on 127.0.0.1');
  });

  test('One that is rotated to a short one is not accepted.', () => {
    const file = secretFile('x'.repeat(16));
    const { config } = loadText(withKey('env:KEY', open.replace('env:TOKEN', `file:${file}`)));
    expect(config?.server.tokens.read?.()).toBe('x'.repeat(16));
    writeFileSync(file, 'x');
    expect(() => config?.server.tokens.read?.()).toThrow('has 1 characters, too few');
  });
});
