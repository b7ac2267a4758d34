import type { Chapter, ClauseId, Level } from '../../src/clause/clause.ts';
import { judgedShares } from '../../src/clause/clause-counts.ts';
import type { ClauseRecord, MustRecord, ReportedFinding, ReportedLife } from '../../src/clause/clause-record.ts';
import type { Verdict } from '../../src/clause/outcome.ts';
import { RUN_RECORD_VERSION, type RunRecord, type RunTimeline } from '../../src/clause/run-record.ts';
import { type HttpResponse, type Outgoing, USER_AGENT } from '../../src/wire/exchange.ts';
import { createRedactor } from '../../src/wire/redact.ts';
import type { RedactedExchange } from '../../src/wire/redacted-exchange.ts';
import { type Intent, redactExchange, type SentExchange } from '../support/exchange-samples.ts';

export const CANARY_KEY = 'canary-3f9d2c71b8e6405a';
const BASE_URL = 'https://staging.pets.example/v1';
const redact = createRedactor(CANARY_KEY);

const INTENT: Intent = { operation: 'listPets', credential: 'valid', credentialNote: 'the API key' };

export type SampleExchange = {
  readonly number: number;
  readonly request: string;
  readonly intent?: Partial<Intent>;
  readonly body?: string;
  readonly status?: number;
  readonly response?: string;
  readonly responseHeaders?: HttpResponse['headers'];
  readonly failure?: string;
};

