import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Specs, variableOf } from '../../src/cli/option-spec.ts';
import { allOptions, configOptions, outputOptions, runOptions, smokeOptions } from '../../src/cli/options.ts';
import { GROUPS, SUMMARIES } from '../../src/cli/summaries.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const KEY = { PETSTORE_API_KEY: 'k-usage' };
const URL = ['--base-url', 'http://127.0.0.1:1/v1'];

/** Wrong usage: exit code 2 and one sentence on stderr that says what is wrong and what to do; nothing on stdout. */
const BAD: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>, RegExp])[] = [
  ['a command of version 2', ['mcp', ...URL], KEY, /^error: `mcp` was removed in version 3: let an agent call `run`/],
  [
    'requests again',
    ['replay', 'reports', ...URL],
    KEY,
    /^error: `replay` was removed in version 3: `run --failed REPORT` sends again what/,
  ],
  ['an option of version 2', ['run', ...URL, '--passing=list.*'], KEY, /^error: `run --passing` was removed in version 3: report.json/],
  [
    'a file of the monitor',
    ['run', '--config', 'monitor.yaml'],
    KEY,
    /^error: `run --config` was removed in version 3: name the service with --base/,
  ],
  ['a target of the monitor', ['run', '--target=x'], KEY, /^error: `run --target` was removed in version 3: name the service with/],
  [
    'an option of a server',
    ['reference', '--base-path', '/v2'],
    KEY,
    /^error: `reference --base-path` was removed in version 3: leave it out/,
  ],
  ['a variant', ['run', '--reference', '--variant', 'x'], {}, /^error: `run --variant` was removed in version 3: leave it out/],
  ['a variable of version 2', ['run', ...URL], { ...KEY, PETSTORE_PASSING: '*' }, /the variable PETSTORE_PASSING was removed in version 3/],
  [
    'a report of version 2',
    ['run', ...URL, '--reporter', 'hurl'],
    KEY,
    /--reporter: "hurl" was removed in version 3: every report has a curl/,
  ],
  ['no base URL and no --reference', ['run'], KEY, /^error: there is no service to judge: .*--base-url URL .*--reference/],
  ['an empty base URL in the environment', ['run'], { ...KEY, PETSTORE_BASE_URL: '' }, /there is no service to judge/],
  [
    'a base URL that is none',
    ['run', '--base-url', 'staging'],
    KEY,
    /the base URL is "sta…" \(7 characters\), which is not a URL; it looks like https:/,
  ],
  ['a base URL of another scheme', ['run', '--base-url', 'ftp://x/v1'], KEY, /only http: and https: can be judged/],
  ['a base URL with a query', ['run', '--base-url', 'http://x/v1?a=1'], KEY, /with a query or a fragment; remove everything from/],
  ['a base URL with a password', ['run', '--base-url', 'http://u:secret@x/v1'], KEY, /^(?!.*secret).*user name or password/],
  ['a base URL beside --reference', ['run', '--reference', ...URL], KEY, /remove one of them/],
  [
    'a fault of a service',
    ['run', ...URL, '--fault', 'limit-plus-one'],
    KEY,
    /--fault limit-plus-one is of the built-in server: add --reference/,
  ],
  [
    'a fault that there is not',
    ['run', '--reference', '--fault', 'limit-plus-two'],
    {},
    /no fault "limit-plus-two": did you mean limit-plus-one.*explain faults/,
  ],
  [
    'a fault that is like no other',
    ['run', '--reference', '--fault', 'zzzz'],
    {},
    /no fault "zzzz"; `petstore-conformance explain faults` shows all/,
  ],
  ['--watch of the built-in server', ['run', '--reference', '--watch'], {}, /--watch needs a server that restarts/],
  ['--watch without report.json', ['run', ...URL, '--watch', '--reporter', 'junit'], KEY, /add --reporter json/],
  ['--verbose beside --quiet', ['run', '--reference', '--verbose', '--quiet'], {}, /--verbose and --quiet contradict each other/],
  ['no key', ['run', ...URL], {}, /there is no API key: set PETSTORE_API_KEY .* or --api-key-file/],
  ['a key file that is not there', ['run', ...URL, '--api-key-file', 'nowhere'], {}, /cannot read the API key from nowhere: ENOENT/],
  [
    'a key that no header can carry',
    ['run', ...URL],
    { PETSTORE_API_KEY: 'k-\u{1f511}-secret' },
    /^(?!.*secret).*character 3 of \d+ is U\+1F511/,
  ],
  ['an unknown option', ['run', '--base-ur', 'x'], KEY, /unknown option '--base-ur'[\s\S]*--base-url/],
  ['an unknown command', ['judge'], KEY, /unknown command 'judge'/],
  ['a superfluous argument', ['run', 'http://x/v1'], KEY, /too many arguments.*name the service with --base-url/],
  [
    'a number that is none',
    ['run', ...URL, '--timeout', 'soon'],
    KEY,
    /--timeout: "soon" is not an integer from 1 to \d+ \(milliseconds\)/,
  ],
  ['a number that is too large', ['run', ...URL, '--concurrency', '999'], KEY, /--concurrency: "999" is not an integer from 1 to 256/],
  ['a bad number in the environment', ['run', ...URL], { ...KEY, PETSTORE_SEED: '1.5' }, /PETSTORE_SEED: "1\.5" is not an integer/],
  [
    'a bad switch in the environment',
    ['run', ...URL],
    { ...KEY, PETSTORE_READ_ONLY: 'maybe' },
    /PETSTORE_READ_ONLY: "maybe" is neither true nor false/,
  ],
  [
    'a misspelt variable',
    ['run', ...URL],
    { ...KEY, PETSTORE_READONLY: 'true' },
    /PETSTORE_READONLY is unknown; did you mean PETSTORE_READ_ONLY\?/,
  ],
  ['a date that is none', ['run', ...URL, '--now', 'tomorrow'], KEY, /--now: "tomorrow" is not a date such as 2030-12-06/],
  ['an unknown reporter', ['run', ...URL, '--reporter', 'pdf'], KEY, /--reporter: "pdf" is none of terminal, junit/],
  [
    'reporters in one option',
    ['run', ...URL, '--reporter', 'json,html'],
    KEY,
    /--reporter: "json,html" is none of .*; an option takes one value, so repeat the option/,
  ],
  [
    'a category outside int64',
    ['run', ...URL, '--category-id', '9223372036854775808'],
    KEY,
    /--category-id: "9223372036854775808" is not an int64/,
  ],
  [
    'a pattern that matches nothing',
    ['run', '--reference', '--only', 'list.sucess'],
    {},
    /"list\.sucess" matches no chapter and no clause: did you mean list\./,
  ],
  ['a --skip that matches nothing', ['run', '--reference', '--skip', 'nope.*'], {}, /"nope\.\*" matches no chapter and no clause/],
  ['patterns that leave nothing', ['run', '--reference', '--only', 'list.*', '--skip', 'list.*'], {}, /leave nothing to judge/],
  [
    'writes to production',
    ['run', ...URL, '--production-base-url', 'http://127.0.0.1:1/v2/'],
    KEY,
    /production service.*--read-only, or --allow-production-writes/,
  ],
  [
    'writes to production by another of its addresses',
    ['run', ...URL, '--production-base-url', 'http://[::ffff:127.0.0.2]:1/v2/'],
    KEY,
    /production service.*--read-only, or --allow-production-writes/,
  ],
  ['a certificate file that is not there', ['run', ...URL, '--ca', 'nowhere.pem'], KEY, /cannot read certificates from nowhere\.pem/],
  ['a base URL without a scheme', ['run', '--base-url', 'localhost:1/v1'], KEY, /has no scheme; did you mean http:\/\/localhost:1\/v1\?/],
  ['a key in an option that there is not', ['run', '--api-kye=SECRET-0123456789'], KEY, /^(?!.*SECRET).*unknown option '--api-kye'/],
  ['a key as an argument', ['run', 'SECRET-0123456789'], KEY, /^(?!.*SECRET).*too many arguments/],
  [
    'the key as the base URL',
    ['run', '--base-url', 'key-0123456789'],
    { PETSTORE_API_KEY: 'key-0123456789' },
    /^(?!.*key-0).*is \[key\], which/,
  ],
  [
    'the key as a key file',
    ['run', ...URL, '--api-key-file', 'key-0123456789'],
    { PETSTORE_API_KEY: 'key-0123456789' },
    /^(?!.*key-0).*\[key\]/,
  ],
  ['a proxy that is a word', ['run', ...URL, '--proxy', 'foo'], KEY, /--proxy is not an HTTP proxy such as/],
  [
    'a ping URL that is none',
    ['smoke', ...URL, '--ping-url', 'hc/SECRET'],
    KEY,
    /^(?!.*SECRET).*--ping-url: expected an http or https URL/,
  ],
  [
    'a deadline that the rate can not keep',
    ['run', ...URL, '--rate', '1', '--deadline', '60'],
    KEY,
    /requests at 1 a second take \d+ s; allow more/,
  ],
  [
    'a bad value in the variable of an option of smoke',
    ['smoke', ...URL],
    { ...KEY, PETSTORE_SMOKE_FORMAT: 'xml' },
    /PETSTORE_SMOKE_FORMAT: "xml" is none of/,
  ],
  [
    'a key file that is a device',
    ['run', ...URL, '--api-key-file', '/dev/zero'],
    {},
    /from \/dev\/zero: it is neither a regular file nor a pipe/,
  ],
  [
    'a key file that is a folder',
    ['run', ...URL, '--api-key-file', '.'],
    {},
    /cannot read the API key from \.: it is neither a regular file nor a pipe/,
  ],
  [
    'a waiver file that is a device',
    ['run', ...URL, '--waivers', '/dev/zero'],
    KEY,
    /cannot read the waivers: it is neither a regular file nor a pipe/,
  ],
  [
    'a reports folder that no folder can be made in',
    ['run', ...URL, '--reports', '/proc/x'],
    KEY,
    /cannot write reports to "\/proc\/x": ENOENT/,
  ],
  ['a reports folder that no file can be made in', ['run', ...URL, '--reports', '/proc'], KEY, /cannot write reports to "\/proc": /],
  [
    'a waiver file in a folder that no file can be made in',
    ['run', ...URL, '--waivers', '/proc/w.yaml', '--update-waivers'],
    KEY,
    /cannot write waivers to "\/proc\/w\.yaml": /,
  ],
  ['waivers that are not there', ['run', ...URL, '--waivers', 'nowhere.yaml'], KEY, /cannot read the waivers: ENOENT/],
  ['--update-waivers without a file', ['run', ...URL, '--update-waivers'], KEY, /name it with --waivers FILE/],
  ['explain of an unknown id', ['explain', 'list.sucess'], {}, /did you mean list\.success, /],
  ['what nobody knows', ['explain', 'zzzz'], {}, /is not a clause, a fault, or a list: .*explain clauses" shows all/],
  ['a clause as JSON', ['explain', 'list.success', '--json'], {}, /--json is for lists: clauses, situations/],
  ['a name for the one report', ['report', 'a.json', '--name', 'staging'], {}, /--name is for several reports/],
  [
    'several reports in a format',
    ['report', 'a.json', 'b.json', '--format', 'junit'],
    {},
    /--format is for the report of one run, and here/,
  ],
  [
    'more names than reports',
    ['report', 'a.json', 'b.json', ...['a', 'b', 'c'].flatMap((name) => ['--name', name])],
    {},
    /--name is given 3/,
  ],
  ['a reference server without a key', ['reference'], {}, /needs an API key/],
  ['a reference server with an unknown fault', ['reference', '--api-key', 'k', '--fault', 'nope'], {}, /there is no fault "nope"/],
];

describe.concurrent('bad usage', () => {
  test.each(BAD)('%s is exit 2 and a sentence that says what to do', async (_case, args, env, words) => {
    const { code, stdout, stderr } = await runProgram(args, { env });
    expect(stderr.replace(/\n\(.*\n?$/, '').trim()).toMatch(words);
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

test('a reports folder that is a file is exit 2 before anything is sent', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, 'reports'), '');
  const { code, stderr } = await runProgram(['run', '--reference'], { cwd });
  expect(stderr).toMatch(/^error: cannot write reports to "reports": .*; choose another folder with --reports$/m);
  expect(code).toBe(2);
});

const RISKY =
  'PETSTORE_OWN_CLAUSES=evil.clause.mjs\nPETSTORE_PROXY=http://127.0.0.1:9\nHTTP_PROXY=http://127.0.0.1:9\nPETSTORE_CA=evil.pem\n';
const EVIL = "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport const clauses = [];\n";

const COMFORT = { PETSTORE_VERBOSE: 'false', PETSTORE_QUIET: 'false', PETSTORE_REPORTER: 'terminal', PETSTORE_SEED: '7' };
const FORMATS = { PETSTORE_RUN_FORMAT: 'text', PETSTORE_SMOKE_FORMAT: 'text' };
const linesOf = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

test.each([
  ['the environment', '', { PETSTORE_API_KEY: 'k-of-the-pipeline' }, []],
  ['the environment, whatever key .env has', 'PETSTORE_API_KEY=k-of-the-change\n', { PETSTORE_API_KEY: 'k-of-the-pipeline' }, []],
  ['a file that an option names', 'PETSTORE_API_KEY=k-of-the-change\n', {}, ['--api-key-file', 'key']],
  ['a file that the environment names', '', { PETSTORE_API_KEY_FILE: 'key' }, []],
])('.env only sets what output looks like and which values are drawn if the key comes from %s', async (_case, key, env, args) => {
  const cwd = ownFolder();
  const comfort = { ...COMFORT, ...FORMATS };
  // Those that no file sets end the command, whoever wrote it.
  const options = Object.values<Specs[string]>(allOptions).filter(({ onlyFrom }) => onlyFrom === undefined);
  const all = [...options.map(variableOf), 'HTTP_PROXY', 'NO_PROXY'];
  const others = [...new Set(all)].filter((name) => !Object.hasOwn({ ...comfort, ...env }, name) && name !== 'PETSTORE_DOTENV');
  const dangerous = linesOf(Object.fromEntries(others.map((name) => [name, name === 'PETSTORE_OWN_CLAUSES' ? 'evil.clause.mjs' : 'x'])));
  writeFileSync(join(cwd, '.env'), `${key}${linesOf(comfort)}${dangerous}DATABASE_URL=x\n`, { mode: 0o600 });
  writeFileSync(join(cwd, 'evil.clause.mjs'), EVIL);
  writeFileSync(join(cwd, 'key'), 'k-of-the-pipeline', { mode: 0o600 });
  const { code, stdout, stderr } = await runProgram(['smoke', ...URL, ...args], { cwd, env });
  expect({ code, ran: existsSync(join(cwd, 'ran')) }).toEqual({ code: 3, ran: false });
  expect(stdout).toContain('127.0.0.1 port 1');
  const told = [...stderr.matchAll(/^warning: not used from \.env, because the API key does not come from there: ([^;]*);(.*)$/gm)];
  expect(told).toHaveLength(1);
  const [[, names = '', remedy = ''] = []] = told;
  const replaced = ['PETSTORE_BASE_URL', ...(String(args).includes('--api-key-file') ? ['PETSTORE_API_KEY_FILE'] : [])];
  const ignored = names.split(', ').filter((name) => name !== 'PETSTORE_API_KEY');
  expect(ignored.toSorted()).toEqual(others.filter((name) => !replaced.includes(name)).toSorted());
  expect(remedy.includes('unset PETSTORE_API_KEY')).toBe(key !== '' && Object.hasOwn(env, 'PETSTORE_API_KEY'));
  expect(stderr).toContain(`from .env: ${Object.keys(comfort).join(', ')}\n`);
});

test.each([
  ['PETSTORE_READ_ONLY=true', ['--read-only']],
  ['PETSTORE_PRODUCTION_BASE_URL=http://127.0.0.1:1/v1', ['--production-base-url', 'http://127.0.0.1:2/v1']],
  ['PETSTORE_MAX_CREATES=0', ['--max-creates', '0']],
])('a run does not begin without %s, which .env may not say with a key from elsewhere', async (line, args) => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, '.env'), `${line}\n`);
  const refused = await runProgram(['run', ...URL], { cwd, env: KEY });
  expect(refused.stderr).toContain(`error: ${line.split('=')[0]} in .env is meant to spare the service, and has no effect`);
  expect(refused.stderr).toContain(`set it in the environment, or use ${args[0]}\n`);
  expect(refused.code).toBe(2);
  expect((await runProgram(['run', ...URL, ...args], { cwd, env: KEY })).code).toBe(3);
});

