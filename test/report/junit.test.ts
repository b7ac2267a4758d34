import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parse, type TestCase, type TestSuites } from 'junit2json';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { clauseFile, renderJunit } from '../../src/report/render-junit.ts';
import { clauses } from '../../suites/index.ts';
import { CANARY_KEY, hostileRecord, sampleRecord } from './sample-record.ts';

type Read = {
  readonly name: string;
  readonly classname: string;
  readonly failure: string | undefined;
  readonly skipped: string | undefined;
};

async function readByJunit2json(xml: string): Promise<Read[]> {
  const parsed = (await parse(xml)) as TestSuites;
  return (parsed.testsuite ?? []).flatMap((suite) => suite.testcase ?? []).map(readCase);
}

function readCase(one: TestCase): Read {
  const { name = '', classname = '', failure, skipped } = one;
  return { name, classname, failure: failure?.[0]?.message, skipped: skipped?.[0]?.message };
}

type Element = Readonly<Record<string, unknown>>;

function readByFastXml(xml: string): Read[] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    // It is what decodes numeric references.
    htmlEntities: true,
    isArray: (name) => ['testsuite', 'testcase', 'property'].includes(name),
  });
  const parsed = parser.parse(xml) as { testsuites: { testsuite: { testcase: Element[] }[] } };
  const message = (child: unknown): string | undefined => (child === undefined ? undefined : String((child as Element)['@message']));
  return parsed.testsuites.testsuite
    .flatMap((suite) => suite.testcase)
    .map((one) => ({
      name: String(one['@name']),
      classname: String(one['@classname']),
      failure: message(one['failure']),
      skipped: message(one['skipped']),
    }));
}

async function xsdProblems(xml: string): Promise<readonly string[]> {
  const schema = await readFile(new URL('junit.xsd', import.meta.url), 'utf8');
  const { errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents: xml }], schema: [schema], maxMemoryPages: 1024 });
  return errors.map(({ message }) => message);
}

const CASES: readonly (readonly [name: string, record: RunRecord])[] = [
  ['a rich run', sampleRecord()],
  ['a hostile service', hostileRecord()],
  ['a service that returns 5 MB texts', hostileRecord(`<&"\u0000>${'x'.repeat(5_000_000)}`)],
  ['a run without a single check', sampleRecord({ clauses: [], checks: [] })],
];

