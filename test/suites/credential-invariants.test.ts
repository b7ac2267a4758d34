import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api, Credential } from '../../src/session/client/api.ts';
import { type OpenSession, openSession } from '../../src/session/open-session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { postRefused } from '../../suites/auth/post-refused.ts';
import { elsewhere } from '../../suites/cases/credentials-elsewhere.ts';
import { NO_HEADER } from '../../suites/cases/no-header.ts';
import { randomToken } from '../../suites/cases/random-token.ts';
import { wrongSchemes } from '../../suites/cases/wrong-schemes.ts';
import { knowledgeOf, listed, posted, type Reply, read } from '../exchange-samples.ts';
import { KEY, sessionOptions } from '../prove/judge-reference.ts';
import { broken, judge, type Row, testInvariant } from './judge-invariant.ts';

const NEW = { name: 'rex', categoryId: 1n };
const PET = { id: 7, name: 'rex', categoryId: 1 };
const seen = knowledgeOf([], [PET]);
const refused = (status: number, headers: Reply['headers'] = []): Reply => ({ status, body: {}, headers });
const ok = (body: unknown): Reply => ({ status: 200, body });

const [anotherScheme = NO_HEADER] = wrongSchemes(KEY);
const [keyElsewhere = NO_HEADER] = elsewhere(KEY);
const WRONG: Readonly<Record<string, Credential>> = {
  'auth.missing-credential/every-request-without-credential': NO_HEADER,
  'auth.wrong-key/every-request-with-wrong-key': randomToken(KEY, 1),
  'auth.wrong-scheme/every-request-with-wrong-scheme': anotherScheme,
};

for (const [invariant, credential] of Object.entries(WRONG)) {
  const others = [...Object.values(WRONG), keyElsewhere].filter((one) => one !== credential);
  const open: Credential = { ...credential, standing: 'open' };
  testInvariant(invariant, [
    ['a refused list', listed({}, refused(401), { credential }), 'holds'],
    [
      'a list',
      listed({ limit: 5 }, ok([]), { credential }),
      broken(`GET /pets?limit=5 with ${credential.note} returned 200; expected 401`),
    ],
    ['another refusal', listed({ status: 'sold' }, refused(403), { credential }), broken('returned 403')],
    ['a creation', posted(NEW, refused(201), { credential }), broken('returned 201')],
    ['an existing animal', read(7n, ok(PET), { credential }), broken('returned 200'), seen],
    ['an animal that nobody has seen', read(8n, refused(404), { credential }), 'not-applicable', seen],
    ['an id that is none', read('x', refused(400), { credential }), 'not-applicable', seen],
    ['a limit out of range', listed({ limit: 0 }, refused(400), { credential }), 'not-applicable'],
    ['an unknown status', listed({ status: 'gone' }, refused(400), { credential }), 'not-applicable'],
    ['a body that is invalid too', posted({}, refused(400), { credential, domain: 'invalid' }), 'not-applicable'],
    ['a body that is unusual', posted({}, refused(400), { credential, domain: 'unusual' }), 'not-applicable'],
    ['the right key', listed({}, ok([])), 'not-applicable'],
    ['a credential that may be right', listed({}, ok([]), { credential: open }), 'not-applicable'],
    ...others.map((other): Row => [`other credentials: ${other.note}`, listed({}, ok([]), { credential: other }), 'not-applicable']),
    ['no answer', listed({}, 'timeout', { credential }), 'not-applicable'],
  ]);
}

testInvariant('auth.valid-key/every-request-with-key', [
  ['a list', listed({}, ok([])), 'holds'],
  ['a crash', listed({}, refused(500)), 'holds'],
  ['a refused list', listed({}, refused(401)), broken('GET /pets with the API key returned 401')],
  ['a refused read', read(7n, refused(401)), broken('returned 401')],
  ['a refused creation, however odd', posted({}, refused(401), { domain: 'invalid' }), broken('returned 401')],
  ['a list that is forbidden', listed({ limit: 5, status: 'sold' }, refused(403)), broken('returned 403')],
  ['a plain creation that is forbidden', posted(NEW, refused(403)), broken('returned 403')],
  ['an unusual creation that is forbidden', posted(NEW, refused(403), { domain: 'unusual' }), 'holds'],
  ['a read that is forbidden', read(7n, refused(403)), 'holds'],
  ['a list of an odd limit that is forbidden', listed({ limit: 0 }, refused(403)), 'holds'],
  ['a list of an odd status that is forbidden', listed({ status: 'gone' }, refused(403)), 'holds'],
  ['another credential', listed({}, refused(401), { credential: NO_HEADER }), 'not-applicable'],
  ['no answer', listed({}, 'timeout'), 'not-applicable'],
]);