describe('a target that .env names', () => {
  const TARGET = 'PETSTORE_CONFIG=monitor.yaml\nPETSTORE_TARGET=x\n';
  const configuration = (more: string): string =>
    `targets: [{ name: x, baseUrl: 'http://127.0.0.1:2/v1', apiKey: 'env:OTHER_KEY'${more} }]\n`;
  const judge = (dotenv: string, env: Readonly<Record<string, string>>, more = '') => {
    const cwd = ownFolder();
    writeFileSync(join(cwd, '.env'), dotenv, { mode: 0o600 });
    writeFileSync(join(cwd, 'monitor.yaml'), configuration(more));
    return runProgram(['smoke'], { cwd, env });
  };
  const named = { PETSTORE_BASE_URL: 'http://127.0.0.1:1/v1' };

  test('is judged if .env has its key too', async () => {
    const { stdout } = await judge(`${TARGET}OTHER_KEY=k-of-x\n`, {});
    expect(stdout).toContain('127.0.0.1 port 2');
  });

  test.each([
    ['in the environment', { OTHER_KEY: 'k-of-the-pipeline' }],
    ['in the environment, for another service', { PETSTORE_API_KEY: 'k-of-the-pipeline', ...named }],
  ])('gets no key that is %s', async (_case, env) => {
    const { stdout, stderr } = await judge(`${TARGET}OTHER_KEY=k-of-x\n`, env);
    expect(stderr).toContain('warning: not used from .env, because the API key does not come from there: PETSTORE_CONFIG');
    expect(stdout).not.toContain('127.0.0.1 port 2');
  });

  test('gives way to a service in the environment', async () => {
    const { stdout, stderr } = await judge(`${TARGET}OTHER_KEY=k-of-x\nPETSTORE_API_KEY=k-own\n`, named);
    expect(stderr).toContain('warning: the target that .env names is ignored: the environment names another service');
    expect(stdout).toContain('127.0.0.1 port 1');
  });

  test('gives way to each value in the environment', async () => {
    const { code, stderr } = await judge(`${TARGET}OTHER_KEY=k-of-x\n`, { PETSTORE_DEADLINE: 'soon' }, ', deadline: 5s');
    expect(stderr).toContain('error: PETSTORE_DEADLINE: "soon" is not an integer');
    expect(code).toBe(2);
  });
});

