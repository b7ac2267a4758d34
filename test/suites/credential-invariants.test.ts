import { describe, expect, test } from 'vitest';
import { judgeCases } from '../../src/oracle/oracle.ts';
import { eventOf, worldOf } from '../../src/oracle/world.ts';
import type { Credential } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { everyRequest } from '../../suites/auth/every-request.clause.ts';
import { missingCredential } from '../../suites/auth/missing-credential.clause.ts';
import { precedence } from '../../suites/auth/precedence.clause.ts';
import { refusedStoresNothing } from '../../suites/auth/refused-stores-nothing.clause.ts';
import { elsewhere, randomToken, wrongSchemes } from '../../suites/cases/credentials.ts';
import { KEY } from '../prove/judge-reference.ts';
import { knowledgeOf, listed, posted, type Reply, read } from '../support/exchange-samples.ts';
import { broken, type Row, testInvariant } from './judge-invariant.ts';

const NEW = { name: 'rex', categoryId: 1n };
const PET = { id: 7, name: 'rex', categoryId: 1 };
const NEW_TOM = { ...NEW, name: 'tom' };
const TOM = { ...PET, name: 'tom' };
const seen = knowledgeOf([], [PET]);
const refused = (status: number, headers: Reply['headers'] = []): Reply => ({ status, body: {}, headers });
const ok = (body: unknown): Reply => ({ status: 200, body });

const FORBIDDEN = listed({}, refused(403));

