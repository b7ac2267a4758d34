import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leave, readCommandLine } from '../test/support/command-line.ts';
import { countTokens, type Price } from './count-tokens.ts';
import { ROOT } from './measure.ts';

const USAGE = `Usage: npm run price -- [REVISION]

What the code of the product weighs, by room: lines, and tokens without comments, imports, and tables of literals; functions in tables are
code. Tests are no part of it. With a revision, before and after.`;

const PRODUCT = ['src', 'suites'];
const MOST_BYTES = 2 ** 26;

function isCounted(path: string): boolean {
  return path.endsWith('.ts') && !path.endsWith('.test.ts');
}

const roomOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.split('/').length > 2 ? 2 : 1)
    .join('/');

function git(...args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe', maxBuffer: MOST_BYTES });
  } catch (error) {
    return leave(`git ${args[0]} failed: ${error instanceof Error ? error.message.split('\n').at(-2) : error}`);
  }
}

/** Paths of the modules of the product, as they are on disk or in a revision. */
function productFiles(revision?: string): readonly string[] {
  const listed = revision === undefined ? git('ls-files', ...PRODUCT) : git('ls-tree', '-r', '--name-only', revision, ...PRODUCT);
  // Git lists what was deleted until that is committed.
  const isThere = (path: string): boolean => revision !== undefined || existsSync(join(ROOT, path));
  return listed.split('\n').filter((path) => isCounted(path) && isThere(path));
}

/** The modules of the product as they are on disk, or as they were in a revision. */
function modulesOf(revision: string | undefined): readonly { readonly path: string; readonly text: string }[] {
  const textOf = (path: string): string =>
    revision === undefined ? readFileSync(join(ROOT, path), 'utf8') : git('show', `${revision}:${path}`);
  return productFiles(revision).map((path) => ({ path, text: textOf(path) }));
}

const NOTHING: Price = { lines: 0, tokens: 0, inTables: 0 };

const sum = (one: Price, other: Price): Price => ({
  lines: one.lines + other.lines,
  tokens: one.tokens + other.tokens,
  inTables: one.inTables + other.inTables,
});

function byRoom(revision?: string): ReadonlyMap<string, Price> {
  const rooms = new Map<string, Price>();
  for (const { path, text } of modulesOf(revision)) {
    const price = countTokens(text);
    for (const room of [roomOf(path), 'all']) rooms.set(room, sum(rooms.get(room) ?? NOTHING, price));
  }
  return rooms;
}

const COLUMNS = [
  ['lines', 'lines'],
  ['tokens', 'tokens'],
  ['in tables', 'inTables'],
] as const;
const WIDTH = 9;
const LABELED = 17;

function show(revision: string | undefined): void {
  const now = byRoom();
  const before = revision === undefined ? undefined : byRoom(revision);
  const labels = before === undefined ? [''] : ['before: ', 'after: '];
  const cells = (texts: readonly string[]): string => texts.map((text) => text.padStart(before === undefined ? WIDTH : LABELED)).join(' ');
  const pricesOf = (room: string): readonly Price[] =>
    [before, now].flatMap((rooms) => (rooms === undefined ? [] : [rooms.get(room) ?? NOTHING]));
  const rooms = [...new Set([...(before ?? now).keys(), ...now.keys()])].filter((room) => room !== 'all').sort();
  console.log(`${'room'.padEnd(24)} ${cells(labels.flatMap((label) => COLUMNS.map(([title]) => `${label}${title}`)))}`);
  for (const room of [...rooms, 'all'])
    console.log(`${room.padEnd(24)} ${cells(pricesOf(room).flatMap((price) => COLUMNS.map(([, of]) => String(price[of]))))}`);
}

if (import.meta.main) {
  const { words } = readCommandLine({ usage: USAGE, words: 1 });
  show(words[0]);
}
