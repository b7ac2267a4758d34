import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderDocumentHtml } from '../../src/report/render-document-html.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { sampleExchange, sampleRecord } from '../report/sample-record.ts';
import { ownFolder, runProgram } from '../support/program.ts';

describe('explain', () => {
  test('marks the requested fault, or the situations of a check of version 2', async () => {
    const check = await runProgram(['explain', 'list.limit-maximum/small']);
    expect(check.stdout.match(/^> .*/gm)).toEqual(['> limit 1', '> limit 2 to 19']);
    expect(check.stderr).toBe(
      'warning: list.limit-maximum/small is a check of version 2: it is judged with its clause, list.limit-maximum\n',
    );
    const fault = await runProgram(['explain', 'limit-plus-one']);
    expect(fault.stdout.match(/^> \S*/gm)).toEqual(['> limit-plus-one']);
    expect(fault.stdout).toMatch(/^list\.limit-maximum {2}\(required\)/);
  });

  test('shows what a clause accepts and what it rejects, and the fault that breaks it', async () => {
    const { stdout } = await runProgram(['explain', 'list.limit-maximum']);
    const [, shown = ''] = /\n(Accepted {6}[\s\S]*)/.exec(stdout) ?? [];
    expect(shown.split('\n').map((line) => line.slice(0, 40))).toEqual([
      'Accepted      GET /pets?limit=1',
      expect.stringMatching(/^ {14}→ 200 \[\{"id":1/),
      'Rejected      GET /pets?limit=1',
      expect.stringMatching(/^ {14}→ 200 \[\{"id":1/),
      expect.stringMatching(/^ {14}GET \/pets\?limit=1 returned/),
      '',
      'Fault of the reference server',
      '  limit-plus-one',
      expect.stringMatching(/^ {6}\w/),
      '',
    ]);
  });

  test('shows the sentence of the document, and where the page of a run has it', async () => {
    const { stdout } = await runProgram(['explain', 'list.limit-maximum']);
    expect(stdout).toContain('\nQuote         | limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |\n');
    const [, anchors = ''] = /\nDocument {6}document\.html(.*)\n/.exec(stdout) ?? [];
    const page = renderDocumentHtml(sampleRecord());
    const named = anchors.split(', ').map((anchor) => anchor.replace('#', ''));
    expect(named).toEqual(['list-limit', 'limit-maximum']);
    for (const id of named) expect(page).toContain(` id="${id}"`);
  });

  test('says what is sent for a clause, and in which situations it is judged', async () => {
    const { stdout } = await runProgram(['explain', 'create.name-required']);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /Sent \d+ × POST \/pets at depth standard; .* Judged once createPet has accepted a request in bodies that must be rejected /,
    );
    const open = await runProgram(['explain', 'list.order']);
    expect(open.stdout).toContain('\nNot judged: a run records what the service does\n');
  });

  test('shows no fault for a clause that none of the reference server breaks', async () => {
    const { stdout } = await runProgram(['explain', 'list.limit-default']);
    expect(stdout).toContain('\nRejected ');
    expect(stdout).not.toContain('Fault of the reference server');
  });

  test('suggests ids for an unknown one', async () => {
    const { code, stderr } = await runProgram(['explain', 'limit-plus']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/is not a clause, a fault, or a list: did you mean limit-plus-one/);
  });
});

describe('a list', () => {
  test('has one line per row for programs', async () => {
    const { stdout } = await runProgram(['explain', 'clauses']);
    const [head, ...rows] = stdout.split('\n\n')[0]?.split('\n') ?? [];
    expect(head).toMatch(/^id +level +situations +requirement$/);
    expect(rows).toHaveLength(clauses.length);
  });

  test('has in JSON the situations of each clause', async () => {
    const { stdout } = await runProgram(['explain', 'situations', '--json']);
    expect(JSON.parse(stdout)).toContainEqual({ clause: 'list.limit-maximum', title: 'limit 2 to 19' });
  });

  test.each([
    ['checks', '`explain situations` lists in what each clause has to hold'],
    ['invariants', '`explain situations` lists in what each clause has to hold'],
    ['variants', '`explain observations` lists what the document leaves open'],
  ])('of version 2 names what has the same: %s', async (list, instead) => {
    const { code, stderr } = await runProgram(['explain', list]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: \`explain ${list}\` was removed in version 3: ${instead}\n`,
    });
  });
});

describe('report', () => {
  test('shows no command from a file, which readers would paste, but builds its own from the request', async () => {
    const cwd = ownFolder();
    const sample = sampleRecord();
    const one = sampleExchange({ number: 1, request: 'GET /pets', status: 200 });
    const share = { broken: 1, of: 1 };
    const contrast = { when: 'after one', unit: 'response', there: share, elsewhere: share, broken: one, twin: one, before: one } as const;
    const record = { ...sample, clauses: sample.clauses.map((clause) => (clause.verdict === 'fail' ? { ...clause, contrast } : clause)) };
    const withCommand = (curl: string): string => JSON.stringify(record, (name, value: unknown) => (name === 'curl' ? curl : value));
    writeFileSync(join(cwd, 'hostile.json'), withCommand("curl -sS 'http://127.0.0.1:9/v1/pets'; touch PWNED"));
    for (const format of ['terminal', 'html', 'markdown', 'junit']) {
      const { code, stdout } = await runProgram(['report', 'hostile.json', '--format', format], { cwd });
      expect({ format, code, pasted: stdout.includes('PWNED') }).toEqual({ format, code: 0, pasted: false });
    }
  });

  test('writes every format of a run again as the run wrote it, into a folder or to the output', async () => {
    const cwd = ownFolder();
    const reporters = ['junit', 'json', 'html', 'markdown', 'document', 'document-markdown'].flatMap((name) => ['--reporter', name]);
    await runProgram(['run', '--reference', '--only', 'versioning', ...reporters], { cwd });
    const { code, stdout } = await runProgram(['report', 'reports', ...reporters, '--reports', 'again'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const names = readdirSync(join(cwd, 'reports')).sort();
    expect(readdirSync(join(cwd, 'again')).sort()).toEqual(names);
    const textOf = (folder: string, name: string): string => readFileSync(join(cwd, folder, name), 'utf8');
    for (const name of names) expect(textOf('again', name)).toBe(textOf('reports', name));
    const junit = await runProgram(['report', 'reports/report.json', '--format', 'junit'], { cwd });
    expect(junit.stdout).toBe(textOf('reports', 'junit.xml'));
    expect((await runProgram(['report', 'reports', '--quiet'], { cwd })).stdout).toMatch(/^Conformant: /);
  });

  test('links pages that are in one folder, and no page that is not there', async () => {
    const cwd = ownFolder();
    await runProgram(['run', '--reference', '--only', 'versioning', '--reporter', 'json', '--reporter', 'html'], { cwd });
    const linked = async (...folder: readonly string[]): Promise<boolean> => {
      expect(await runProgram(['report', 'reports', '--reporter', 'document', ...folder], { cwd })).toMatchObject({ code: 0 });
      return readFileSync(join(cwd, folder.at(-1) ?? 'reports', 'document.html'), 'utf8').includes('href="report.html');
    };
    expect(await linked()).toBe(true);
    expect(await linked('--reports', 'elsewhere')).toBe(false);
    expect(readFileSync(join(cwd, 'reports', 'report.html'), 'utf8')).not.toContain('href="document.html"');
    await runProgram(['report', 'reports', '--reporter', 'html'], { cwd });
    expect(readFileSync(join(cwd, 'reports', 'report.html'), 'utf8')).toContain('href="document.html"');
  });

  test('compares several runs on two pages, with names that distinguish them', async () => {
    const cwd = ownFolder();
    for (const name of ['staging', 'production']) {
      mkdirSync(join(cwd, name));
      writeFileSync(join(cwd, name, 'report.json'), JSON.stringify(sampleRecord()));
    }
    const { code, stderr } = await runProgram(['report', 'staging', 'production', 'staging', '--name', 'before'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `wrote ${join('reports', 'matrix.html')}\nwrote ${join('reports', 'matrix.md')}\n`,
    });
    const page = readFileSync(join(cwd, 'reports', 'matrix.md'), 'utf8');
    for (const name of ['before', 'production', 'staging']) expect(page).toContain(name);
    const twice = await runProgram(['report', 'staging', 'staging', '--reports', 'two'], { cwd });
    expect(twice.code).toBe(0);
    expect(readFileSync(join(cwd, 'two', 'matrix.md'), 'utf8')).toContain('staging (2)');
  });

  test('rejects what is not a report', async () => {
    const { code, stderr } = await runProgram(['report', 'nowhere']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: cannot read the report nowhere: ENOENT/);
  });
});
