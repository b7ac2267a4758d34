import { readFile } from 'node:fs/promises';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parse, type TestCase, type TestSuites } from 'junit2json';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { renderJunit } from '../../src/report/render-junit.ts';
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
  ['a run without a single clause', sampleRecord({ clauses: [] })],
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
    expect(read).toHaveLength(record.clauses.length);
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

  test('has a testsuite for each chapter, and a testcase for each of its clauses with its requirement', async () => {
    const record = sampleRecord();
    const { testsuite = [] } = (await parse(renderJunit(record))) as TestSuites;
    expect(testsuite.map(({ name }) => name)).toEqual([...new Set(record.clauses.map(({ chapter }) => chapter))]);
    const cases = testsuite.flatMap(({ name: chapter, testcase = [] }) =>
      testcase.map(({ name, classname }) => [name, chapter, classname]),
    );
    expect(cases).toEqual(
      record.clauses.map(({ id, requirement, chapter }) => [`${id}: ${requirement}`, chapter, `petstore-conformance.${chapter}`]),
    );
  });

  test('has the duration of the run as a whole', async () => {
    const { time } = (await parse(renderJunit(sampleRecord()))) as TestSuites;
    expect(time).toBe(4.812);
  });

  test('begins the text of a failure with what was found', () => {
    const xml = renderJunit(sampleRecord());
    expect(xml).toContain('type="required">a limit of 5 returned 6 animals\n\nexpected      at most 5 animals\n');
  });

  test('names each situation that is undecided', () => {
    const [clause] = sampleRecord().clauses;
    if (clause === undefined) throw new Error('the sample has no clause');
    const open = { title: 'after a pause', verdict: 'inconclusive', note: 'it was left out', why: 'choice' } as const;
    const out = (verdict: 'pass' | 'fail' | 'inconclusive') =>
      renderJunit(sampleRecord({ clauses: [{ ...clause, verdict, musts: [...clause.musts, open] }] }));
    for (const verdict of ['pass', 'fail', 'inconclusive'] as const)
      expect(out(verdict)).toContain('undecided: after a pause: it was left out</system-out>');
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
      const undecided = <Item extends { readonly verdict: string }>(item: Item) =>
        item.verdict === 'inconclusive' ? { ...item, why } : item;
      const clauses = record.clauses.map((clause) => ({ ...undecided(clause), musts: clause.musts.map(undecided) }));
      const strict = readByFastXml(renderJunit({ ...record, clauses, options: { ...record.options, strict: true } }));
      expect(strict.filter(({ failure }) => failure !== undefined)).toHaveLength(failures);
    },
  );

  test('has an error when the run failed and no clause did', async () => {
    const clauses = sampleRecord().clauses.filter(({ verdict }) => verdict === 'pass');
    const conclusion = { exitCode: 130 as const, headline: 'Interrupted before everything was judged', reasons: [] };
    const xml = renderJunit(sampleRecord({ clauses, conclusion, interrupted: true }));
    expect(((await parse(xml)) as TestSuites).errors).toBe(1);
    expect(xml).toContain('<error message="Interrupted before everything was judged" type="exit 130">');
  });

  test('does not show the key and is the same bytes each time', () => {
    expect(renderJunit(sampleRecord())).not.toContain(CANARY_KEY);
    expect(renderJunit(sampleRecord())).toBe(renderJunit(sampleRecord()));
  });
});