test('in a CI system .env is read only by its name, and --env-file is said to be what Node reads', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, '.env'), 'PETSTORE_API_KEY=k-from-dotenv\nPETSTORE_BASE_URL=http://127.0.0.1:1/v1\n', { mode: 0o600 });
  const ci = { CI: 'true' };
  const unread = await runProgram(['smoke'], { cwd, env: ci });
  expect(unread.stderr).toMatch(
    /^warning: \.env is not read, because CI is set; if you wrote it, name it with --dotenv \.env\nerror: there is no service/,
  );
  for (const [args, env] of [
    [['--dotenv', '.env'], ci],
    [[], { ...ci, PETSTORE_DOTENV: '.env' }],
    [[], { CI: 'false' }],
  ] as const)
    expect((await runProgram(['smoke', ...args], { cwd, env })).stdout).toContain('127.0.0.1 port 1');
  const ofNode = await runProgram(['smoke', '--env-file', '.env'], { cwd });
  expect(ofNode.stderr).toContain("unknown option '--env-file': Node itself reads it; use --dotenv FILE");
  const missing = await runProgram(['smoke', '--dotenv', 'none'], { cwd });
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: cannot read none: ENOENT/) });
});

test.each([
  [['run', '--budget', '5'], "error: unknown option '--budget', which is an option of `smoke`\n(see --help)\n"],
  [['smoke', '--watch'], "error: unknown option '--watch', which is an option of `run`\n(see --help)\n"],
  [['smoke', '--budgte', '5'], "error: unknown option '--budgte'\n(Did you mean --budget?)\n(see --help)\n"],
])('%j is rejected with the command that has the option, if there is one', async (args, said) => {
  expect(await runProgram(args)).toMatchObject({ code: 2, stdout: '', stderr: `${said}\n` });
});

