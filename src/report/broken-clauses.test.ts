import { describe, expect, test } from 'vitest';
import { type SampleExchange, sampleExchange, sampleRecord } from '../../test/report/sample-record.ts';
import type { ClauseRecord, ReportedContrast, ReportedFinding } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import {
  brokenClauses,
  caseText,
  contrastText,
  describeBroken,
  extentOf,
  twinText,
  waitingText,
  waivedClauses,
  whenText,
  whyFirst,
} from './broken-clauses.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderTerminal } from './render-terminal.ts';

const EXPECTED = ['400 with an Error body'];

function accepted(number: number, name: string): ReportedFinding {
  const body = `{"name":${name},"categoryId":1}`;
  const response = `{"id":${number},"name":"x","categoryId":1}`;
  const exchange = sampleExchange({ number, request: 'POST /pets', body, status: 201, response, intent: { operation: 'createPet' } });
  return { summary: `POST /pets accepted the name ${name}`, expected: EXPECTED, received: '201', exchanges: [exchange] };
}

/** The record with `create.success` broken like that, and the others unchanged. */
function withBroken(changes: Partial<ClauseRecord>): RunRecord {
  const record = sampleRecord();
  return {
    ...record,
    clauses: record.clauses.map((clause) =>
      clause.id === 'create.success' ? { ...clause, verdict: 'fail', note: '', musts: [], ...changes } : clause,
    ),
  };
}

/** The record with these findings of `create.round-trip`. */
function withFindings(findings: readonly ReportedFinding[]): RunRecord {
  const clauses = record.clauses.map((clause) => (clause.id === 'create.round-trip' ? { ...clause, findings } : clause));
  return { ...record, clauses };
}

function brokenOf(record: RunRecord) {
  const broken = brokenClauses(record).find(({ clause }) => clause.id === 'create.success');
  if (broken === undefined) throw new Error('create.success is not among the broken clauses');
  return broken;
}

