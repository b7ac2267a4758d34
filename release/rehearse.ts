// `npm run release`: everything of a release but its last step, which CI does with `npm publish`. `-- --final` fails on what is left to do, too.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkRelease, copiedPaths, type Release } from './checks.ts';

const cwd = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 100_000_000 });
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

type Packed = { readonly filename: string; readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] };

say('pack, as npm publish --dry-run does');
const published = JSON.parse(run('npm', 'publish', '--dry-run', '--json', '--access', 'public')) as
  | Packed
  | Readonly<Record<string, Packed>>;
const packed = 'files' in published ? (published as Packed) : Object.values(published as Readonly<Record<string, Packed>>)[0];
if (packed === undefined) throw new Error('npm publish --dry-run named no package');

const tags = run('git', 'tag', '--points-at', 'HEAD')
  .split('\n')
  .filter((tag) => /^v\d/.test(tag));
const paths = packed.files.map(({ path }) => path);
const containerfile = read('deploy/container/Containerfile');
const release: Release = {
  manifest: JSON.parse(read('package.json')) as Release['manifest'],
  locked: (JSON.parse(read('package-lock.json')) as { version: string }).version,
  changelog: read('CHANGELOG.md'),
  texts: Object.fromEntries(
    [...paths.filter((path) => !path.startsWith('dist/')), 'templates/conformance.yml'].map((path) => [path, read(path)]),
  ),
  packed: { paths, size: packed.unpackedSize },
  image: { text: containerfile, missing: copiedPaths(containerfile).filter((path) => !existsSync(new URL(`../${path}`, import.meta.url))) },
  tag: process.env['GITHUB_REF_NAME'] ?? tags[0],
  changes: run('git', 'status', '--porcelain')
    .split('\n')
    .filter((line) => line !== ''),
};
const { wrong, left } = checkRelease(release);
say(`${release.manifest.name}@${release.manifest.version}: ${paths.length} files, ${(packed.unpackedSize / 1e6).toFixed(1)} MB unpacked`);
for (const problem of wrong) say(`wrong: ${problem}`);
for (const problem of left) say(`left to do: ${problem}`);
if (wrong.length + left.length === 0) say('ready: push the tag, and CI publishes');
process.exitCode = wrong.length > 0 || (process.argv.includes('--final') && left.length > 0) ? 1 : 0;