const challenged = (...values: readonly string[]): Exchange =>
  listed({}, refused(401, [['x', 'Bearer'], ...values.map((value) => ['www-authenticate', value] as const)]), { credential: NO_HEADER });

testInvariant('auth.challenge/every-401', [
  ['a Bearer challenge', challenged('Bearer realm="pets"'), 'holds'],
  ['a bare one in small letters', challenged('bearer'), 'holds'],
  ['one behind another', challenged('Basic realm="pets", Bearer'), 'holds'],
  ['one in a second header', challenged('Basic', 'Bearer, Basic'), 'holds'],
  [
    'another scheme',
    challenged('Basic realm="Bearer"'),
    broken('has no Bearer challenge', undefined, { received: 'WWW-Authenticate: Basic realm="Bearer"' }),
  ],
  ['a scheme that only begins alike', challenged('BearerToken'), broken('no Bearer challenge')],
  ['a scheme that only ends alike', challenged('x-Bearer'), broken('no Bearer challenge')],
  [
    'no challenge',
    challenged(),
    broken('the 401 response to GET /pets with no Authorization header has no WWW-Authenticate', undefined, {
      received: '401 {}, no WWW-Authenticate',
    }),
  ],
  ['another refusal', listed({}, refused(403)), 'not-applicable'],
  ['no answer', listed({}, 'timeout'), 'not-applicable'],
]);

describe('auth.refused-stores-nothing/every-response', () => {
  const LAW = 'auth.refused-stores-nothing/every-response';
  const credential = NO_HEADER;
  let open: OpenSession;
  beforeAll(async () => {
    // Nothing is sent: no server is needed.
    open = await openSession(sessionOptions('http://127.0.0.1:9/v1'));
  });
  afterAll(() => open.session.close());

  /** What is said of an exchange after a creation without the right key that was answered so. */
  async function judgedAfter(reply: Reply | 'timeout', exchange: Exchange) {
    const knowledge = knowledgeOf();
    const create: Api['create'] = async (...sent) => {
      expect(sent).toEqual([{ value: NEW }, { domain: 'plain', credential }]);
      return posted(NEW, reply, { credential });
    };
    await postRefused({ ...open.session, knowledge, api: { ...open.session.api, create } }, NEW, credential);
    return judge(LAW, [exchange], knowledge);
  }
  const finding = (words: string, pointer: string) => ({
    summary: expect.stringContaining(words),
    expected: [expect.any(String)],
    pointer,
    received: expect.stringMatching(/^200 /),
  });
  const list = listed({}, ok([{ ...PET, id: 8, name: 'tom' }, {}, PET]));

  test.each([401, 400, 300])('finds an animal that was answered %i, in a list and alone', async (status) => {
    expect(await judgedAfter(refused(status), list)).toMatchObject(finding('GET /pets shows rex', '/2'));
    expect(await judgedAfter(refused(status), read(7n, ok(PET)))).toMatchObject(finding('GET /pets/7 shows rex', ''));
  });

  test('holds where other animals are shown', async () => {
    expect(await judgedAfter(refused(401), listed({}, ok([{ ...PET, name: 'tom' }])))).toBe('holds');
    expect(await judgedAfter(refused(401), read(7n, ok({ ...PET, name: 'tom' })))).toBe('holds');
  });

  test.each<[string, Reply | 'timeout', Exchange]>([
    ['a creation that was let in', refused(299), list],
    ['a creation without an answer', 'timeout', list],
    ['a refusal', refused(401), read(7n, { status: 404, body: PET })],
    ['no JSON', refused(401), listed({}, { status: 200, text: '{' })],
    ['no answer', refused(401), listed({}, 'timeout')],
  ])('says nothing of %s', async (_case, reply, exchange) => {
    expect(await judgedAfter(reply, exchange)).toBe('not-applicable');
  });
});
