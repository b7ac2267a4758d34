import type { InvariantJudgement } from '../../src/clause/clause.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeAnswer, describeRequest, finding } from '../../src/expect/expect.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import { atFirst, type Exchange } from '../../src/wire/exchange.ts';
import { LISTS } from '../cases/lists.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { randomToken } from '../cases/random-token.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { onConnection } from '../judging/on-connection.ts';

const MOMENTS = 3;

/**
 * Whether the response rejects the API key. 403 counts where the document says that the request succeeds: it knows no scopes
 * or roles. Elsewhere (an unusual name at a firewall) 403 may be about something else.
 */
function refusesKey(exchange: Exchange): boolean {
  const { intent } = exchange.request;
  if (intent.credential !== 'valid' || exchange.outcome.kind === 'failed') return false;
  const { status } = exchange.outcome.answer;
  if (status !== 403) return status === 401;
  if (intent.operation === 'createPet') return intent.body === 'plain';
  return intent.operation === 'getPet' ? false : intent.limit !== 'open' && intent.status !== 'open';
}

function judgeKey(exchange: Exchange): InvariantJudgement {
  if (exchange.request.intent.credential !== 'valid' || exchange.outcome.kind === 'failed') return 'not-applicable';
  if (!refusesKey(exchange)) return 'holds';
  const { status } = exchange.outcome.answer;
  return {
    summary: `${describeRequest(exchange)} with the API key returned ${status}`,
    expected: ['any status other than 401 and 403'],
    received: describeAnswer(exchange),
  };
}

function refusal(exchange: Exchange, when: string): Finding | undefined {
  const first = atFirst(exchange);
  answerOf(first);
  if (!refusesKey(first)) return undefined;
  return finding([first], {
    summary: `${describeRequest(first)} with the API key was rejected ${when}`,
    expected: ['200 with Pets', '200 with a Pet', '201 with a Pet'],
  });
}

async function lists(s: Session): Promise<Outcome> {
  return judgeRows(s, {
    rows: LISTS,
    judge: async (list) => {
      const refused = refusal(await s.api.list(list), 'on a list');
      if (refused === undefined) await s.fixtures.recognized();
      return refused;
    },
    evidence: `${LISTS.length} lists with and without parameters, all accepted`,
  });
}

async function read(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  return judgeRows(s, {
    rows: pets.slice(0, 1),
    judge: async ({ id }) => {
      const first = atFirst(await s.api.get(id));
      const { status } = answerOf(first);
      if (status !== 401 && status !== 403) await s.fixtures.existing();
      return status === 401 || status === 403
        ? finding([first], { summary: `${describeRequest(first)} with the API key was rejected`, expected: ['200 with a Pet'] })
        : undefined;
    },
    evidence: 'a read was accepted',
  });
}

/** Header names are case-insensitive (RFC 9110, section 5.1): gateways send them in lower case, most clients do not. */
const SPELLINGS = ['Authorization', 'AUTHORIZATION', 'authorization'];

async function headerName(s: Session): Promise<Outcome> {
  return judgeRows(s, {
    rows: SPELLINGS,
    judge: async (name) => {
      const credential = { note: `the API key in ${name}`, standing: 'valid', headers: [[name, `Bearer ${s.options.apiKey}`]] } as const;
      return refusal(await s.api.list({ limit: 1 }, { credential }), `in a header named ${name}`);
    },
    evidence: `${SPELLINGS.length} spellings of Authorization, all accepted`,
  });
}

async function create(s: Session): Promise<Outcome> {
  const creations = await s.fixtures.firstCreations();
  return judgeRows(s, {
    rows: creations,
    judge: async ({ exchange }) => {
      const refused = refusal(exchange, 'on a creation');
      if (refused === undefined) await s.fixtures.recognized();
      return refused;
    },
    evidence: `${creations.length} creations, all accepted`,
  });
}

/** Rejected requests and the API key alternate on one connection, which reveals a lockout or a remembered rejection. */
async function afterRefusals(s: Session): Promise<Outcome> {
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  return onConnection(s, async (connection) => {
    const found: (Finding | undefined)[] = [];
    for (const credential of [wrong, NO_HEADER, wrong]) {
      await s.api.list({}, { credential, connection });
      await s.api.list({}, { credential, connection });
      found.push(refusal(await s.api.list({}, { connection }), `after two requests with ${credential.note}`));
    }
    return judgeRows(s, {
      rows: found,
      judge: async (one) => one,
      evidence: `${found.length} lists right after rejected ones, all accepted`,
    });
  });
}

async function concurrently(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  const id = pets[0]?.id ?? 0n;
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  const requests = Array.from({ length: MOMENTS }).flatMap(() => [
    () => s.api.list({}, { atOnce: true }),
    () => s.api.get(id, { atOnce: true }),
    () => s.api.list({}, { credential: wrong, atOnce: true }),
    () => s.api.list({ status: 'available' }, { atOnce: true }),
  ]);
  return judgeRows(s, {
    rows: requests,
    judge: async (ask) => refusal(await ask(), 'among concurrent requests'),
    evidence: `${requests.length} concurrent requests, a quarter of them with a wrong key; all others accepted`,
  });
}

export const validKey = defineClause({
  id: 'auth.valid-key',
  chapter: 'authentication',
  section: 'Authentication',
  quote: ['The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.'],
  level: 'required',
  requirement: 'A request with the API key in the form `Authorization: Bearer <API_KEY>` is never rejected for its credential.',
  likelyCause:
    'Check that the configured key is correct. If the service rejects it only sometimes, a replica has an old key list, or rejected requests lock out the next client.',
  checks: [
    {
      id: 'list',
      title: 'Accepts lists with the API key',
      step: 'read',
      given: ['animal'],
      exhaustive: true,
      fault: 'right-key-refused-with-filter',
      run: lists,
    },
    {
      id: 'get',
      title: 'Accepts a read with the API key',
      step: 'read',
      given: ['pets', 'read'],
      fault: 'right-key-refused-on-get',
      run: read,
    },
    {
      id: 'header-name',
      title: 'Accepts the API key whatever the letter case of the header name',
      step: 'read',
      given: ['pets'],
      fault: 'authorization-in-capitals-not-read',
      run: headerName,
    },
    {
      id: 'create',
      title: 'Accepts a creation with the API key',
      step: 'first-page',
      given: ['animal'],
      effect: 'write',
      fault: 'right-key-refused-on-create',
      run: create,
    },
    {
      id: 'after-refusals',
      title: 'Accepts the API key right after rejected requests',
      step: 'read',
      given: ['pets'],
      fault: 'right-key-refused-after-wrong',
      run: afterRefusals,
    },
    {
      id: 'concurrently',
      title: 'Accepts the API key among concurrent requests',
      step: 'read',
      given: ['pets'],
      exhaustive: true,
      fault: 'right-key-refused-concurrently',
      run: concurrently,
    },
  ],
  invariants: [
    {
      id: 'every-request-with-key',
      title: 'No request with the API key is rejected for its credential',
      fault: 'right-key-refused-now-and-then',
      judge: judgeKey,
    },
  ],
});