describe('brokenClauses', () => {
  test('counts an exchange once, and shows those whose findings are kept', () => {
    const findings = [accepted(901, '42'), accepted(902, 'true')];
    const cases = findings.map(({ summary }, index) => ({ summary, exchange: 901 + index }));
    const more = { summary: 'a third', exchange: 903 };
    const broken = brokenOf(withBroken({ findings, cases: [...cases, more], evidence: { judged: 6, broken: 3 } }));
    expect(broken.total).toBe(3);
    expect(broken.cases.map(({ summary }) => summary)).toEqual(findings.map(({ summary }) => summary));
    expect(extentOf(broken)).toBe('3 of 6 bodies were accepted');
  });

  test('merges requests that differ only in generated names and got the same response', () => {
    const broken = brokenOf(
      withBroken({ findings: [accepted(901, '["conformanceabc"]'), accepted(902, '["conformancedef"]'), accepted(903, '1')] }),
    );
    expect(broken.cases.map(({ times }) => times).toSorted()).toEqual([1, 2]);
    expect(broken.total).toBe(3);
  });

  test('shows the accepted bodies that it counts: how often each was sent, and how many are left out', () => {
    const findings = [accepted(901, 'null'), accepted(902, 'null'), accepted(903, '42')];
    const cases = [901, 902, 903, 904].map((exchange) => ({ summary: 'accepted null', exchange }));
    const counted = withBroken({ findings, cases, evidence: { judged: 7, broken: 4 } });
    const text = renderTerminal(counted, { color: false, width: 100 });
    expect(text).toContain('  4 of 7 bodies were accepted\n');
    expect(text).toContain(
      '    {"name":null,"categoryId":1} → 201 (2 times)   {"name":42,"categoryId":1} → 201\n    and 1 more in report.json\n',
    );
    expect(renderMarkdown(counted)).toContain('→ 201` (2 times)\n');
  });

  test('names a position in a list so that nobody takes it for a status', () => {
    const response = '[{"status":"sold"},{"status":"Sold"}]';
    expect(textOf({ request: 'GET /pets', response }, '/1/status').received).toBe('item 1: status: "Sold"');
    expect(textOf({ request: 'GET /pets', response: '[7]' }, '/0').received).toBe('item 0: 7');
    expect(textOf({ request: 'GET /pets/1', response: '{"status":"Sold"}' }, '/status').received).toBe('/status: "Sold"');
  });

  test('says in one line why the repair begins with it, or nothing of a condition that is too long for one', () => {
    const broken = { ...brokenOf(withBroken({ findings: [accepted(901, '42')] })), waiting: 0 };
    expect(whyFirst({ ...broken, contrast: { ...FOUND, when: 'with limit=4' } })).toBe(': it is broken only with limit=4.');
    expect(whyFirst({ ...broken, contrast: { ...FOUND, when: `with ${'a name or '.repeat(30)}another` } })).toBe('.');
  });

  test('states a share only if every case was counted', () => {
    const findings = [accepted(901, '42'), accepted(902, '42')];
    const broken = brokenOf(withBroken({ findings, evidence: { judged: 6, broken: 1 } }));
    expect(extentOf(broken)).toBe('2 bodies were accepted');
  });

  test('says what was found of a single case', () => {
    const broken = brokenOf(withBroken({ findings: [{ ...accepted(901, '42'), exchanges: [] }] }));
    expect(describeBroken(broken)).toBe('POST /pets accepted the name 42');
  });

  test('shows a plain request before an earlier odd one', () => {
    const [odd, plain] = [accepted(901, JSON.stringify('x'.repeat(500))), accepted(902, '7')];
    const broken = brokenOf(withBroken({ findings: [odd, plain] }));
    expect(broken.found).toBe(plain.summary);
    expect(broken.cases.map(({ summary }) => summary)).toEqual([plain.summary, odd.summary]);
  });

  test('puts first what the most situations wait for, then by level, and warnings last', () => {
    const waits = { title: 'one', verdict: 'inconclusive', note: '', why: 'waits', blockedBy: 'errors.answers' } as const;
    const broken = brokenClauses(withBroken({ findings: [accepted(901, '42')], musts: [waits] }));
    expect(broken.map(({ clause, total, waiting: waits }) => [clause.id, total, clause.level, waits])).toEqual([
      ['create.success', 1, 'required', 2],
      ['errors.answers', 1, 'implied', 1],
      ['record.pet', 3, 'required', 0],
      ['list.limit-maximum', 2, 'required', 0],
      ['create.round-trip', 1, 'implied', 0],
      ['auth.challenge', 1, 'advised', 0],
    ]);
    expect(broken.map(waitingText).slice(0, 3)).toEqual(['2 situations wait for this', '1 situation waits for this', '']);
    expect(broken.at(-1)?.runEffect).toBe('warns');
  });

  test('follows the likely causes if there are any', () => {
    const cause = { id: 'x', title: 'x', explains: ['errors.answers'], waiting: 0, evidence: [], advice: 'x' } as const;
    expect(brokenClauses(sampleRecord(), { causes: [cause] })[0]?.clause.id).toBe('errors.answers');
  });

  test('reads a record that has no list of cases', () => {
    expect(brokenClauses(sampleRecord()).find(({ clause }) => clause.id === 'list.limit-maximum')?.total).toBe(2);
  });
});

test('waivedClauses has what a waiver keeps from failing the run', () => {
  expect(waivedClauses(sampleRecord()).map(({ clause, runEffect }) => [clause.id, runEffect])).toEqual([['auth.precedence', 'neutral']]);
});

const record = sampleRecord();

function textOf(sample: Omit<SampleExchange, 'number' | 'request'> & { readonly request?: string }, pointer?: string) {
  const exchange = sampleExchange({ number: 1, request: 'POST /pets', ...sample });
  const finding = { summary: 'found', expected: [], received: '', exchanges: [exchange], ...(pointer === undefined ? {} : { pointer }) };
  return caseText({ summary: 'found', finding, exchange, times: 1 }, record);
}

