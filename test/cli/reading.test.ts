import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/index.ts';
import { ownFolder } from '../support/own-folder.ts';
import { runProgram } from '../support/program.ts';

describe('explain', () => {
  test('marks the check that was asked for, and the fault and the checks that name it', async () => {
    const check = await runProgram(['explain', 'list.limit-maximum/small']);
    expect(check.stdout.match(/^> .*/gm)).toEqual(['> list.limit-maximum/small  (read, read; broken by --fault limit-1-gives-two)']);
    const fault = await runProgram(['explain', 'limit-1-gives-two']);
    expect(fault.stdout.match(/^> \S*/gm)).toEqual(['> list.limit-maximum/small', '> limit-1-gives-two']);
    expect(fault.stdout).toMatch(/^list\.limit-maximum {2}\(required\)/);
  });

  test('says what the check needs and waits for', async () => {
    const { stdout } = await runProgram(['explain', 'create.name-required/null']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'It needs a plain NewPet that is accepted. If something is missing, it waits for errors.answers, errors.no-server-error, auth.valid-key, or create.success.',
    );
  });

  test('names what is like an id that there is not', async () => {
    const { code, stderr } = await runProgram(['explain', 'limit-plus']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/is not the id of a clause or a check, nor the name of a fault: did you mean limit-plus-one/);
  });
});

describe('list', () => {
  test('is a line a row for programs', async () => {
    const { stdout } = await runProgram(['list', 'clauses']);
    const [head, ...rows] = stdout.split('\n\n')[0]?.split('\n') ?? [];
    expect(head).toMatch(/^id +level +checks +invariants +requirement$/);
    expect(rows).toHaveLength(clauses.length);
  });

  test('has in JSON what each check needs and the clauses that answer for it', async () => {
    const { stdout } = await runProgram(['list', 'checks', '--json']);
    const rows = JSON.parse(stdout) as readonly { id: string; needs: readonly string[]; waitsFor: readonly string[] }[];
    expect(rows.find(({ id }) => id === 'create.id-assigned/concurrent')).toMatchObject({
      needs: ['created'],
      waitsFor: expect.arrayContaining(['create.success', 'create.id-assigned']),
    });
  });
});

describe('report', () => {
  test('writes every format of a run again as the run wrote it, into a folder or to the output', async () => {
    const cwd = ownFolder();
    const reporters = ['junit', 'json', 'html', 'markdown', 'har', 'ctrf'].flatMap((name) => ['--reporter', name]);
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

  test('refuses what is not a report', async () => {
    const { code, stderr } = await runProgram(['report', 'nowhere']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: cannot read the report nowhere: ENOENT/);
  });
});
