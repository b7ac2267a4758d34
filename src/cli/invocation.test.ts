import { expect, test } from 'vitest';
import { givenOptions, startedAs } from './invocation.ts';
import { flagOf, type Specs } from './option-spec.ts';
import { runOptions } from './options.ts';

const NPM = { npm_config_user_agent: 'npm/11.19.1 node/v24.21.0 linux x64 workspaces/false' };
const PNPM = { npm_config_user_agent: 'pnpm/10.34.9 npm/? node/v24.21.0 linux x64' };
const YARN = { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v24.21.0 linux x64' };
const BIN = '/home/me/shop/node_modules/.bin/petstore-conformance';
const FILE = '/home/me/shop/node_modules/@petstore-conformance/cli/dist/src/cli/main.js';
const CLONE = '/home/me/shop/src/cli/main.ts';

/** Variables as these package managers set them, recorded by starting a program with each. */
test.each([
  [
    'npm run -s cli -- in a clone',
    CLONE,
    { ...NPM, npm_lifecycle_event: 'cli', npm_lifecycle_script: 'node src/cli/main.ts' },
    'npm run -s cli --',
  ],
  [
    'npm start in a clone',
    CLONE,
    { ...NPM, npm_lifecycle_event: 'start', npm_lifecycle_script: 'node src/cli/main.ts run --reference' },
    'npm run -s cli --',
  ],
  ['node in a clone', CLONE, {}, 'node src/cli/main.ts'],
  ['node elsewhere', '/opt/a clone/src/cli/main.ts', {}, "node '/opt/a clone/src/cli/main.ts'"],
  [
    'npx in a project',
    BIN,
    { ...NPM, npm_command: 'exec', npm_lifecycle_event: 'npx', npm_lifecycle_script: "'petstore-conformance'" },
    'npx @petstore-conformance/cli',
  ],
  [
    'npx without a project',
    '/home/me/.npm/_npx/1a2b/node_modules/.bin/petstore-conformance',
    { ...NPM, npm_command: 'exec' },
    'npx @petstore-conformance/cli',
  ],
  [
    'a script of a project',
    BIN,
    { ...NPM, npm_command: 'run', npm_lifecycle_event: 'gate', npm_lifecycle_script: 'petstore-conformance' },
    'npm run -s gate --',
  ],
  [
    'a script with arguments',
    BIN,
    { ...NPM, npm_command: 'run', npm_lifecycle_event: 'gate', npm_lifecycle_script: 'petstore-conformance run' },
    'npx @petstore-conformance/cli',
  ],
  ['pnpm exec', FILE, { ...PNPM, npm_command: 'exec' }, 'pnpm exec petstore-conformance'],
  [
    'pnpm run, which adds arguments to the script',
    FILE,
    { ...PNPM, npm_command: 'run-script', npm_lifecycle_event: 'gate', npm_lifecycle_script: 'petstore-conformance run' },
    'pnpm exec petstore-conformance',
  ],
  [
    'pnpm dlx',
    '/home/me/.cache/pnpm/dlx/1a2b/node_modules/@petstore-conformance/cli/dist/src/cli/main.js',
    PNPM,
    'pnpm dlx @petstore-conformance/cli',
  ],
  ['yarn', BIN, { ...YARN, npm_lifecycle_event: 'petstore-conformance' }, 'yarn petstore-conformance'],
  ['a script of yarn', BIN, { ...YARN, npm_lifecycle_event: 'gate', npm_lifecycle_script: 'petstore-conformance' }, 'yarn -s gate'],
  ['a path to the bin', BIN, { PATH: '/usr/bin' }, 'npx @petstore-conformance/cli'],
  ['a bin on the PATH', BIN, { PATH: '/usr/bin:/home/me/shop/node_modules/.bin' }, 'petstore-conformance'],
  ['an installation for the machine', '/usr/local/bin/petstore-conformance', {}, 'petstore-conformance'],
  [
    'an installation for the machine, in a script',
    '/usr/local/bin/petstore-conformance',
    { ...NPM, npm_lifecycle_script: 'bash e2e.sh' },
    'petstore-conformance',
  ],
  [
    'an installation for the machine by its file',
    '/usr/local/lib/node_modules/@petstore-conformance/cli/dist/src/cli/main.js',
    {},
    'petstore-conformance',
  ],
])('startedAs names %s', (_case, file, environment, command) => {
  expect(startedAs({ file, folder: '/home/me/shop', environment })).toBe(command);
});

const RUN: Specs = runOptions;

test('givenOptions repeats what a command line says, and no password', () => {
  const flags = {
    baseUrl: 'http://127.0.0.1:8080/v1',
    only: ['list'],
    proxy: 'http://me:secret-Zr81@proxy.example:3128',
    readOnly: true,
    reference: false,
    maxCreates: '20',
  };
  const proxy = ' --proxy http://USER:PASSWORD@proxy.example:3128';
  expect(givenOptions(flags, RUN)).toBe(` --base-url http://127.0.0.1:8080/v1 --read-only --max-creates 20${proxy} --only list`);
  for (const named of ['me:secret-Zr81@proxy.example:3128', 'me:secret@Zr81@proxy.example:3128'])
    expect(givenOptions({ proxy: named, ca: 'a@b.pem' }, RUN)).toBe(' --ca a@b.pem --proxy USER:PASSWORD@proxy.example:3128');
  expect(givenOptions({ reference: true, fault: ['a', 'b'], only: [] }, RUN)).toBe(' --reference --fault a --fault b');
});

test('givenOptions repeats every option of a run, except the permission to write to production or to a file of waivers', () => {
  const flags = Object.fromEntries(
    Object.entries(RUN).map(([name, { flag, repeatable }]) => [name, flag === true ? true : repeatable === true ? ['1'] : '1']),
  );
  const repeated = givenOptions(flags, RUN);
  const missing = Object.values(RUN).filter((spec) => !repeated.includes(` ${flagOf(spec)}`));
  expect(missing.map(flagOf)).toEqual(['--allow-production-writes', '--failed', '--update-waivers']);
});
