import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { gate, recordIn, serve } from './judged-service.ts';

test('a waived failure keeps its evidence and does not fail the run, until it expires or is repaired', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const waive = (expires: string): void =>
    writeFileSync(file, `waivers:\n  - {id: list.limit-maximum, reason: old gateway, expires: ${expires}}\n`);
  const faulty = await serve({ faults: ['limit-ignored'] });
  const args = ['--only', 'list.limit-maximum', '--only', 'list.success', '--read-only', '--waivers', file];
  waive('2999-12-31');
  expect(await gate(faulty, args, { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('warning: the waiver of list.limit-maximum is valid until 2999-12-31, more than a year from today'),
  });
  const waived = recordIn(cwd).clauses.filter(({ verdict }) => verdict === 'waived');
  expect(waived[0]).toMatchObject({ note: 'old gateway (until 2999-12-31)' });
  expect(waived[0]?.findings.length).toBeGreaterThan(0);
  waive('2020-01-01');
  expect(await gate(faulty, args, { cwd })).toMatchObject({ code: 1, stdout: expect.stringContaining('expired on 2020-01-01') });
  waive('2999-12-31');
  const repaired = await gate(await serve({ seedAnimals: 150 }), args, { cwd });
  expect(repaired).toMatchObject({ code: 1, stdout: expect.stringContaining('no longer needed') });
});

/** What --update-waivers has written, with its reasons and days. */
function fillIn(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/"TO BE WRITTEN: why.*"/g, 'known').replace(/"TO BE WRITTEN: the last day.*"/g, '2999-12-31'));
}

test('--update-waivers writes failures without a reason and a day, which the next run requires', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const args = ['--only', 'list.limit-maximum', '--read-only', '--waivers', file];
  const faulty = await serve({ faults: ['limit-ignored'] });
  const first = await gate(faulty, [...args, '--update-waivers'], { cwd });
  expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('1 entry added; write a reason and the last day for each') });
  const next = await gate(faulty, args, { cwd });
  expect(next).toMatchObject({ code: 2, stderr: expect.stringContaining('still has no reason') });
  const text = readFileSync(file, 'utf8');
  expect(text.match(/- id: /g)).toHaveLength(1);
  expect(text).toMatch(/\n {2}# .*GET \/pets|\n {2}# .*a list with/);
  // Repaired: the entry is removed, and the run is as green as without it.
  fillIn(file);
  const pruned = await gate(await serve({ seedAnimals: 150 }), [...args, '--only', 'list.success', '--update-waivers'], { cwd });
  expect(pruned).toMatchObject({ code: 0, stderr: expect.stringContaining('1 entry removed, as nothing that they waived fails') });
  expect(readFileSync(file, 'utf8')).not.toContain('- id: ');
});

test('a waiver written for one animal too many does not cover a limit that is ignored, and says what was waived', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const args = ['--only', 'list-pets', '--read-only', '--waivers', file];
  const plusOne = await serve({ faults: ['limit-plus-one'], seedAnimals: 150 });
  expect((await gate(plusOne, [...args, '--update-waivers'], { cwd })).code).toBe(1);
  fillIn(file);
  const again = await gate(plusOne, args, { cwd });
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/~ list\.limit-maximum: known \(until 2999-12-31\); entry 1 covers listPets/),
  });
  const ignored = await gate(await serve({ faults: ['limit-ignored'], seedAnimals: 150 }), args, { cwd });
  expect(ignored.code).toBe(1);
  const said = ignored.stdout.replace(/\s+/g, ' ');
  expect(said).toContain(
    'waived was listPets, []: expected at most as many animals as the limit, received one too many (entry 1). This is',
  );
  expect(said).toContain('received more than one too many');
});

test('a waiver without a kind covers every failure of its clause, which every report says, until --update-waivers binds it', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const args = ['--only', 'list.limit-maximum', '--only', 'list.success', '--read-only', '--waivers', file, '--reporter', 'markdown'];
  const reporters = ['--reporter', 'terminal', '--reporter', 'html', '--reporter', 'json'];
  const service = await serve({ faults: ['limit-ignored'], seedAnimals: 150 });
  writeFileSync(file, 'waivers:\n  - id: list.limit-maximum # the gateway\n    reason: known\n    ticket: T-1\n    expires: 2999-12-31\n');
  const broad = await gate(service, [...args, ...reporters], { cwd });
  const notice = /1 waiver covers every failure of list\.limit-maximum/;
  expect(broad.code).toBe(0);
  for (const text of [
    broad.stdout,
    ...['summary.md', 'report.html', 'report.json'].map((name) => readFileSync(join(cwd, 'reports', name), 'utf8')),
  ])
    expect(text.replace(/\\|\s+/g, (found) => (found === '\\' ? '' : ' '))).toMatch(notice);
  const updated = await gate(service, [...args, '--update-waivers'], { cwd });
  expect(updated).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 entry bound to the failures that they cover now: list.limit-maximum'),
  });
  expect(readFileSync(file, 'utf8')).toContain(`  - id: list.limit-maximum # the gateway
    operation: listPets
    place: "[]"
    expected: at most as many animals as the limit
    received: more than one too many
`);
  const bound = await gate(service, [...args, ...reporters], { cwd });
  expect(bound.code).toBe(0);
  expect(bound.stdout).not.toMatch(notice);
  expect(bound.stdout.replace(/\s+/g, ' ')).toContain('known (T-1, until 2999-12-31); entry 1 covers listPets, []: expected');
});

test('a waiver of an unknown id is rejected before the run, and an expired one causes a warning', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const args = ['--only', 'list.success', '--read-only', '--waivers', file];
  const service = await serve();
  writeFileSync(file, 'waivers:\n  - {id: get.notfound, reason: known, expires: 2999-12-31}\n');
  const unknown = await gate(service, args, { cwd });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/waivers\.yaml: the waiver of get\.notfound matches no clause \(did you mean get\.not-found/);
  writeFileSync(file, 'waivers:\n  - {id: get.not-found, reason: known, expires: 2020-01-01}\n');
  expect((await gate(service, args, { cwd })).stderr).toContain('warning: the waiver of get.not-found expired on 2020-01-01');
});

test('--update-waivers says which entries hide other situations', async () => {
  const cwd = ownFolder();
  const args = ['--only', 'create.*', '--only', 'errors.shape', '--waivers', join(cwd, 'waivers.yaml'), '--update-waivers'];
  const { stderr } = await gate(await serve({ faults: ['create-not-allowed'] }), args, { cwd });
  expect(stderr).toMatch(/waivers\.yaml: while create\.success is waived, \d+ situations can't be judged because of it/);
});
