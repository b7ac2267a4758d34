import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const LIBRARY = new URL('../../src/index.ts', import.meta.url).href;

/** A module with one clause, whose rule returns this judgment for each list. */
const clauseFile = (id: string, judgment: string): string => `
import { defineClause } from ${JSON.stringify(LIBRARY)};
export const clauses = [
  defineClause({
    id: '${id}',
    section: 'House rules, 1',
    level: 'required',
    requirement: 'Lists are short.',
    likelyCause: 'There are many animals.',
    rules: [{ layer: 'values', judge: ({ pets }) => (pets === undefined ? 'not-applicable' : ${judgment}) }],
    rows: [{ op: 'list' }],
  }),
];
`;
const REWRITE = 'rewrite them as rules, as docs/own-clauses.md of this package shows under "Rewriting a clause of an earlier version"';
const ROWS = 'write its requests as "rows", as docs/own-clauses.md of this package shows under "Requests of your own"';
const PASSES = "'holds'";
const FAILS = "{ summary: 'GET /pets shows animals', expected: ['none'], received: 'some' }";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = ownFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const readRecord = (folder: string): RunRecord => JSON.parse(readFileSync(join(folder, 'reports', 'report.json'), 'utf8')) as RunRecord;
const run = (cwd: string, ...args: readonly string[]) => runProgram(['run', '--reference', '--only', 'acme:*', ...args], { cwd });