/** A redacted exchange as a run would record it; `request` is `GET /pets?limit=5`. */
export function sampleExchange(sample: SampleExchange): RedactedExchange {
  const [method = 'GET', target = '/pets'] = sample.request.split(' ');
  const [path = '', query = ''] = target.split('?');
  const response = sample.response ?? '[]';
  const exchange: SentExchange = {
    number: sample.number,
    request: {
      method: method as Outgoing['method'],
      path,
      query,
      headers: [
        ...(sample.intent?.credential === 'refused' ? [] : [['authorization', `Bearer ${CANARY_KEY}`] as const]),
        ['accept', 'application/json'],
        ['user-agent', USER_AGENT],
        ...(sample.body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ],
      body: sample.body,
      intent: { ...INTENT, ...sample.intent },
    },
    timings: { startedAt: sample.number * 13.5, duration: 4.2 + (sample.number % 7) * 3.1 },
    retried: false,
    postponed: 0,
    outcome:
      sample.failure !== undefined
        ? { kind: 'failed', failure: { reason: 'timeout', message: sample.failure, stale: false } }
        : {
            kind: 'answered',
            answer: {
              status: sample.status ?? 200,
              headers: sample.responseHeaders ?? [
                ['content-type', 'application/json'],
                ['date', 'Sat, 21 Nov 2026 02:08:42 GMT'],
              ],
              size: Buffer.byteLength(response),
              text: response,
              json: { ok: true, value: null },
            },
          },
  };
  return redactExchange(exchange, { baseUrl: BASE_URL, redact, apiKey: CANARY_KEY });
}

type ClauseSketch = readonly [id: string, chapter: Chapter, level: Level, requirement: string, verdict: Verdict];

const SKETCHES: readonly ClauseSketch[] = [
  ['versioning.base-path', 'versioning', 'required', 'The base address ends in the path segment /v1.', 'pass'],
  ['auth.missing-credential', 'authentication', 'required', 'A request without a credential returns 401 with an Error body.', 'pass'],
  ['auth.wrong-key', 'authentication', 'required', 'A key that is not the right one returns 401 with an Error body.', 'pass'],
  ['auth.wrong-scheme', 'authentication', 'required', 'A credential of another scheme returns 401 with an Error body.', 'pass'],
  ['auth.header-only', 'authentication', 'required', 'The key counts in the Authorization header only.', 'inconclusive'],
  ['auth.precedence', 'authentication', 'implied', 'A request without the right key returns 401 whatever else is wrong with it.', 'waived'],
  ['auth.challenge', 'authentication', 'advised', 'A 401 carries a WWW-Authenticate header.', 'fail'],
  ['auth.scheme-case', 'authentication', 'open', 'What a lower-case scheme word gets is recorded.', 'observed'],
  ['list.success', 'list-pets', 'required', 'GET /pets with the key returns 200 with Pets.', 'pass'],
  ['list.limit-maximum', 'list-pets', 'required', 'A list never has more animals than its limit.', 'fail'],
  ['list.limit-default', 'list-pets', 'required', 'Without a limit a list has at most 20 animals.', 'pass'],
  ['list.status-filter', 'list-pets', 'required', 'A list filtered by status has only animals of that status.', 'pass'],
  [
    'list.filter-complete',
    'list-pets',
    'implied',
    'The filter comes before the limit: no match is left out while the page has room.',
    'inconclusive',
  ],
  ['list.limit-out-of-range', 'list-pets', 'open', 'What a limit outside 1 to 100 gets is recorded.', 'observed'],
  ['list.order', 'list-pets', 'open', 'The order of a list is recorded.', 'observed'],
  ['create.success', 'create-pet', 'required', 'A NewPet returns 201 with the created Pet.', 'pass'],
  ['create.category-range', 'create-pet', 'required', 'A categoryId outside int64 returns 400 with an Error body.', 'pass'],
  ['create.round-trip', 'create-pet', 'implied', 'What is stored is what was sent, digit by digit.', 'fail'],
  ['create.unusual-names', 'create-pet', 'implied', 'An unusual name is refused with 400 or kept exactly.', 'pass'],
  ['create.default-status', 'create-pet', 'open', 'The status of an animal created without one is recorded.', 'observed'],
  ['get.success', 'get-pet', 'required', 'An existing animal returns 200 with a Pet.', 'pass'],
  ['get.not-found', 'get-pet', 'required', 'An animal that does not exist returns 404 with an Error body.', 'pass'],
  ['deprecation.still-works', 'deprecation', 'required', 'Until 5 December 2030 an animal can be read by its id.', 'pass'],
  ['errors.shape', 'errors', 'required', 'Every error body is an Error: code, message and status.', 'pass'],
  ['errors.answers', 'errors', 'implied', 'Every request gets a complete HTTP response.', 'fail'],
  ['errors.codes', 'errors', 'open', 'The values of code are recorded by situation.', 'observed'],
  ['media.json', 'media-type', 'required', 'Every body is application/json.', 'pass'],
  ['record.pet', 'records', 'required', 'Every returned animal is a Pet.', 'fail'],
];

const SECTIONS: Readonly<Record<Chapter, string>> = {
  versioning: 'Versioning',
  authentication: 'Authentication',
  'list-pets': '1. List animals',
  'create-pet': '2. Add an animal',
  'get-pet': '3. Get an animal (deprecated)',
  deprecation: 'Versioning',
  errors: 'Errors',
  'media-type': 'What the service does',
  records: 'Resources and their fields',
  'own-rules': 'House rules',
};

function sampleClause([id, chapter, level, requirement, verdict]: ClauseSketch): ClauseRecord {
  const derivation =
    level === 'implied'
      ? { derivation: `It follows from “${SECTIONS[chapter]}” and from what a record is: a reader could not rely on it otherwise.` }
      : {};
  const likelyCause =
    'A framework that coerces query strings, or a proxy in front of the service, changes the value; compare what the handler receives with what was sent.';
  const head = { id: id as ClauseId, chapter, section: SECTIONS[chapter], level, requirement, likelyCause, verdict, ...derivation };
  const outcome = outcomeOf(id, verdict);
  const title = `${requirement.replace(/\.$/, '')} (sample)`;
  const { note, why, blockedBy } = outcome;
  const must = { title, verdict, note, ...(why === undefined ? {} : { why }), ...(blockedBy === undefined ? {} : { blockedBy }) };
  const life = id === 'create.round-trip' ? { life: LIFE } : {};
  return { ...head, ...life, musts: [must, ...(verdict === 'fail' ? [FINE] : [])], findings: [], observations: [], ...outcome };
}

const LIMIT_BODY = JSON.stringify(
  Array.from({ length: 6 }, (_, index) => ({ id: 9_000 + index, name: `conformanceqwe${index}`, categoryId: 7, status: 'available' })),
);

const SENT = '{"name":"conformanceabcdef","categoryId":9007199254740993,"status":"pending"}';

function findings(id: string): readonly ReportedFinding[] {
  switch (id) {
    case 'list.limit-maximum':
      return [
        {
          summary: 'a limit of 5 returned 6 animals',
          expected: ['at most 5 animals'],
          received: '6 animals',
          pointer: '/5',
          exchanges: [sampleExchange({ number: 41, request: 'GET /pets?limit=5', response: LIMIT_BODY })],
        },
        {
          summary: 'a limit of 1 returned 2 animals',
          expected: ['at most 1 animal'],
          received: '2 animals',
          pointer: '/1',
          exchanges: [
            sampleExchange({
              number: 42,
              request: 'GET /pets?limit=1',
              response: '[{"id":1,"name":"a","categoryId":7},{"id":2,"name":"b","categoryId":7}]',
            }),
          ],
        },
      ];
    case 'create.round-trip':
      return [
        {
          summary: 'categoryId 9007199254740993 comes back as 9007199254740992',
          expected: ['categoryId 9007199254740993', '400 with an Error body when the category is refused'],
          received: 'categoryId 9007199254740992',
          pointer: '/categoryId',
          exchanges: [
            sampleExchange({
              number: 201,
              request: 'POST /pets',
              body: SENT,
              status: 201,
              response: SENT.replace('{', '{"id":77,'),
              intent: { operation: 'createPet' },
            }),
            sampleExchange({ number: 202, request: 'GET /pets?status=pending&limit=100', response: '[]' }),
            sampleExchange({
              number: 203,
              request: 'GET /pets/77',
              response: '{"id":77,"name":"conformanceabcdef","categoryId":9007199254740992,"status":"pending"}',
              intent: { operation: 'getPet' },
            }),
          ],
        },
      ];
    case 'errors.answers':
      return [
        {
          summary: 'GET /pets/9223372036854775807 got no complete response within 10 s',
          expected: ['any complete HTTP response'],
          received: 'no complete response (timeout)',
          exchanges: [
            sampleExchange({
              number: 230,
              request: 'GET /pets/9223372036854775807',
              failure: 'no complete response within 10000 ms',
              intent: { operation: 'getPet' },
            }),
          ],
        },
      ];
    case 'auth.challenge':
      return [
        {
          summary: 'a 401 has no WWW-Authenticate header',
          expected: ['WWW-Authenticate: Bearer …'],
          received: 'no such header',
          exchanges: [
            sampleExchange({
              number: 3,
              request: 'GET /pets',
              status: 401,
              response: `{"code":"unauthorized","message":"who is ${CANARY_KEY}?","status":401}`,
              intent: { credential: 'refused', credentialNote: 'no Authorization header' },
            }),
          ],
        },
      ];
    default:
      return [
        {
          summary: 'the request without a key returned 400, not 401',
          expected: ['401 with an Error body'],
          received: '400 {"code":"bad_request"}',
          exchanges: [
            sampleExchange({
              number: 12,
              request: 'POST /pets',
              body: '{}',
              status: 400,
              response: '{"code":"bad_request","message":"name is missing","status":400}',
            }),
          ],
        },
      ];
  }
}

export const BESIDE_WAIVERS =
  'waived was getPet, id: expected an integer, received another type (entry 1). This is getPet, id: expected an integer, received null';

const FINE: MustRecord = { title: 'the rest', verdict: 'pass', note: '40 responses as required' };

function outcomeOf(id: string, verdict: Verdict): Pick<ClauseRecord, 'note'> & Partial<ClauseRecord> {
  switch (verdict) {
    case 'pass':
      return { note: '12 lists, 240 animals, none over its limit' };
    case 'observed':
      return { note: 'observed', observations: [{ question: `${id}: what it gets`, answer: 'returned 400 invalid_request' }] };
    case 'inconclusive':
      return { note: 'no animal could be created: POST /pets returned 500', blockedBy: 'create.success' };
    case 'waived':
      return {
        note: 'fixed in the next release (PET-112, until 2026-12-24)',
        findings: findings(id),
        failureKinds: [
          {
            ...{ operation: 'createPet', place: 'HTTP status', expected: '401', received: '4xx', cases: 1 },
            waiver: { entry: 2, reason: 'fixed in the next release', ticket: 'PET-112', expires: '2026-12-24' },
          },
        ],
      };
    case 'fail': {
      const found = findings(id);
      const summary = found[0]?.summary ?? '';
      const broken = { note: summary, findings: found };
      if (id !== 'record.pet') return broken;
      const cases = [12, 13, 14].map((exchange) => ({ summary, exchange }));
      return { ...broken, cases, evidence: { judged: 412, broken: 3 }, besideWaivers: BESIDE_WAIVERS };
    }
    case 'not-applicable':
      return { note: 'getPet sends no Sunset header' };
    default:
      return verdict satisfies never;
  }
}

/** A run with every verdict, several findings, a sequence, a waiver, and statistics: the sample for reports. */
/** What the responses of the sample run showed of the animal whose category comes back changed. */
const LIFE: ReportedLife = {
  id: '77',
  sent: { name: '"conformanceabcdef"', categoryId: '9007199254740993', status: '"pending"' },
  sights: [
    { place: 'creation', exchange: 201, asked: 'POST /pets', status: 201, at: 2_713, shows: 'the animal' },
    { place: 'filtered', exchange: 202, asked: 'GET /pets?status=pending&limit=100', status: 200, at: 2_727, shows: 'no animal' },
    {
      ...{ place: 'read', exchange: 203, asked: 'GET /pets/77', status: 200, at: 2_740, shows: 'another value', isWrong: true, times: 2 },
      other: { member: 'categoryId', sent: '9007199254740993', shown: '9007199254740992' },
    },
  ],
  of: 4,
};

/** Sixty requests on three lanes: of those that break a clause, the last one got no response. */
function sampleTimeline(): RunTimeline {
  const places = Array.from({ length: 60 }, (_unused, place) => place);
  return {
    requests: 843,
    starts: places.map((place) => Math.floor(place / 3) * 240 + (place % 3) * 10),
    durations: places.map((place) => (place === 59 ? 250 : 12 + ((place * 37) % 29))),
    lanes: places.map((place) => place % 3),
    operations: places.map((place) => (place * 7) % 3),
    classes: places.map((place) => (place === 59 ? 0 : place % 5 === 4 ? 4 : 2)),
    broken: [
      { clause: 'list.limit-maximum', places: [12, 21, 30], of: 601 },
      { clause: 'errors.answers', places: [59] },
    ],
    phases: [
      { title: 'the opening', from: 0 },
      { title: 'a small store', from: 90 },
      { title: 'the end', from: 4_600 },
    ],
  };
}

export function sampleRecord(changes: Partial<RunRecord> = {}): RunRecord {
  const clauses = SKETCHES.map(sampleClause);
  const durations = (scale: number, amount: number): number[] =>
    Array.from({ length: amount }, (_, index) => Math.round((3 + ((index * 37) % 29) * scale + (index % 41 === 0 ? 180 : 0)) * 10) / 10);
  return {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version: '1.0.0' },
    target: { baseUrl: BASE_URL, reference: false },
    startedAt: '2026-11-21T02:08:42.123Z',
    duration: 4_812.4,
    options: { depth: 'standard', seed: 1_734_209_911, readOnly: false, strict: false, only: [], skip: [], now: '2026-11-21' },
    conclusion: {
      exitCode: 1,
      headline: 'not conformant: 4 clauses broken',
      reasons: ['list.limit-maximum', 'create.round-trip', 'errors.answers', 'record.pet'],
    },
    interrupted: false,
    judged: judgedShares(clauses),
    clauses,
    animals: {
      created: Array.from({ length: 112 }, (_, index) => ({
        id: String(9_000n + BigInt(index)),
        name: `conformanceqwe${index}`,
        status: 'available' as const,
      })),
      ambiguous: ['conformancelost'],
      budget: 250,
      prefix: 'conformance',
    },
    operations: [
      { operation: 'listPets', requests: 412, statuses: { '200': 380, '400': 12, '401': 20 }, durations: durations(0.9, 412) },
      { operation: 'createPet', requests: 198, statuses: { '201': 112, '400': 66, '401': 20 }, durations: durations(1.7, 198) },
      { operation: 'getPet', requests: 233, statuses: { '200': 190, '401': 20, '404': 22, failed: 1 }, durations: durations(0.6, 233) },
    ],
    departures: [],
    traits: {
      headers: { 'listPets 200': ['content-type', 'date'], 'getPet 404': ['content-type', 'date'] },
      members: { pet: ['categoryId', 'id', 'name', 'status'], error: ['code', 'message', 'status'] },
    },
    timeline: sampleTimeline(),
    notices: ['2 responses of 429 were waited for, 3 s in all'],
    ...changes,
  };
}