test('a case of a wrong header shows the header, and cases with the same one are of one kind', () => {
  const readOf = (id: number) => {
    const exchange = sampleExchange({
      number: id,
      request: `GET /pets/${id}`,
      status: 200,
      response: `{"id":${id},"name":"x${'y'.repeat(id)}"}`,
    });
    const { answer: response } = exchange;
    if (response.kind !== 'answered') throw new Error('it was');
    return { ...exchange, answer: { ...response, headers: [...response.headers, ['sunset', 'Sun, 12 May 2030 00:00:00 GMT'] as const] } };
  };
  const findings = [1, 2].map((id) => ({ summary: `read ${id}`, expected: [], received: 'Sunset', exchanges: [readOf(id)] }));
  const kinds = (place: string) => [{ operation: 'getPet', place, expected: 'x', received: 'y', cases: 2 }];
  const shown = brokenOf(withBroken({ findings, failureKinds: kinds('header Sunset') }));
  expect(shown.cases.map((one) => caseText(one, record).received)).toEqual(Array(2).fill('Sunset: Sun, 12 May 2030 00:00:00 GMT'));
  const [typed] = brokenOf(withBroken({ findings, failureKinds: kinds('header Content-Type') })).cases;
  expect(typed && caseText(typed, record).received).toBe('Content-Type: application/json, {"id":1,"name":"xy"}');
  const missing = brokenOf(withBroken({ findings, failureKinds: kinds('header Deprecation') }));
  expect(missing.cases.map((one) => caseText(one, record).received)).toEqual(Array(2).fill('no Deprecation'));
});

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
    const { received } = textOf({ status: 500, response: body.replace('MESSAGE', said) });
    const whole = shown.replace('MESSAGE', said);
    expect(received.startsWith(whole.slice(0, 56))).toBe(true);
    expect(received.length).toBeLessThanOrEqual(60);
  });

  test('shows the body itself if the finding is about its members', () => {
    const body = '{"detail":{"code":"unauthorized","message":"The API key is invalid, or none was sent","status":401}}';
    expect(textOf({ status: 401, response: body }, '').received).toBe(body);
  });

  test.each([
    ['null', 'null'],
    ['{}', '{}'],
    ['[]', '[]'],
    ['', '(an empty body)'],
  ])('shows the body %j of a list', (response, shown) => {
    expect(textOf({ request: 'GET /pets', response }, '')).toEqual({ request: 'GET /pets', status: '200', received: shown });
  });

  test('says how long a name is if that is unusual', () => {
    const name = `conformanceabcdef${'x'.repeat(239)}`;
    expect(textOf({ status: 500, response: 'x', body: JSON.stringify({ name, categoryId: 1 }) }).request).toBe(
      'POST /pets {"name":"…(256 letters)","categoryId":1}',
    );
    expect(textOf({ status: 500, response: 'x', body: '{"name":"conformanceabcdef","categoryId":1}' }).request).toBe(
      'POST /pets {"name":"…","categoryId":1}',
    );
    expect(textOf({ status: 500, response: 'x', body: JSON.stringify({ name: 'é'.repeat(80) }) }).request).toBe(
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
      response: `{"code":"invalid","message":"${message}","status":422}`,
    });
    const broken = withFindings([{ summary: 'found', expected: ['400'], received: '', exchanges: [exchange] }]);
    const text = renderTerminal(broken, { color: false, width: 100 });
    expect(text).toMatch(new RegExp(`POST /pets \\{…,"status":"un.*…  422  "${message}"\n`));
  });

  test('of cases that look the same is printed once, and others take their place', () => {
    const findings = ['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'Sold'].map((status, index) => ({
      ...{ summary: `finding ${index}`, expected: ['400'], received: '' },
      exchanges: [
        sampleExchange({
          ...{ number: index + 1, request: 'POST /pets', status: 422, response: '{"message":"no"}' },
          body: `{"name":"conformanceabcd${'efghijklm'[index]}","categoryId":1,"status":"${status}"}`,
        }),
      ],
    }));
    const text = renderTerminal(withFindings(findings), { color: false, width: 100 });
    const block = text.slice(text.indexOf('FAIL create.round-trip'), text.indexOf('FAIL errors.answers'));
    expect(block.match(/^ {4}POST .*"status":"unknown"/gm)).toHaveLength(1);
    expect(block.match(/^ {4}POST .*"status":"Sold"/gm)).toHaveLength(1);
  });
});

const FOUND = { unit: 'response', there: { broken: 2, of: 2 }, elsewhere: { broken: 0, of: 701 } } as const;

