import { describe, expect, test } from 'vitest';
import { CANARY_KEY, hostileRecord, sampleRecord } from '../../test/report/sample-record.ts';
import { renderTerminal } from './render-terminal.ts';
import { columns } from './text.ts';

const PLAIN = { color: false, width: 80 };

describe('renderTerminal', () => {
  test.each([40, 60, 80, 120, 300])('keeps every line within %i columns, but for the commands that are to be copied', (width) => {
    for (const record of [sampleRecord(), hostileRecord()]) {
      const lines = renderTerminal(record, { color: false, width, reports: 'reports' }).split('\n');
      expect(lines.filter((line) => columns(line) > Math.min(120, width) && !isPartOfCommand(lines, line))).toEqual([]);
    }
  });

  test('shows a failure with clause, section, demand, alternatives, what came, exchange, hint and one curl line', () => {
    const text = renderTerminal(sampleRecord(), PLAIN);
    expect(text).toContain('FAIL create.round-trip/sample');
    expect(text).toContain('clause        create.round-trip (implied), “2. Add an animal”');
    expect(text).toContain('accepted      - categoryId 9007199254740993\n');
    expect(text).toContain('at            /categoryId: 9007199254740992\n');
    expect(text).toContain('sequence      - #201 POST /v1/pets');
    expect(text).toContain('  GET https://staging.pets.example/v1/pets/77\n  authorization: Bearer [key]\n');
    expect(text).toMatch(
      /\n {2}curl -sS -i -H "authorization: Bearer \$PETSTORE_API_KEY" -H 'accept: application\/json' 'https:[^\n]+pets\/77'\n/,
    );
    expect(text).toContain('usual cause   A framework that coerces');
  });

  test('shows failures before warnings, and the conclusion last', () => {
    const text = renderTerminal(sampleRecord(), PLAIN);
    expect(text.indexOf('WARN auth.challenge/sample')).toBeGreaterThan(text.lastIndexOf('FAIL '));
    expect(text.trimEnd().endsWith('- record.pet')).toBe(true);
  });

  test('says counts, animals, those that may exist, seed and reports', () => {
    const text = renderTerminal(sampleRecord(), { ...PLAIN, width: 120, reports: 'reports/' });
    expect(text).toContain('clauses   15 passed, 5 failed (1 only a warning), 2 inconclusive, 5 observed, 1 waived');
    expect(text).toContain('animals   112 created (of 250 allowed, prefix "conformance"); 1 more may exist: their creation got no answer');
    expect(text).toContain('seed      1734209911\nreports   reports/');
  });

  test('uses escape sequences only when asked for colour', () => {
    expect(renderTerminal(sampleRecord(), PLAIN)).not.toContain('\u001b');
    expect(renderTerminal(sampleRecord(), { ...PLAIN, color: true })).toContain('\u001b[31m');
  });

  test('shows no control or direction character of a hostile service, and obeys none of its workflow commands', () => {
    const text = renderTerminal(hostileRecord(), PLAIN);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/);
    expect(text).not.toMatch(/^\s*::.*::|##[a-z]*\[/m);
  });

  test('stays short when a service answers 5 MB texts', () => {
    expect(renderTerminal(hostileRecord('<'.repeat(5_000_000)), PLAIN).length).toBeLessThan(400_000);
  });

  test('does not show the key', () => {
    expect(renderTerminal(sampleRecord(), PLAIN)).not.toContain(CANARY_KEY);
  });
});

/** A command whose body has line breaks goes on until the next label. */
function isPartOfCommand(lines: readonly string[], line: string): boolean {
  const before = lines.slice(0, lines.indexOf(line)).findLast((one) => /^\S/.test(one));
  return before === 'reproduce';
}
