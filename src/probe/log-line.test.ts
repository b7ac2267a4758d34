import { describe, expect, test } from 'vitest';
import { type LogAbout, logLine } from './log-line.ts';

const AT = new Date('2026-11-28T22:00:00.125Z');

/** The members of a line in logfmt, read as its readers do. */
function parseLogfmt(line: string): Record<string, string> {
  const pair = /([a-z]+)=("(?:[^"\\]|\\.)*"|[^" ]+)(?: |$)/y;
  const members: Record<string, string> = {};
  while (pair.lastIndex < line.length) {
    const [, name = '', value = ''] = pair.exec(line) ?? [];
    if (name === '') throw new Error(`not logfmt: ${line}`);
    members[name] = value.startsWith('"') ? String(JSON.parse(value)) : value;
  }
  return members;
}

describe('logLine', () => {
  test('A line has the time, the level, the target that it is about, and the message.', () => {
    const about: LogAbout = { level: 'warn', target: 'production' };
    expect(logLine('logfmt', AT, 'firing: no connection', about)).toBe(
      'time=2026-11-28T22:00:00.125Z level=warn target=production msg="firing: no connection"',
    );
    expect(logLine('json', AT, 'firing: no connection', about)).toBe(
      '{"time":"2026-11-28T22:00:00.125Z","level":"warn","target":"production","msg":"firing: no connection"}',
    );
    expect(logLine('logfmt', AT, 'reloaded')).toBe('time=2026-11-28T22:00:00.125Z level=info msg=reloaded');
  });

  test.for([
    ['several lines', 'Error: x\n    at a.ts\r\n\tat b.ts'],
    ['what looks like other members', 'x" level=error target="other'],
    ['a backslash before a quotation mark', 'C:\\"x'],
    ['nothing', ''],
    ['control characters and line ends of Unicode', 'a\u001b[31mred\u0007\u009b2J\u007f\u2028b\u2029c\u0000'],
    ['what a CI system obeys', '::error::x ##[error]y'],
  ] as const)('Whatever the message is, the line is read as it was written, is one line, and moves no cursor: %s.', ([, message]) => {
    for (const format of ['logfmt', 'json'] as const) {
      const line = logLine(format, AT, message, { target: 'production' });
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      const members = format === 'json' ? (JSON.parse(line) as unknown) : parseLogfmt(line);
      expect(members).toEqual({ time: AT.toISOString(), level: 'info', target: 'production', msg: message });
    }
  });
});