test.each([
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  [{ NO_COLOR: '', FORCE_COLOR: '1' }, true],
])('%j prints nothing of Node', async (env, isColored) => {
  const { stdout, stderr } = await runProgram(['smoke', ...URL], { env: { ...KEY, PETSTORE_API_KEY: 'k-usage-Zx81mPq', ...env } });
  expect(stderr).toBe('');
  expect(stdout.includes('\u001b[')).toBe(isColored);
});

test('.env names no other file of settings', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, '.env'), 'PETSTORE_API_KEY=k-from-dotenv\nPETSTORE_DOTENV=other\n', { mode: 0o600 });
  expect(await runProgram(['smoke'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("PETSTORE_DOTENV in .env can't name another file"),
  });
});

test('.env with the key may name own clauses and a proxy, and a run begins with the names of its variables', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, '.env'), `PETSTORE_API_KEY=k-from-dotenv\n${RISKY.replace(/PETSTORE_CA.*\n/, '')}`, { mode: 0o600 });
  writeFileSync(join(cwd, 'evil.clause.mjs'), EVIL);
  const { code, stderr } = await runProgram(['run', ...URL], { cwd });
  expect(code).toBe(2);
  expect(existsSync(join(cwd, 'ran'))).toBe(true);
  expect(stderr).toMatch(/^from \.env: PETSTORE_API_KEY, PETSTORE_OWN_CLAUSES, PETSTORE_PROXY, HTTP_PROXY\nerror: /);
});

