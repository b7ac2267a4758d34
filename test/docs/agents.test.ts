import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/clause/run-record.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { sampleRecord } from '../report/sample-record.ts';
import { ownFolder } from '../support/program.ts';
import { codeBlocks, readPage } from './pages.ts';

const PAGE = readPage('AGENTS.md');

test('The program of AGENTS.md prints of each broken clause what it requires, what was found, and how to send it again.', () => {
  const record = sampleRecord();
  const folder = ownFolder();
  mkdirSync(join(folder, 'reports'));
  writeFileSync(join(folder, 'reports', 'report.json'), renderJson(record));
  const [block] = codeBlocks('AGENTS.md').filter(({ language }) => language === 'js');
  writeFileSync(join(folder, 'read.mjs'), block?.text ?? '');
  const printed = execFileSync(process.execPath, ['read.mjs'], { cwd: folder, encoding: 'utf8' });
  const broken = record.clauses.filter(({ verdict }) => verdict === 'fail');
  expect(printed).toContain('exit code 1: not conformant');
  expect(printed.match(/^[a-z]+\.[a-z-]+ \(\w+\): .+$/gm)).toHaveLength(broken.length);
  for (const { id, level, requirement } of broken) expect(printed).toContain(`${id} (${level}): ${requirement}\n`);
  expect(printed.match(/^ {2}curl /gm)?.length).toBeGreaterThan(1);
});

test('AGENTS.md names members that report.json has.', () => {
  const { properties, $defs } = JSON.parse(readFileSync(new URL('../../schemas/run-record.schema.json', import.meta.url), 'utf8')) as {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly $defs: Readonly<Record<string, unknown>>;
  };
  const schema = JSON.stringify({ properties, $defs });
  const [, section = ''] = /^## Read report\.json\n([\s\S]*?)^## /m.exec(PAGE) ?? [];
  const list = section.slice(section.lastIndexOf('```'));
  const members = [...list.matchAll(/`([a-z]+(?:\.[a-z]+)?)`/gi)].flatMap(([, path = '']) => path.split('.'));
  const words = ['pass', 'fail', 'inconclusive', 'observed', 'waived', 'advised'];
  const named = members.filter((name) => !words.includes(name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !schema.includes(`"${name}":{`))).toEqual([]);
  for (const word of words) expect(schema).toContain(`"${word}"`);
});

test('AGENTS.md names the exit codes of a run.', () => {
  const [, line = ''] = /The exit code is the verdict: (.*)/.exec(PAGE) ?? [];
  const codes = [...line.matchAll(/\b(\d+) [a-z]/g)].map(([, code]) => Number(code));
  expect(codes.slice(0, 5)).toEqual([
    EXIT_CODES.conformant,
    EXIT_CODES.broken,
    EXIT_CODES.usage,
    EXIT_CODES.unjudged,
    EXIT_CODES.interrupted,
  ]);
});
