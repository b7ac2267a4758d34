import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { renderHar } from '../../src/report/render-har.ts';
import { renderHttp } from '../../src/report/render-http.ts';
import { renderHurl } from '../../src/report/render-hurl.ts';
import { failingOf } from '../../src/report/requests.ts';
import { sampleExchange, sampleRecord } from './sample-record.ts';

// A body that no text shows: a byte of a name is not UTF-8.

const BYTES = Buffer.from('{"name":"re\xff","categoryId":1}', 'latin1');

function recordOfBytes(): RunRecord {
  const record = sampleRecord();
  const [failed] = record.checks.filter(({ verdict }) => verdict === 'fail');
  if (failed === undefined) throw new Error('the sample has a failed check');
  const sent = sampleExchange({ number: 9, request: 'POST /pets', body: BYTES.toString('utf8'), status: 500, response: '{}' });
  const exchanges = [{ ...sent, requestBytes: BYTES.toString('base64') }];
  return { ...record, checks: [{ ...failed, findings: [{ summary: 's', expected: ['400'], received: '500', exchanges }] }] };
}

test('a Hurl file sends the bytes', () => {
  const record = recordOfBytes();
  expect(renderHurl(record, { what: 'failed', groups: failingOf(record) })).toContain(`\nbase64,${BYTES.toString('base64')};\n`);
});

test('a .http file says that it cannot', () => {
  const record = recordOfBytes();
  const text = renderHttp(record, { what: 'failed', groups: failingOf(record) });
  expect(text).toContain('# Not as a request, because no text shows the bytes of its body; as curl:');
  expect(text).not.toMatch(/^POST /m);
});

test('a HAR has them beside the text, with their number', () => {
  const { log } = JSON.parse(renderHar(recordOfBytes())) as { log: { entries: { request: { bodySize: number; postData: object } }[] } };
  expect(log.entries[0]?.request).toMatchObject({
    bodySize: BYTES.length,
    postData: { comment: `no text shows these bytes; as base64: ${BYTES.toString('base64')}` },
  });
});
