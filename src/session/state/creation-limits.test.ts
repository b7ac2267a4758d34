import { describe, expect, test } from 'vitest';
import { posted, type Reply } from '../../../test/support/exchange-samples.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { createCreationLimits } from './creation-limits.ts';

const error = (status: number): Reply => ({ status, body: { code: 'x', message: 'y', status } });
const plain = (reply: Reply | 'timeout'): Exchange => posted({ name: 'Rex', categoryId: 1 }, reply);
const inChunks = (exchange: Exchange): Exchange => ({ ...exchange, request: { ...exchange.request, chunked: true } });
const created = (): Exchange => plain({ status: 201, body: { id: 1, name: 'Rex', categoryId: 1 } });

/** A service with these responses to further plain creations, one after the other; undefined: none may be sent. */
function limitsOf(responses: readonly (Exchange | undefined)[], created = 8) {
  const left = [...responses];
  const entered: Exchange[] = [];
  const limits = createCreationLimits({
    created: () => created,
    createPlain: async () => left.shift(),
    enter: (exchange) => entered.push(exchange),
  });
  return { limits, entered, left };
}

describe('createCreationLimits', () => {
  test.each([403, 413, 507])('treats %d as a quota if plain creations are rejected in the same way', async (status) => {
    const { limits, entered } = limitsOf([plain(error(status)), plain(error(status))]);
    const rejected = posted({ name: 1 }, error(status), { domain: 'invalid' });
    await limits.consider(rejected);
    expect(limits.limitOf(rejected)).toMatchObject({
      cause: 'circumstance',
      by: 'quota',
      missing: `the service accepts no more creations after 8 (${status})`,
    });
    expect(entered).toHaveLength(2);
    expect(limits.limitOf(plain(error(400)))).toBeUndefined();
  });

  test.each<[string, readonly (Exchange | undefined)[]]>([
    ['another creation is accepted', [created()]],
    ['the second one is', [plain(error(403)), created()]],
    ['another creation is rejected otherwise', [plain(error(400))]],
    ['another creation gets no response', [plain('timeout')]],
    ['none may be sent', [undefined]],
  ])('judges a rejection if %s', async (_case, responses) => {
    const { limits, entered } = limitsOf(responses);
    await limits.consider(plain(error(403)));
    expect(limits.limitOf(plain(error(403)))).toBeUndefined();
    expect(entered).toEqual(responses.filter((one) => one !== undefined));
  });

  test.each<[string, Exchange]>([
    ['400', plain(error(400))],
    ['500', plain(error(500))],
    ['403 for a body in chunks', inChunks(plain(error(403)))],
    ['403 without an Error body', plain({ status: 403, text: 'Forbidden' })],
    ['403 without the API key', posted({}, error(403), { credential: { note: 'none', standing: 'refused', headers: [] } })],
    ['413 for a large body', posted({ name: 'x'.repeat(600), categoryId: 1 }, error(413))],
  ])('does not test %s', async (_case, exchange) => {
    const { limits, left } = limitsOf([plain(error(403)), plain(error(403))]);
    await limits.consider(exchange);
    expect([left.length, limits.limitOf(exchange)]).toEqual([2, undefined]);
  });

  test('tests once for all concurrent rejections, and gives up after three doubts', async () => {
    const { limits, left } = limitsOf([created(), created(), created(), created(), created()]);
    await Promise.all([limits.consider(plain(error(403))), limits.consider(plain(error(403)))]);
    for (let times = 0; times < 5; times += 1) await limits.consider(plain(error(403)));
    expect(left).toHaveLength(2);
  });

  test('leaves a rejection of every plain creation from the start undecided because of the service', async () => {
    const { limits, left } = limitsOf([created()], 0);
    await limits.consider(posted({}, error(403), { domain: 'invalid' }));
    expect(limits.limitOf(plain(error(403)))).toBeUndefined();
    await limits.consider(plain(error(403)));
    expect(limits.limitOf(posted({}, error(403), { domain: 'invalid' }))).toMatchObject({ cause: 'service', by: 'key' });
    expect(limits.limitOf(plain(error(507)))).toBeUndefined();
    expect(left).toHaveLength(1);
  });
});