/** The report's text about two requests with the same request line, by their headers. */
function besides(broken: readonly (readonly [string, string])[], twin: readonly (readonly [string, string])[]): string {
  const asked = (number: number, requestHeaders: typeof broken) => ({
    ...sampleExchange({ number, request: 'GET /pets?limit=5', status: 200, response: '[]' }),
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
  expect(contrastText({ ...FOUND, there: { broken: 59, of: 60 } })).toBe('nearly each time: 59 of 60 responses');
  expect(contrastText({ ...FOUND, when: 'every 7th time', asked: true })).toContain(', when asked again');
  expect(contrastText(undefined)).toBe('');
});

test('says which header of the passing request differs if its request line is the same, and nothing if several do', () => {
  expect(besides([['Accept-Language', 'de']], [])).toBe('GET /pets?limit=5 without accept-language → 200');
  expect(
    besides(
      [['accept', 'a/b']],
      [
        ['accept', 'application/json'],
        ['x-one', '1'],
      ],
    ),
  ).toBe('');
  expect(besides([['accept', 'a/b']], [['accept', 'application/json']])).toBe('GET /pets?limit=5 with accept: application/json → 200');
  expect(besides([['traceparent', 'a']], [['traceparent', 'b']])).toBe('GET /pets?limit=5 → 200');
});

test('says only the request line if that differs', () => {
  const shown = sampleExchange({ number: 1, request: 'GET /pets?limit=4', status: 200, response: '[]' });
  const twin = sampleExchange({ number: 2, request: 'GET /pets?limit=5', status: 200, response: '[]' });
  const contrast = { ...FOUND, when: 'with limit=4', broken: shown, twin };
  expect(twinText(contrast, record)).toBe('GET /pets?limit=5 → 200');
  expect(twinText(contrast, record, 14)).toBe('GET /pe… → 200');
  const typed = { ...twin, requestHeaders: [...twin.requestHeaders, ['content-type', 'text/plain'] as const] };
  expect(twinText({ ...contrast, twin: typed }, record), 'two things differ').toBe('');
  expect(twinText(FOUND, record)).toBe('');
});

test('says when only if that separates broken cases from good ones, and "only" if no other case is broken', () => {
  const said = (contrast: ReportedContrast): string => whenText({ musts: [], contrast });
  expect(said({ ...FOUND, when: 'with limit=4' })).toBe('only with limit=4: 2 of 2 responses; otherwise 0 of 701');
  expect(said(FOUND)).toBe('');
  const others = { broken: 3, of: 701 };
  expect(said({ ...FOUND, when: 'with limit=4', elsewhere: others })).toBe('with limit=4: 2 of 2 responses; otherwise 3 of 701');
  expect(said({ ...FOUND, when: 'in full lists', elsewhere: { broken: 0, of: 0 } })).toBe('');
});

test('says in which situations it is broken where nothing else says when', () => {
  const must = (title: string, verdict: 'pass' | 'fail' | 'inconclusive') => ({ title, verdict, note: '' });
  const broken = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((title) => must(title, 'fail'));
  const right = [must('ids of 31 bits', 'pass'), must('another', 'inconclusive')];
  expect(whenText({ musts: [...broken.slice(0, 1), ...right] })).toBe('in 1 situation: a; not in: ids of 31 bits');
  expect(whenText({ musts: [...broken, ...right] })).toBe('in 7 situations: a, b, c, d, e, 2 more; not in: ids of 31 bits');
  expect(whenText({ musts: broken })).toBe('');
  const cases = [{ summary: 'POST /pets returned 500' }];
  expect(whenText({ musts: [...broken, ...right], cases })).toBe('');
  expect(whenText({ musts: [...broken.slice(0, 1), ...right], cases })).toBe('in 1 situation: a; not in: ids of 31 bits');
  expect(whenText({ musts: [...broken, ...right], cases, flaky: true })).toMatch(/^once, and not when it was sent again; /);
  expect(whenText({ musts: [...broken, ...right], contrast: { ...FOUND, when: 'with limit=4' } })).toMatch(/^only with limit=4: /);
});

test('shows a request as clients send it before one without the headers that all of them send', () => {
  const clause = record.clauses.find(({ verdict }) => verdict === 'fail');
  if (clause === undefined) throw new Error('the sample has a failure');
  const usual = sampleExchange({ number: 2, request: 'GET /pets', status: 404, response: '{}' });
  const bare = { ...usual, number: 1, requestHeaders: usual.requestHeaders.filter(([name]) => name !== 'user-agent') };
  const findings = [bare, usual].map((exchange) => ({ summary: `#${exchange.number}`, expected: [], received: '', exchanges: [exchange] }));
  const { cases: _cases, ...rest } = clause;
  const [broken] = brokenClauses({ ...record, clauses: [{ ...rest, findings }] });
  expect(broken?.found).toBe('#2');
});