test('.env is read from the working folder only, yields to the environment, and causes a warning if others can read the key', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, '.env'), 'PETSTORE_API_KEY=k-from-dotenv\nPETSTORE_BASE_URL=http://127.0.0.1:1/v1\nPETSTORE_TIMEOUT=soon\n');
  chmodSync(join(cwd, '.env'), 0o644);
  const first = await runProgram(['run'], { cwd });
  expect(first.stderr).toMatch(/PETSTORE_TIMEOUT: "soon" is not an integer/);
  const second = await runProgram(['run'], { cwd, env: { PETSTORE_TIMEOUT: '500' } });
  expect(second.stderr).toContain('warning: .env holds the API key and everybody on this machine can read it');
  expect(second).toMatchObject({ code: 3, stdout: expect.stringContaining('127.0.0.1 port 1') });
  expect(
    await runProgram(['run'], { cwd, env: { PETSTORE_TIMEOUT: '500', PETSTORE_FOO: 'x', PETSTORE_SERVICE_HOST: '10.0.0.1' } }),
  ).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^warning: the variable PETSTORE_FOO is unknown and has no effect$/m),
  });
  const below = join(cwd, 'below');
  mkdirSync(below);
  expect(await runProgram(['run'], { cwd: below })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no service to judge'),
  });
});