/**
 * A text that tries to break reports: markup, attribute and CDATA breakers, terminal, direction and line tricks, Markdown and workflow
 * commands.
 */
export const HOSTILE_TEXT = [
  '<script>document.title="pwned"</script><img src=x onerror=alert(1)>"><svg/onload=alert(1)>',
  `' onmouseover='alert(1)' \`x\` ]]> <!-- --> </pre></textarea></style></title>`,
  '\u001b[31mred\u001b]0;title\u0007 \u0000\u0008\u009b31m \u202Egnp.exe\u2066 \uD800 \uFFFE',
  '::error::forged%0A\n::set-output name=x::y',
  `##[error]forged ##vso[task.setvariable variable=PATH]forged ##teamcity[buildStop comment='forged']`,
  '```\n# forged heading\n| a | b |\n[x](javascript:alert(1)) <details> @everyone &amp; %3Cscript%3E {{ secrets.X }}',
  '\r\nforged: line\u2028\u2029 end',
].join('\n');

const hostileLife = ({ sights, of }: ReportedLife, text: string): ReportedLife => ({
  ...{ id: text, sent: { name: text, categoryId: text, status: text }, of },
  sights: sights.map((one) => ({ ...one, asked: text, other: { member: text, sent: text, shown: text } })),
});

/** The record with the text in every field that a service, or a user, can influence. */
export function hostileRecord(text: string = HOSTILE_TEXT): RunRecord {
  const record = sampleRecord();
  const exchange = sampleExchange({
    number: 9,
    request: 'POST /pets',
    body: JSON.stringify({ name: text }),
    status: 200,
    response: text,
    responseHeaders: [
      ['content-type', text.slice(0, 10_000)],
      ['x-hostile', text.slice(0, 10_000)],
    ],
  });
  // As if redaction had not cleaned anything: a report does not rely on it.
  const raw: RedactedExchange = {
    ...exchange,
    url: text,
    requestBody: text,
    curl: text,
    credential: text,
    answer: { kind: 'answered', status: 200, headers: [[text, text]], body: text, size: text.length },
  };
  const lost: RedactedExchange = { ...raw, answer: { kind: 'failed', reason: text, message: text } };
  const hostile = (exchanges: readonly RedactedExchange[]): ReportedFinding => ({
    summary: text,
    expected: [text, text],
    received: text,
    pointer: text,
    exchanges,
  });
  return {
    ...record,
    target: { baseUrl: text, reference: false },
    conclusion: { ...record.conclusion, headline: text, reasons: [text] },
    clauses: record.clauses.map((clause) => ({
      ...clause,
      ...{ likelyCause: text, requirement: text, section: text, note: text },
      musts: clause.musts.map((must) => ({ ...must, title: text, note: text })),
      findings: clause.findings.length === 0 ? [] : [hostile([exchange, raw]), hostile([lost])],
      ...(clause.life === undefined ? {} : { life: hostileLife(clause.life, text) }),
      observations: clause.observations.map(() => ({ question: text, answer: text })),
    })),
    animals: { ...record.animals, created: [{ id: text, name: text }], ambiguous: [text], prefix: text },
    operations: record.operations.map((one) => ({ ...one, statuses: { ...one.statuses, [text]: 1 } })),
    traits: { headers: { [text]: [text] }, members: { [text]: [text] } },
    notices: [text],
  };
}
