import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string };

const inFolder = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => relative(fileURLToPath(ROOT), join(parentPath, file)));
/** Everything that tells somebody, or some machine, what to install. */
const SHIPPED = [...inFolder('deploy'), ...inFolder('docs'), 'README.md', 'action.yml'].filter((path) => existsSync(new URL(path, ROOT)));
const deployed = SHIPPED.filter((path) => path.startsWith('deploy/') || path === 'action.yml');

/** All matches, with their files. */
function found(pattern: RegExp, files: readonly string[]): readonly (readonly [file: string, text: string])[] {
  return files.flatMap((file) => [...read(file).matchAll(pattern)].map(([, text = '']) => [file, text.trim()] as const));
}

describe('what is installed by its name', () => {
  const installed = found(/(?:npm (?:install|i)|npx|npm exec)((?: +--?[\w=-]+)*(?: +[^\s`'"|&;]+)?)/g, SHIPPED)
    .map(([file, words]) => [file, words.split(/ +/).find((word) => !word.startsWith('-')) ?? ''] as const)
    .filter(([, word]) => word.includes('petstore'));

  test('is this package, whose name only the owner of its scope can use', () => {
    expect(name).toMatch(/^@[a-z][a-z-]*\/[a-z][a-z-]*$/);
    expect(installed.length).toBeGreaterThan(2);
    expect(installed.filter(([, word]) => word !== name && word !== `${name}@${version}`)).toEqual([]);
  });

  test('is exactly this version if a machine installs it', () => {
    const templates = installed.filter(([file]) => deployed.includes(file));
    expect(templates.map(([file]) => file)).toEqual(expect.arrayContaining(['deploy/ci/github-actions.yml', 'deploy/ci/gitlab-ci.yml']));
    expect(templates.filter(([, word]) => word !== `${name}@${version}`)).toEqual([]);
  });

  test('runs no script on installation, and has no key within reach', () => {
    for (const file of ['deploy/ci/github-actions.yml', 'deploy/ci/gitlab-ci.yml']) expect(read(file)).not.toMatch(/npx|npm exec/);
    const installs = found(/^(.*npm (?:install|ci).*)$/gm, deployed).filter(([, line]) => !line.startsWith('#'));
    expect(installs.length).toBeGreaterThan(2);
    expect(installs.filter(([, line]) => !line.includes('--ignore-scripts'))).toEqual([]);
    expect(read('deploy/ci/gitlab-ci.yml')).toMatch(/env --unset=PETSTORE_API_KEY npm install/);
    const [beforeRun = ''] = read('deploy/ci/github-actions.yml').split('petstore-conformance run');
    expect(beforeRun.slice(beforeRun.indexOf('steps:'))).not.toContain('PETSTORE_API_KEY');
  });

  test('is where the unit looks for its documentation', () => {
    expect(read('deploy/systemd/petstore-probe.service')).toContain(`Documentation=file:/usr/lib/node_modules/${name}/README.md\n`);
  });
});

describe('what is pulled', () => {
  test('is an action pinned by its commit, with the version next to it', () => {
    const actions = found(/^\s*(?:- )?uses: (.+)$/gm, deployed).filter(([, action]) => !action.startsWith('./'));
    expect(actions.length).toBeGreaterThan(1);
    expect(actions.filter(([, action]) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('is an image pinned by its digest, with the version next to it', () => {
    const images = [...found(/^\s*(?:- )?image: (.+)$/gm, deployed), ...found(/^ARG BASE=(.+)$/gm, deployed)];
    expect(images.length).toBeGreaterThan(3);
    expect(images.filter(([, image]) => !/^[\w.-]+\.[a-z]+\/[\w./-]+:v?\d+\.\d+\.\d+(?:-slim)?@sha256:[0-9a-f]{64}$/.test(image))).toEqual(
      [],
    );
    const bases = images.map(([, image]) => image).filter((image) => image.includes('/library/node:'));
    expect(bases.length).toBeGreaterThan(1);
    expect(new Set(bases).size).toBe(1);
    const [, node = ''] = /node:(\d+\.\d+\.\d+)/.exec(bases[0] ?? '') ?? [];
    expect(read('deploy/ci/github-actions.yml')).toContain(`node-version: ${node} }`);
  });

  test('is what the lock file says, if an image is built', () => {
    const file = read('deploy/container/Containerfile');
    expect(file).toMatch(/^COPY package\.json package-lock\.json \.npmrc \.\/$/m);
    expect(file).toMatch(/^RUN npm ci --omit=dev --workspaces=false --ignore-scripts/m);
  });
});