describe('renderJunit', () => {
  test.each(CASES)('writes XML that is valid against the XSD: %s', async (_name, record) => {
    expect(await xsdProblems(renderJunit(record))).toEqual([]);
  });

  test.each(CASES)('writes well-formed XML of bounded size: %s', (_name, record) => {
    const xml = renderJunit(record);
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml.length).toBeLessThan(2_000_000);
  });

  test('is read in the same way by two independent parsers', async () => {
    const record = sampleRecord();
    const read = readByFastXml(renderJunit(record));
    expect(await readByJunit2json(renderJunit(record))).toEqual(read);
    expect(read).toHaveLength(record.checks.length);
    expect(read.filter(({ failure }) => failure !== undefined).map(({ classname, failure }) => [classname, failure])).toEqual([
      ['petstore-conformance.list-pets', 'a limit of 5 returned 6 animals'],
      ['petstore-conformance.create-pet', 'categoryId 9007199254740993 comes back as 9007199254740992'],
      ['petstore-conformance.errors', 'GET /pets/9223372036854775807 got no complete response within 10 s'],
      ['petstore-conformance.records', 'the request without a key returned 400, not 401'],
    ]);
    expect(read.filter(({ skipped }) => skipped !== undefined).map(({ skipped }) => skipped)).toEqual([
      'inconclusive (waits for create.success): no animal could be created: POST /pets returned 500',
      'waived: fixed in the next release (PET-112, until 2026-12-24)',
      'warning (advised): a 401 has no WWW-Authenticate header',
      'inconclusive (waits for create.success): no animal could be created: POST /pets returned 500',
    ]);
  });

  test('gives every hostile text back to both parsers without a control character and in one line', async () => {
    const xml = renderJunit(hostileRecord());
    for (const { name, failure } of [...readByFastXml(xml), ...(await readByJunit2json(xml))]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      expect(`${name}${failure ?? ''}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  });

  test('contains no CI command when printed, and both parsers read the same texts', async () => {
    const commands = '::error::x ##[error]x ##vso[task.complete]x ##teamcity[x]';
    const xml = renderJunit(hostileRecord(`${commands}\n${commands}`));
    expect(xml).not.toMatch(/::|##[a-z]*\[/i);
    expect((await readByJunit2json(xml))[0]?.name).toContain(commands);
    expect(readByFastXml(xml)[0]?.name).toContain(commands);
  });

  test('counts what it contains', async () => {
    const parsed = (await parse(renderJunit(sampleRecord()))) as TestSuites;
    for (const suite of parsed.testsuite ?? []) {
      const cases = (suite.testcase ?? []).map(readCase);
      expect(suite.tests).toBe(cases.length);
      expect(suite.failures).toBe(cases.filter(({ failure }) => failure !== undefined).length);
      expect(suite.skipped).toBe(cases.filter(({ skipped }) => skipped !== undefined).length);
    }
    expect(parsed.failures).toBe(4);
  });

  test('has clause, level, section and verdict as properties of the testsuite, whose testcases have the chapter as class name', async () => {
    const record = sampleRecord();
    const { testsuite = [] } = (await parse(renderJunit(record))) as TestSuites;
    expect(testsuite.map(({ properties }) => Object.fromEntries((properties ?? []).map(({ name, value }) => [name, value])))).toEqual(
      record.clauses.map(({ id, level, section, verdict }) => expect.objectContaining({ clause: id, level, section, verdict })),
    );
    for (const [index, { chapter }] of record.clauses.entries()) {
      expect(new Set(testsuite[index]?.testcase?.map(({ classname }) => classname))).toEqual(new Set([`petstore-conformance.${chapter}`]));
    }
  });

  test('has times that add up to the duration of the run, although checks run concurrently', async () => {
    const record = sampleRecord();
    const slow = { ...record, checks: record.checks.map((check) => ({ ...check, duration: 2_000 })) };
    for (const { duration, xml } of [record, slow].map((one) => ({ duration: one.duration, xml: renderJunit(one) }))) {
      const { testsuite = [] } = (await parse(xml)) as TestSuites;
      const sum = testsuite.flatMap(({ testcase = [] }) => testcase).reduce((total, { time = 0 }) => total + time, 0);
      expect(sum).toBeLessThanOrEqual(duration / 1_000);
      expect(testsuite.reduce((total, { time = 0 }) => total + time, 0)).toBeCloseTo(sum, 6);
    }
    const { testsuite = [] } = (await parse(renderJunit(slow))) as TestSuites;
    expect(testsuite.reduce((total, { time = 0 }) => total + time, 0)).toBeGreaterThan(slow.duration / 1_000 - 0.05);
  });

  test('begins the text of a failure with what was found, and names the file of the clause', () => {
    const xml = renderJunit(sampleRecord());
    expect(xml).toContain('type="required">a limit of 5 returned 6 animals\n\nexpected      at most 5 animals\n');
    expect(xml).toContain('file="suites/list/limit-maximum.clause.ts"');
    expect(clauses.filter(({ id }) => !existsSync(clauseFile(id)))).toEqual([]);
  });

  test.each([
    ['service', 7],
    ['choice', 5],
    ['circumstance', 5],
    ['waits', 5],
  ] as const)(
    'turns warnings into failures when the run was strict, and of what is undecided what is so because of the %s',
    (why, failures) => {
      const record = sampleRecord();
      const checks = record.checks.map((check) => (check.verdict === 'inconclusive' ? { ...check, why } : check));
      const strict = readByFastXml(renderJunit({ ...record, checks, options: { ...record.options, strict: true } }));
      expect(strict.filter(({ failure }) => failure !== undefined)).toHaveLength(failures);
    },
  );

  test('has an error when the run failed and no check did', async () => {
    const clauses = sampleRecord().clauses.filter(({ verdict }) => verdict === 'pass');
    const checks = sampleRecord().checks.filter((check) => clauses.some(({ id }) => id === check.clause));
    const conclusion = { exitCode: 130 as const, headline: 'Interrupted before everything was judged', reasons: [] };
    const xml = renderJunit(sampleRecord({ clauses, checks, conclusion, interrupted: true }));
    expect(((await parse(xml)) as TestSuites).errors).toBe(1);
    expect(xml).toContain('<error message="Interrupted before everything was judged" type="exit 130">');
  });

  test('does not show the key and is the same bytes each time', () => {
    expect(renderJunit(sampleRecord())).not.toContain(CANARY_KEY);
    expect(renderJunit(sampleRecord())).toBe(renderJunit(sampleRecord()));
  });
});
