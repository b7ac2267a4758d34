import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { commandsOf, containerRunOf, EXAMPLE_URL } from '../docs/commands.ts';
import { codeBlocks } from '../docs/pages.ts';
import { ownFolder } from '../support/program.ts';
import { mustRun } from './command.ts';
import { ALL_REPORTS, expectJudged } from './install.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KEY = 'image-7Yt3kM9wQ2xZ';

/** The instructions of a Containerfile. None of ours goes over several lines. */
function instructions(file: string): readonly (readonly [name: string, rest: string])[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [[name, rest] as const];
  });
}

/** The paths of an image as paths below a folder. */
const below = (root: string, text: string): string => text.replaceAll(/(^|[\s"])\/(opt|data)\b/g, `$1${root}/$2`);

/** Copies as the instruction does: a file into a folder that ends in a slash, and the contents of a folder. */
function copy(rest: string, { cwd, rootOf }: { cwd: string; rootOf: (stage: string) => string }): void {
  const [, stage, words = rest] = /^--from=(\S+) (.+)$/.exec(rest) ?? [];
  const paths = words.split(' ');
  const to = paths.pop() ?? '.';
  for (const path of paths) {
    const from = stage === undefined ? join(ROOT, path) : below(rootOf(stage), path);
    cpSync(from, to.endsWith('./') ? join(cwd, basename(path)) : join(cwd, to), { recursive: true });
  }
}

/**
 * Does below a folder what a build does in the file system of its stages, except that files keep their owner; returns the last stage and
 * its entry point.
 */
async function build(file: string, folder: string): Promise<{ readonly root: string; readonly entry: readonly string[] }> {
  const rootOf = (stage: string): string => join(folder, stage);
  // The last step of the installation empties npm's cache.
  const env = { npm_config_cache: join(folder, 'cache') };
  let [root, cwd] = [folder, folder];
  let entry: readonly string[] = [];
  for (const [name, rest] of instructions(file)) {
    if (name === 'FROM') {
      root = rootOf(/ AS (\S+)$/.exec(rest)?.[1] ?? 'image');
      cwd = root;
    }
    if (name === 'WORKDIR') {
      cwd = below(root, rest);
      mkdirSync(cwd, { recursive: true });
    }
    if (name === 'COPY') copy(rest, { cwd, rootOf });
    if (name === 'RUN') await mustRun(['sh', '-c', below(root, rest).replaceAll(/ && chown \S+ \S+/g, '')], { cwd, env });
    if (name === 'ENTRYPOINT') entry = JSON.parse(below(root, rest)) as readonly string[];
  }
  return { root, entry };
}

test('The image of deploy/container/Containerfile has what judges and watches, and nothing for development.', async () => {
  const { root, entry } = await build('deploy/container/Containerfile', ownFolder());
  const installed = readdirSync(join(root, 'opt', 'petstore-conformance', 'node_modules'));
  expect(installed).toEqual(expect.arrayContaining(['hono', 'undici', 'vitest']));
  expect(installed).not.toContain('typescript');
  expect(await mustRun([...entry, 'smoke', '--reference'], { cwd: join(root, 'data') })).toMatch(/^Conformant: /m);
  await expectJudged(entry, { cwd: join(root, 'data') });
  await expectDocumentedLine(root, entry);
});

/** A user of the machine whom the image does not know; only root can become one. */
const STRANGER = 4_711;

/** What the line of docs/pipelines.md does: the program of the image, in the folder of a user, with nothing but the variables that it passes on. */
async function expectDocumentedLine(root: string, entry: readonly string[]): Promise<void> {
  const [words = []] = codeBlocks('docs/pipelines.md').flatMap(({ text }) => commandsOf(text).filter(([program]) => program === 'docker'));
  const { variables, user, args } = containerRunOf(words);
  expect({ variables, user }).toEqual({ variables: ['PETSTORE_API_KEY'], user: '$(id -u)' });
  const server = await startReference({ apiKey: KEY, seedAnimals: 30 });
  onTestFinished(() => server.close());
  const cwd = ownFolder();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(cwd, STRANGER, STRANGER);
    for (const folder of [dirname(root), root]) chmodSync(folder, 0o755);
  }
  const become = isRoot ? ['setpriv', `--reuid=${STRANGER}`, `--regid=${STRANGER}`, '--clear-groups'] : [];
  const named = args.map((word) => (word === EXAMPLE_URL ? server.baseUrl : word));
  const command = ['env', '--ignore-environment', `PATH=${process.env['PATH']}`, 'HOME=/', `PETSTORE_API_KEY=${KEY}`, ...entry, ...named];
  expect(await mustRun([...become, ...command, '--depth', 'quick'], { cwd })).toMatch(/^Conformant: /m);
  expect(readdirSync(join(cwd, 'reports')).toSorted()).toEqual(ALL_REPORTS);
}
