import { describe, expect, test } from 'vitest';
import { type SampleExchange, sampleExchange, sampleRecord } from '../../test/report/sample-record.ts';
import { caseText } from './case-text.ts';
import { renderTerminal } from './render-terminal.ts';

const record = sampleRecord();

function textOf(sample: Omit<SampleExchange, 'number' | 'request'> & { readonly request?: string }, pointer?: string) {
  const exchange = sampleExchange({ number: 1, request: 'POST /pets', ...sample });
  const finding = { summary: 'found', expected: [], received: '', exchanges: [exchange], ...(pointer === undefined ? {} : { pointer }) };
  return caseText({ summary: 'found', finding, exchange, times: 1 }, record);
}

describe('caseText', () => {
  test.each([
    ['a message', '{"code":"x","message":"MESSAGE","status":400}', '"MESSAGE"'],
    [
      'a validator that nests its message',
      '{"detail":[{"type":"missing","loc":["body","name"],"msg":"MESSAGE"}],"input":null}',
      '"MESSAGE"',
    ],
    ['a page', `<html><head><style>p{}</style></head><body><pre>MESSAGE</pre>${'<br>'.repeat(20)}</body></html>`, 'MESSAGE'],
    ['a plain text', 'MESSAGE', 'MESSAGE'],
  ])('shows the message of an error, up to sixty characters: %s', (_name, body, shown) => {
    const said = 'database is locked (5) (SQLITE_BUSY), while the animal was stored';
    const { received } = textOf({ status: 500, answer: body.replace('MESSAGE', said) });
    const whole = shown.replace('MESSAGE', said);
    expect(received.startsWith(whole.slice(0, 56))).toBe(true);
    expect(received.length).toBeLessThanOrEqual(60);
  });

  test('shows the body itself if the finding is about its members', () => {
    const body = '{"detail":{"code":"unauthorized","message":"The API key is invalid, or none was sent","status":401}}';
    expect(textOf({ status: 401, answer: body }, '').received).toBe(body);
  });

  test.each([
    ['null', 'null'],
    ['{}', '{}'],
    ['[]', '[]'],
    ['', '(an empty body)'],
  ])('shows the body %j of a list', (answer, shown) => {
    expect(textOf({ request: 'GET /pets', answer }, '')).toEqual({ request: 'GET /pets', status: '200', received: shown });
  });

  test('says how long a name is if that is unusual', () => {
    const name = `conformanceabcdef${'x'.repeat(239)}`;
    expect(textOf({ status: 500, answer: 'x', body: JSON.stringify({ name, categoryId: 1 }) }).request).toBe(
      'POST /pets {"name":"…(256 letters)","categoryId":1}',
    );
    expect(textOf({ status: 500, answer: 'x', body: '{"name":"conformanceabcdef","categoryId":1}' }).request).toBe(
      'POST /pets {"name":"…","categoryId":1}',
    );
    expect(textOf({ status: 500, answer: 'x', body: JSON.stringify({ name: 'é'.repeat(80) }) }).request).toBe(
      `POST /pets {"name":"${'é'.repeat(15)}…(80 characters)"}`,
    );
  });
});

describe('a row of a block', () => {
  test('cuts the request before what the service says', () => {
    const message = 'status must be one of available, pending, and sold';
    const exchange = sampleExchange({
      number: 1,
      request: 'POST /pets',
      body: '{"name":"conformanceabcdef","categoryId":9007199254740993,"status":"unknown","color":"brown"}',
      status: 422,
      answer: `{"code":"invalid","message":"${message}","status":422}`,
    });
    const checks = record.checks.map((check) =>
      check.id === 'create.round-trip/sample'
        ? { ...check, findings: [{ summary: 'found', expected: ['400'], received: '', exchanges: [exchange] }] }
        : check,
    );
    const text = renderTerminal({ ...record, checks }, { color: false, width: 100 });
    expect(text).toMatch(new RegExp(`POST /pets \\{"name":"…",.*…  422  "${message}"\n`));
  });
});