const [anotherScheme = NO_CREDENTIAL] = wrongSchemes(KEY);
const [keyElsewhere = NO_CREDENTIAL] = elsewhere(KEY);
const WRONG: Readonly<Record<string, Credential>> = {
  'auth.missing-credential/every-request-without-credential': NO_CREDENTIAL,
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
    ['no response', listed({}, 'timeout', { credential }), 'not-applicable'],
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
  ['a list with an unknown parameter that is forbidden', { ...FORBIDDEN, request: { ...FORBIDDEN.request, query: 'page=2' } }, 'holds'],
  ['a read that is forbidden', read(7n, refused(403)), 'holds'],
  ['a list of an odd limit that is forbidden', listed({ limit: 0 }, refused(403)), 'holds'],
  ['a list of an odd status that is forbidden', listed({ status: 'gone' }, refused(403)), 'holds'],
  ['another credential', listed({}, refused(401), { credential: NO_CREDENTIAL }), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

const challenged = (...values: readonly string[]): Exchange =>
  listed({}, refused(401, [['x', 'Bearer'], ...values.map((value) => ['www-authenticate', value] as const)]), {
    credential: NO_CREDENTIAL,
  });

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
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

describe('auth.refused-stores-nothing', () => {
  const credential = NO_CREDENTIAL;

  /** The judgments on each response after a creation without the API key that got this reply. */
  function judgedAfter(reply: Reply | 'timeout', ...exchanges: readonly Exchange[]) {
    const inOrder = [posted(NEW, reply, { credential }), ...exchanges].map((exchange, index) => ({ ...exchange, number: index + 1 }));
    const events = inOrder.map(eventOf);
    const cases = refusedStoresNothing.rules?.flatMap((rule) => rule.judgeAll?.(worldOf(events, knowledgeOf())) ?? []) ?? [];
    return cases.map(({ breach }) => breach ?? 'holds');
  }
  const finding = (words: string, pointer: string) => ({
    summary: expect.stringContaining(words),
    expected: [expect.any(String)],
    pointer,
    received: expect.stringMatching(/^200 /),
    exchanges: [expect.objectContaining({ request: expect.objectContaining({ method: 'POST' }) }), expect.anything()],
  });
  const list = () => listed({}, ok([{ ...PET, id: 8, name: 'tom' }, {}, PET]));

  test.each([401, 400, 300])('finds an animal whose creation got %i, in a list and alone, whenever it is shown', (status) => {
    const others = listed({}, ok([{ ...PET, name: 'tom' }]));
    expect(judgedAfter(refused(status), others, list(), read(7n, ok(PET)))).toMatchObject([
      'holds',
      finding('GET /pets shows rex', '/2'),
      finding('GET /pets/7 shows rex', ''),
    ]);
  });

  test('holds if other animals are shown, or none', () => {
    const shown = [
      read(7n, ok({ ...PET, name: 'tom' })),
      read(7n, { status: 404, body: PET }),
      posted(NEW_TOM, { status: 201, body: TOM }),
    ];
    expect(judgedAfter(refused(401), ...shown)).toEqual(['holds', 'holds', 'holds']);
  });

  test.each<[string, Reply | 'timeout', readonly Exchange[]]>([
    ['a creation that was let in', refused(299), [list()]],
    ['a creation without a response', 'timeout', [list()]],
    ['a name that was created as well', refused(401), [posted(NEW, { status: 201, body: PET }), list()]],
    ['no JSON', refused(401), [listed({}, { status: 200, text: '{' })]],
    ['no response', refused(401), [listed({}, 'timeout')]],
  ])('says nothing of %s', (_case, reply, exchanges) => {
    expect(judgedAfter(reply, ...exchanges)).toEqual([]);
  });
});

describe('auth.every-request', () => {
  type Marked = readonly [asker: string, before: 'nothing' | 'the API key', status: number];

  /** The clauses that are broken if marked lists got these replies, with lists that say nothing about earlier requests. */
  function brokenBy(marked: readonly Marked[], ...unmarked: readonly number[]) {
    const credential = NO_CREDENTIAL;
    const others = unmarked.map((status) => listed({}, { status, body: {} }, { credential }));
    const events = [
      ...others,
      ...marked.map(([asker, before, status]) => {
        const exchange = listed({}, { status, body: {} }, { credential });
        const { request } = exchange;
        return { ...exchange, request: { ...request, asker, intent: { ...request.intent, before } } };
      }),
    ].map(eventOf);
    const history = { events, known: knowledgeOf(), unsent: new Map() };
    const cases = judgeCases([missingCredential, everyRequest], history);
    return [...cases].flatMap(([id, all]) =>
      all.some(({ breach, explainedBy }) => breach !== undefined && explainedBy === undefined) ? [id] : [],
    );
  }

  const ONE = 'auth.every-request/same-connection';
  const OTHER = 'auth.every-request/after-creation';
  const rejected: Marked = [ONE, 'nothing', 401];
  const accepted: Marked = [ONE, 'the API key', 200];

  test('explains what was accepted without the key, if each request after the key was accepted and none before', () => {
    expect(brokenBy([rejected, accepted, accepted], 200, 401)).toEqual(['auth.every-request']);
  });

  test.each<[string, readonly Marked[], readonly string[]]>([
    [
      'only one of each part was let in',
      [rejected, accepted, [OTHER, 'the API key', 200]],
      ['auth.missing-credential', 'auth.every-request'],
    ],
    [
      'one of the part was rejected',
      [rejected, accepted, accepted, [ONE, 'the API key', 401]],
      ['auth.missing-credential', 'auth.every-request'],
    ],
    ['nothing came before the key', [accepted, accepted], ['auth.missing-credential', 'auth.every-request']],
    ['one was let in before the key', [rejected, [ONE, 'nothing', 200], accepted, accepted], ['auth.missing-credential']],
    ['none was let in', [rejected, [ONE, 'the API key', 401]], ['auth.missing-credential']],
  ])('explains nothing if %s', (_case, marked, clauses) => {
    expect(brokenBy(marked, 200, 401)).toEqual(clauses);
  });
});

test('auth.precedence: a valid request with the credential that is accepted, or rejected in the same way, explains it', () => {
  const rows: readonly [right: number, broken: boolean][] = [
    [401, true],
    [403, true],
    [200, false],
    [400, false],
  ];
  for (const [right, isBroken] of rows) {
    const credential = NO_CREDENTIAL;
    const exchanges = [
      listed({ limit: 5 }, { status: right, body: [] }, { credential }),
      listed({ limit: 0 }, refused(400), { credential }),
    ];
    const history = { events: exchanges.map(eventOf), known: knowledgeOf(), unsent: new Map() };
    const cases = judgeCases([missingCredential, precedence], history).get('auth.precedence') ?? [];
    expect([right, cases.map(({ explainedBy }) => explainedBy)]).toEqual([right, [isBroken ? undefined : 'auth.missing-credential']]);
    expect(cases[0]?.breach?.summary).toMatch(/returned 400; expected 401/);
  }
});