test('--help names each command once, under the heading that says what it is for', async () => {
  const { stdout } = await runProgram(['--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual([...Object.keys(SUMMARIES), 'help'].toSorted());
  expect([...stdout.matchAll(/^[A-Z][\w ]+:$/gm)].map(([heading]) => heading)).toEqual(['Options:', ...Object.keys(GROUPS)]);
});

test.each(Object.keys(SUMMARIES))('%s --help fits a terminal of 80 columns', async (command) => {
  const { code, stdout } = await runProgram([command, '--help']);
  expect({ code, wide: stdout.split('\n').filter((line) => line.length > 80) }).toEqual({ code: 0, wide: [] });
});

test('--help shows every option with its default, and no option that does not work', async () => {
  const { code, stdout } = await runProgram(['run', '--help']);
  expect(code).toBe(0);
  const flat = stdout.replace(/\s+/g, ' ');
  for (const words of ['--max-creates <n>', '(default: 250)', '--timeout <ms>', '(default: 10000)', 'PETSTORE_BASE_URL', '.env']) {
    expect(flat).toContain(words);
  }
  // Each is read alone: options are in several lists, in an order of their own.
  for (const { help } of Object.values(allOptions)) expect(help).not.toMatch(/\b(?:this|that|these|those) (?:id|ids|option|options)\b/);
});

test.each([
  ['run', { ...runOptions, ...outputOptions }],
  ['smoke', { ...configOptions, ...smokeOptions }],
] as const)('%s --help shows ten options first and all others by what they are about', async (command, table) => {
  const { stdout } = await runProgram([command, '--help']);
  const [first = ''] = /^Options:\n[\s\S]*?\n\n/m.exec(stdout) ?? [];
  expect([...first.matchAll(/^ {2}--[a-z-]+/gm)]).toHaveLength(10);
  expect([...stdout.matchAll(/^[A-Z][\w ,]+:$/gm)].length).toBeGreaterThan(5);
  const lines = stdout.split('\n');
  for (const { flags } of Object.values(table))
    expect(
      lines.filter((line) => line.startsWith(`  ${flags} `)),
      flags,
    ).toHaveLength(1);
});

test('explain shows clauses, situations and faults, as text and as JSON', async () => {
  const [clauses, situations, explained] = await Promise.all([
    runProgram(['explain', 'clauses', '--json']),
    runProgram(['explain', 'situations']),
    runProgram(['explain', 'list.limit-maximum']),
  ]);
  const rows = JSON.parse(clauses.stdout) as { id: string; level: string }[];
  expect(rows).toContainEqual(expect.objectContaining({ id: 'list.limit-maximum', level: 'required' }));
  expect(situations.stdout).toMatch(/\d+ situations\n/);
  expect(explained).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^list\.limit-maximum {2}\(required\)\n[\s\S]*\nJudged once listPets has accepted a request in\n/),
  });
});
