import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { mustRun } from './command.ts';
import { expectJudged } from './install.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The instructions of a Containerfile. None of ours goes over several lines. */
function instructions(file: string): readonly (readonly [name: string, rest: string])[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [[name, rest] as const];
  });
}

/** Does in a folder what a build of the image does in its file system, except that the owner of files stays; returns the entry point. */
async function build(file: string, image: string): Promise<readonly string[]> {
  const inImage = (text: string): string => text.replaceAll(/(^|[\s"])\/(opt|data)\b/g, `$1${image}/$2`);
  // The last step of the installation empties npm's cache.
  const env = { npm_config_cache: join(image, 'cache') };
  let cwd = image;
  let entry: readonly string[] = [];
  for (const [name, rest] of instructions(file)) {
    if (name === 'WORKDIR') {
      cwd = inImage(rest);
      mkdirSync(cwd, { recursive: true });
    }
    if (name === 'COPY') {
      const paths = rest.split(' ');
      const to = paths.pop() ?? '.';
      for (const path of paths) cpSync(join(ROOT, path), to === './' ? join(cwd, basename(path)) : join(cwd, to), { recursive: true });
    }
    if (name === 'RUN') await mustRun(['sh', '-c', inImage(rest).replaceAll(/ && chown \S+ \S+/g, '')], { cwd, env });
    if (name === 'ENTRYPOINT') entry = JSON.parse(inImage(rest)) as readonly string[];
  }
  return entry;
}

test('The image of deploy/container/Containerfile has what judges and watches, and nothing for development.', {
  timeout: 240_000,
}, async () => {
  const image = ownFolder();
  const entry = await build('deploy/container/Containerfile', image);
  const installed = readdirSync(join(image, 'opt', 'petstore-conformance', 'node_modules'));
  expect(installed).toEqual(expect.arrayContaining(['hono', 'undici', 'vitest']));
  expect(installed).not.toContain('typescript');
  expect(await mustRun([...entry, 'smoke', '--reference'], { cwd: join(image, 'data') })).toMatch(/^Conformant: /m);
  await expectJudged(entry, { cwd: join(image, 'data') });
});
