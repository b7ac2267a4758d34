import { describe, expect, test } from 'vitest';
import { CANARY_KEY, hostileRecord, sampleRecord } from '../../test/report/sample-record.ts';
import { columns } from './columns.ts';
import { renderTerminal } from './render-terminal.ts';

const PLAIN = { color: false, width: 80 };
const FILES = ['reports/report.html', 'reports/report.json'];
const AGAIN = 'npx @petstore-conformance/cli run --base-url https://staging.example.com/v1 --failed reports/report.json';

describe('renderTerminal', () => {
  test.each([40, 60, 80, 120, 300])('keeps every line within %i columns, except commands to copy', (width) => {
    for (const record of [sampleRecord(), hostileRecord()]) {
      const lines = renderTerminal(record, { color: false, width, files: FILES, again: AGAIN }).split('\n');
      expect(lines.filter((line) => columns(line) > Math.min(120, width) && !isPartOfCommand(lines, line))).toEqual([]);
    }
  });

  test('shows a broken clause with level, section, cases, what was expected, the likely cause and one curl line', () => {
    const record = sampleRecord();
    const clauses = record.clauses.filter(({ id }) => id !== 'record.pet');
    const text = renderTerminal({ ...record, clauses }, { ...PLAIN, width: 100 });
    const block = text.slice(text.indexOf('FAIL create.round-trip'), text.indexOf('FAIL errors.answers'));
    expect(block).toContain(
      'FAIL create.round-trip   implied, "2. Add an animal"\n  categoryId 9007199254740993 comes back as 9007199254740992\n',
    );
    expect(block).toContain('  requirement   What is stored is what was sent, digit by digit.\n');
    expect(block).toContain('    after 2 more, GET /pets/77  200  /categoryId: 9007199254740992\n');
    expect(block).toContain('  expected      categoryId 9007199254740993, or 400 with an Error body when the category is refused\n');
    expect(block).toContain('  likely        A framework that coerces');
    expect(block).toMatch(
      /\n {2}try {11}id=\$\(curl [^\n]+ curl -sS -i -H "authorization: Bearer \$PETSTORE_API_KEY" -H 'accept: application\/json' 'https:[^\n]+pets\/'"\$id"\n/,
    );
  });

  test('says in the last screen what is broken, what to begin with, and where the whole report is', () => {
    const text = renderTerminal(sampleRecord(), { ...PLAIN, width: 100, files: FILES, again: AGAIN, detail: 'quiet' });
    expect(text).toBe(
      [
        'Not conformant: 4 requirements broken, 1 warning.',
        '26 of 28 clauses judged, 2 undecided by circumstance; 843 requests in 4.8 s, 112 animals created, 1',
        'more may exist (their creation got no response, or was rejected)',
        '',
        'What to repair, in this order',
        '  record.pet          3 of 412 responses: the request without a key returned 400, not 401',
        '  list.limit-maximum  2 cases: a limit of 5 returned 6 animals',
        '  create.round-trip   categoryId 9007199254740993 comes back as 9007199254740992',
        '  errors.answers      GET /pets/9223372036854775807 got no complete response within 10 s',
        '',
        'Start with record.pet.',
        'Full report: reports/report.html',
        `Only these again: ${AGAIN}`,
        '',
      ].join('\n'),
    );
  });

  test('shows warnings separately from what fails the run, and marks their chapters differently', () => {
    const text = renderTerminal(sampleRecord(), { ...PLAIN, width: 100 });
    expect(text).toContain('\n! authentication  ');
    expect(text).toContain('1 warning\n! auth.challenge (Authentication): a 401 has no WWW-Authenticate header\n');
    expect(text).not.toContain('WARN ');
  });

  test('says in one line how many situations wait for what', () => {
    expect(renderTerminal(sampleRecord(), PLAIN)).toContain('2 situations undecided\n? 2 situations wait for create.success\n');
  });

  test('puts likely causes first if there are any', () => {
    const cause = {
      id: 'doubles',
      title: 'integers pass through a double',
      explains: ['create.round-trip'],
      waiting: 3,
      evidence: [],
    } as const;
    const other = {
      ...cause,
      id: 'pages',
      title: 'pages are one too long',
      explains: ['list.limit-maximum'],
      waiting: 0,
    } as const;
    const diagnosis = { causes: [{ ...cause, advice: 'Parse integers without loss.' }] };
    const two = renderTerminal(sampleRecord(), {
      ...{ ...PLAIN, width: 100 },
      diagnosis: { causes: [...diagnosis.causes, { ...other, advice: 'Count from one.' }] },
    });
    // The last paragraph says how to repair the first.
    expect(two).toContain('     create.round-trip\n  2  pages are one too long\n     list.limit-maximum\n     Count from one.\n');
    expect(two.match(/Parse integers without loss\./g)).toHaveLength(1);
    const text = renderTerminal(sampleRecord(), { ...PLAIN, width: 100, diagnosis });
    expect(text).toContain(
      '1 likely cause, by what it holds up\n  1  integers pass through a double (3 situations wait)\n     create.round-trip\n',
    );
    expect(text).toContain('Start with this: Parse integers without loss.');
    expect(text.indexOf('FAIL create.round-trip')).toBeLessThan(text.indexOf('FAIL list.limit-maximum'));
    expect(text).toContain('likely        integers pass through a double');
    expect(text).toContain('Broken besides\n  record.pet');
  });

  test('shows every exchange with detail verbose', () => {
    const text = renderTerminal(sampleRecord(), { ...PLAIN, detail: 'verbose' });
    expect(text).toContain('    sequence      - #201 POST /v1/pets');
    expect(text).toContain('      GET https://staging.pets.example/v1/pets/77\n      authorization: Bearer [key]\n');
    expect(text).toContain('WARN auth.challenge');
    expect(text.match(/^ {4}reproduce$/gm)).toHaveLength(6);
  });

  test('groups each block under its finding for a log viewer that supports it', () => {
    const text = renderTerminal(sampleRecord(), { ...PLAIN, groups: true });
    expect(text.match(/^::group::.*$/gm)?.[0]).toBe('::group::FAIL record.pet: the request without a key returned 400, not 401');
    expect(text.match(/^::group::/gm)).toHaveLength(4);
    expect(text.match(/^::endgroup::$/gm)).toHaveLength(4);
  });

  test('says less about each clause if many are broken, and stays within its rows', () => {
    const record = sampleRecord();
    const broken = record.clauses.find(({ id }) => id === 'list.limit-maximum');
    if (broken === undefined) throw new Error('the sample has no such clause');
    const sought = record.clauses.filter(({ id }) => id !== 'errors.answers' && id !== 'errors.no-server-error');
    const clauses = sought.map(({ id }) => ({ ...broken, id }));
    const text = renderTerminal({ ...record, clauses }, { ...PLAIN, width: 100 });
    const rows = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(columns(line) / 100)), -1);
    expect(rows).toBeLessThanOrEqual(180);
    expect(text.replace(/\s+/g, ' ')).toContain('and 7 more broken requirements: --verbose or report.html');
    // What a block leaves out is stated once for all blocks: nothing is dropped silently.
    const blocks = text
      .split('\n\n')
      .flatMap((section) => section.split('\n').slice(0, 1))
      .filter((line) => line.startsWith('FAIL '));
    const amount = (label: string): number => text.match(new RegExp(`^ {2}${label} `, 'gm'))?.length ?? 0;
    const missing = (label: string): number => Number(new RegExp(`^no room for .*"${label}" of (\\d+)`, 'm').exec(text)?.[1] ?? 0);
    expect(blocks).toHaveLength(20);
    expect([missing('likely'), missing('try')]).toEqual([20 - amount('likely'), 20 - amount('try')]);
    expect(amount('likely')).toBeGreaterThanOrEqual(amount('try'));
    expect(amount('try')).toBeGreaterThanOrEqual(2);
  });

  test('says one thing when hardly anything could be judged', () => {
    const record = sampleRecord();
    const lost = { verdict: 'inconclusive' as const, findings: [], note: 'the run ended before this was judged' };
    const judged = (id: string): boolean => id.startsWith('errors.answers');
    const clauses = record.clauses.map((clause) =>
      judged(clause.id) ? clause : { ...clause, ...lost, musts: [{ title: 'a title', verdict: lost.verdict, note: lost.note }] },
    );
    const conclusion = { exitCode: 3 as const, headline: 'the service could not be judged', reasons: ['nothing listens on port 4100'] };
    const dead = renderTerminal({ ...record, clauses, conclusion, notices: [] }, PLAIN);
    expect(dead.trimEnd().split('\n').length).toBeLessThanOrEqual(8);
    expect(dead).toContain('- nothing listens on port 4100');
    const rejected = renderTerminal({ ...record, clauses }, PLAIN);
    expect(rejected).toContain('FAIL errors.answers');
    expect(rejected).not.toContain('? versioning');
  });

  test('has neither table nor blocks when nothing could be judged', () => {
    const conclusion = { exitCode: 3 as const, headline: 'the service could not be judged', reasons: ['nothing listens on port 4100'] };
    const text = renderTerminal(sampleRecord({ clauses: [], notices: [], conclusion }), PLAIN);
    expect(text.split('\n').length).toBeLessThanOrEqual(8);
    expect(text).toContain('Could not be judged.\n');
  });

  test('uses escape sequences only with color', () => {
    expect(renderTerminal(sampleRecord(), PLAIN)).not.toContain('\u001b');
    expect(renderTerminal(sampleRecord(), { ...PLAIN, color: true })).toContain('\u001b[31m');
  });

  test('shows no control or direction character of a hostile service, and passes on none of its workflow commands', () => {
    const text = renderTerminal(hostileRecord(), PLAIN);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/);
    expect(text).not.toMatch(/^\s*::.*::|##[a-z]*\[/m);
  });

  test('stays short when a service returns 5 MB texts', () => {
    expect(renderTerminal(hostileRecord('<'.repeat(5_000_000)), PLAIN).length).toBeLessThan(400_000);
  });

  test('does not show the key', () => {
    expect(renderTerminal(sampleRecord(), PLAIN)).not.toContain(CANARY_KEY);
  });
});

/** A command whose body has line breaks continues until the next part. */
function isPartOfCommand(lines: readonly string[], line: string): boolean {
  if (/^Only these again: /.test(line)) return true;
  const at = lines.indexOf(line);
  const before = lines.slice(0, at + 1).findLastIndex((one) => /^ {2}try\b/.test(one));
  const end = lines.indexOf('', before);
  return before !== -1 && (end === -1 || at < end);
}
