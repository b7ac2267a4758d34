import { describe, expect, test } from 'vitest';
import { hostileRecord, sampleRecord } from '../../test/report/sample-record.ts';
import { renderAnnotations } from './render-annotations.ts';

/** As GitHub's runner reads a line: command, properties, data. */
function readCommands(text: string): { command: string; title: string; message: string }[] {
  const decode = (data: string): string =>
    data.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, command = '', title = '', message = ''] = /^::([a-z-]+) title=([^:,]*)::(.*)$/.exec(line) ?? [];
      return { command, title: decode(title), message: decode(message) };
    });
}

describe('renderAnnotations', () => {
  test('writes one error per broken clause and one warning per broken advised clause, in the order of repair', () => {
    expect(readCommands(renderAnnotations(sampleRecord())).map(({ command, title }) => [command, title])).toEqual([
      ['error', 'record.pet (required)'],
      ['error', 'list.limit-maximum (required)'],
      ['error', 'create.round-trip (implied)'],
      ['error', 'errors.answers (implied)'],
      ['warning', 'auth.challenge (advised)'],
    ]);
  });

  test('writes one line per clause, with the number of cases', () => {
    const record = sampleRecord();
    const broken = record.clauses.filter(({ verdict, id }) => verdict === 'fail' && id === 'record.pet');
    const commands = readCommands(renderAnnotations({ ...record, clauses: broken }));
    const [beside] = broken.map(({ besideWaivers }) => besideWaivers);
    expect(beside).toMatch(/^waived was /);
    expect(commands.map(({ message }) => message)).toEqual([
      `3 of 412 responses: the request without a key returned 400, not 401; in 1 situation: Every returned animal is a Pet (sample); not in: the rest; ${beside}`,
    ]);
  });

  test('says when a clause is broken, if the run shows it', () => {
    const record = sampleRecord();
    const contrast = { when: 'with `limit=5`', unit: 'response', there: { broken: 2, of: 2 }, elsewhere: { broken: 0, of: 9 } } as const;
    const clauses = record.clauses.map((clause) => (clause.id === 'list.limit-maximum' ? { ...clause, contrast } : clause));
    const [, commands] = Object.values(readCommands(renderAnnotations({ ...record, clauses })));
    expect(commands?.message).toBe('2 cases: a limit of 5 returned 6 animals; only with `limit=5`: 2 of 2 responses; otherwise 0 of 9');
  });

  test('keeps to the ten that GitHub shows and names the others in the last', () => {
    const record = sampleRecord();
    const clauses = record.clauses.map((clause) => ({ ...clause, level: 'required' as const, verdict: 'fail' as const }));
    const commands = readCommands(renderAnnotations({ ...record, clauses }));
    expect(commands).toHaveLength(10);
    expect(commands.at(-1)?.title).toBe('19 more requirements');
    expect(commands.at(-1)?.message).toContain('list.order');
  });

  test('says why a run without a broken clause failed', () => {
    const conclusion = { exitCode: 1 as const, headline: 'no clause is broken, but', reasons: ['the waiver of x expired: 100%, really'] };
    const [only] = readCommands(renderAnnotations(sampleRecord({ clauses: [], conclusion })));
    expect(only).toEqual({
      command: 'error',
      title: 'petstore-conformance',
      message: 'Not conformant: no clause is broken, but; the waiver of x expired: 100%, really',
    });
  });

  test('is empty for a conformant run', () => {
    const conclusion = { exitCode: 0 as const, headline: 'conformant', reasons: [] };
    expect(renderAnnotations(sampleRecord({ clauses: [], conclusion }))).toBe('');
  });

  test('lets a hostile service add no command', () => {
    const commands = readCommands(renderAnnotations(hostileRecord('a\n::set-env name=x::y\r\n%0A::error::z ##vso[x]')));
    expect(commands).toHaveLength(5);
    expect(commands.every(({ command }) => command === 'error' || command === 'warning')).toBe(true);
    expect(commands[0]?.message).toContain('a ::set-env name=x::y');
    expect(JSON.stringify(commands)).not.toContain('##vso[');
  });
});
