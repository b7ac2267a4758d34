import { expect, test } from 'vitest';
import { sampleExchange, sampleRecord } from '../../test/report/sample-record.ts';
import type { ReportedContrast } from '../clause/run-record.ts';
import { contrastText, twinText } from './contrast-text.ts';

const record = sampleRecord();
const FOUND = { unit: 'response', there: { broken: 2, of: 2 }, elsewhere: { broken: 0, of: 701 } } as const;

/** The report's text about two requests with the same request line, by their headers. */
function besides(broken: readonly (readonly [string, string])[], twin: readonly (readonly [string, string])[]): string {
  const asked = (number: number, requestHeaders: typeof broken) => ({
    ...sampleExchange({ number, request: 'GET /pets?limit=5', status: 200, answer: '[]' }),
    requestHeaders: [['authorization', '[REDACTED]'] as const, ...requestHeaders],
  });
  const contrast: ReportedContrast = { ...FOUND, when: 'with x', broken: asked(1, broken), twin: asked(2, twin) };
  return twinText(contrast, record);
}

test('says when, with both counts', () => {
  expect(contrastText({ ...FOUND, when: 'with `accept-language: de`' })).toBe(
    'only with `accept-language: de`: 2 of 2 responses; otherwise 0 of 701',
  );
  expect(contrastText({ ...FOUND, there: { broken: 1, of: 1 } })).toBe('each time: 1 of 1 response');
  expect(contrastText({ ...FOUND, when: 'every 7th time', asked: true })).toContain(', when asked again');
  expect(contrastText(undefined)).toBe('');
});

test('says how the headers of the passing request differ if its request line is the same', () => {
  expect(besides([['Accept-Language', 'de']], [])).toBe('GET /pets?limit=5 without accept-language → 200');
  expect(
    besides(
      [['accept', 'a/b']],
      [
        ['accept', 'application/json'],
        ['x-one', '1'],
      ],
    ),
  ).toBe('GET /pets?limit=5 with accept: application/json, with x-one: 1 → 200');
  expect(besides([['traceparent', 'a']], [['traceparent', 'b']])).toBe('GET /pets?limit=5 → 200');
});

test('says only the request line if that differs', () => {
  const shown = sampleExchange({ number: 1, request: 'GET /pets?limit=4', status: 200, answer: '[]' });
  const twin = sampleExchange({ number: 2, request: 'GET /pets?limit=5', status: 200, answer: '[]' });
  expect(twinText({ ...FOUND, broken: shown, twin }, record)).toBe('GET /pets?limit=5 → 200');
  expect(twinText(FOUND, record)).toBe('');
});