describe('--own-clauses', () => {
  test.each(['rules/one.clause.ts', 'rules/one.clause.js'])(
    'says how to name %s in a project of CommonJS, where its modules are CommonJS',
    async (name) => {
      const manifest = JSON.stringify({ type: 'commonjs' });
      const cwd = folderWith({ 'package.json': manifest, [name]: clauseFile('acme:list.one', PASSES) });
      const { code, stderr } = await run(cwd, '--own-clauses', 'rules');
      expect(code).toBe(2);
      expect(stderr).toContain('it is loaded as CommonJS: name it .mts or .mjs, or set "type": "module" in package.json');
      const renamed = folderWith({ 'package.json': manifest, [name.replace(/\.([jt]s)$/, '.m$1')]: clauseFile('acme:list.one', PASSES) });
      expect(await run(renamed, '--own-clauses', 'rules')).toMatchObject({ code: 0 });
    },
  );

  test('judges the clause files of a folder, and they decide the exit code', async () => {
    const cwd = folderWith({
      'rules/one.clause.js': clauseFile('acme:list.one', PASSES),
      'rules/deep/two.clause.ts': clauseFile('acme:list.two', FAILS),
      'rules/helper.js': 'throw new Error("not a clause file")',
    });
    const { code, stdout, stderr } = await run(cwd, '--own-clauses', 'rules');
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stdout).toContain('FAIL acme:list.two');
    expect(readRecord(cwd).clauses.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['acme:list.two', 'fail'],
      ['acme:list.one', 'pass'],
    ]);
    for (const file of ['junit.xml', 'report.html', 'summary.md']) {
      expect(readFileSync(join(cwd, 'reports', file), 'utf8'), file).toContain('acme:list.two');
    }
  });

  test('a clause that fills the memory ends the run: exit 3, and one sentence says how to go on', async () => {
    const endless = '(() => { const kept = []; for (;;) kept.push(Array.from({ length: 1_000 }, Math.random)); })()';
    const cwd = folderWith({ 'endless.clause.js': clauseFile('acme:list.endless', endless) });
    const env = { NODE_OPTIONS: '--max-old-space-size=64' };
    const args = ['run', '--reference', '--only', 'acme:*', '--own-clauses', 'endless.clause.js'];
    const { code, stdout, stderr } = await runProgram(args, { cwd, env });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.not.stringContaining('Error') });
    expect(stdout).toContain('Could not be judged: the suite itself broke');
    expect(stdout).toContain('- the judging thread ran out of memory: give it more with NODE_OPTIONS=--max-old-space-size=');
  });

  test('unhandled errors count as errors of the suite, however many: exit 3, not 1', async () => {
    const thrower = `import { isMainThread } from 'node:worker_threads';
for (const error of ['nobody waits for this', 'nor for that']) if (isMainThread) setTimeout(() => { throw new Error(error); });
${clauseFile('acme:list.thrower', PASSES)}`;
    const { code, stderr } = await run(folderWith({ 'thrower.clause.js': thrower }), '--own-clauses', 'thrower.clause.js');
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('error: the suite itself broke: Error: nobody waits for this'),
    });
  });

  test('loads a package that is installed in the working folder', async () => {
    const cwd = folderWith({
      'node_modules/@acme/rules/package.json': JSON.stringify({ name: '@acme/rules', type: 'module', exports: './index.js' }),
      'node_modules/@acme/rules/index.js': clauseFile('acme:list.packed', PASSES),
    });
    const { code, stderr } = await run(cwd, '--own-clauses', '@acme/rules');
    expect(code, stderr).toBe(0);
    expect(readRecord(cwd).clauses).toMatchObject([{ id: 'acme:list.packed', verdict: 'pass', chapter: 'own-rules' }]);
  });

  test.for([
    ['a name that is nothing', {}, 'nothing', 'is neither a file or folder here nor a package'],
    ['a folder without clause files', { 'rules/a.js': '' }, 'rules', 'holds no file whose name ends in .clause.js'],
    ['a module without clauses', { 'a.clause.js': 'export const rules = [];' }, 'a.clause.js', 'exports an array named "clauses"'],
    ['a module that breaks', { 'a.clause.js': 'throw new Error("not today")' }, 'a.clause.js', 'not today'],
    ['an id of the catalog', { 'a.clause.js': clauseFile('list.success', PASSES) }, 'a.clause.js', 'needs an id of a prefix'],
    [
      'a request that there is not',
      { 'a.clause.js': clauseFile('acme:list.one', PASSES).replace("op: 'list'", "op: 'delete'") },
      'a.clause.js',
      'acme:list.one: row 1 has the op "delete": there are list, get and create',
    ],
    [
      'a clause that sends by functions, as for version 2',
      { 'a.clause.js': clauseFile('acme:list.one', PASSES).replace('rows: [', 'sent: [') },
      'a.clause.js',
      `acme:list.one has "sent", which is gone since version 3.0.0: ${ROWS}`,
    ],
    [
      'a clause that has checks, as for version 1',
      { 'a.clause.js': clauseFile('acme:list.one', PASSES).replace('rules: [', 'checks: [') },
      'a.clause.js',
      `acme:list.one has checks, which are gone since version 2.0.0: ${REWRITE}`,
    ],
    [
      'a module that imports what checks return',
      { 'a.clause.js': clauseFile('acme:list.one', PASSES).replace('{ defineClause }', '{ defineClause, failOr, pass }') },
      'a.clause.js',
      `it was for checks, which are gone since version 2.0.0: ${REWRITE}`,
    ],
    [
      'a clause of the catalog that was made by hand',
      { 'a.clause.js': "export const clauses = [{ id: 'list.success', chapter: 'own-rules', must: [], rows: [] }];" },
      'a.clause.js',
      'was not made by defineClause',
    ],
  ] as const)('rejects %s before anything is sent', async ([, files, given, message]) => {
    const { code, stderr } = await run(folderWith(files), '--own-clauses', given);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test('is understood by --failed and by waivers', async () => {
    const cwd = folderWith({
      'one.clause.js': clauseFile('acme:list.one', FAILS),
      'waivers.yaml': 'waivers:\n  - { id: acme:list.one, reason: known, expires: 2099-12-31 }\n',
    });
    const own = ['--own-clauses', 'one.clause.js'];
    expect(await run(cwd, ...own)).toMatchObject({ code: 1 });
    expect(await runProgram(['run', '--reference', '--failed', ...own], { cwd })).toMatchObject({ code: 1 });
    expect(readRecord(cwd).clauses.find(({ id }) => id === 'acme:list.one')).toMatchObject({ verdict: 'fail' });
    const only = ['--only', 'list.success'];
    const { code, stderr } = await run(cwd, ...own, ...only, '--waivers', 'waivers.yaml');
    expect(code, stderr).toBe(0);
    expect(readRecord(cwd).clauses.find(({ id }) => id === 'acme:list.one')).toMatchObject({ verdict: 'waived' });
  });

  test('is understood by list and explain', async () => {
    const cwd = folderWith({ 'one.clause.js': clauseFile('acme:list.one', PASSES) });
    const listed = await runProgram(['explain', 'clauses', '--own-clauses', 'one.clause.js'], { cwd });
    expect(listed.stdout).toContain('acme:list.one');
    const explained = await runProgram(['explain', 'acme:list.one', '--own-clauses', 'one.clause.js'], { cwd });
    expect(explained.stdout).toContain('Lists are short.');
  });
});
