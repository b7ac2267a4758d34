import { expect, test } from 'vitest';
import { listed, redactExchange } from '../../test/support/exchange-samples.ts';
import { createRedactor } from '../wire/redact.ts';
import { describeRequest, hasValidKey } from './exchanges.ts';

const KEY = 'pk-exchanges-Zx81mPq';

test.each<[value: string, standing: 'valid' | 'refused']>([
  [`Bearer ${KEY}`, 'valid'],
  [` Bearer ${KEY}\t`, 'valid'],
  [KEY, 'refused'],
  [`Bearer Bearer ${KEY}`, 'refused'],
  [`Bearer ${KEY} extra`, 'refused'],
  [`Bearer ${KEY},extra`, 'refused'],
  [`Bearer ${KEY}=`, 'refused'],
])('Only the documented credential counts as the API key: "%s" is %s', (value, standing) => {
  const { request, ...rest } = listed({ status: 403, body: {} });
  const sent = { ...request, headers: [['authorization', value] as const], intent: { ...request.intent, credential: standing } };
  const options = { baseUrl: 'http://127.0.0.1:9/v1', redact: createRedactor(KEY), apiKey: KEY };
  const shown = redactExchange({ ...rest, request: sent }, options);
  expect(hasValidKey(shown)).toBe(standing === 'valid');
  expect(describeRequest(shown)).toBe(`GET /pets${standing === 'valid' ? '' : ' without a valid key'}`);
});
