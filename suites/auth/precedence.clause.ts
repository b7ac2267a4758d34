import type { ClauseId } from '../../src/clause/clause.ts';
import { Halt } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { writeJson } from '../../src/wire/json.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { randomToken } from '../cases/random-token.ts';
import { defineClause } from '../define.ts';
import { afterFirstRejections } from '../judging/creations/first-rejections.ts';
import { judgeRow, judgeRows } from '../judging/judge-rows.ts';
import { postRefused } from './post-refused.ts';
import { readTarget } from './read-target.ts';
import { requireRejected } from './require-rejected.ts';
import { notUnauthorized } from './unauthorized.ts';

const BAD_QUERIES = ['limit=0', 'limit=101', 'limit=many', 'status=unknown', 'limit=-1&status=', 'page=2', 'limit=1&limit=2'];
const BAD_IDS = ['-1', 'many', '1.5', '9223372036854775808'];

type Refused = { readonly credential: Credential; readonly owner: ClauseId };

/** No key and a wrong key: a service may check either of them later than the rest. */
function credentials(s: Session): readonly Refused[] {
  return [
    { credential: NO_HEADER, owner: 'auth.missing-credential' },
    { credential: randomToken(s.options.apiKey, s.options.seed), owner: 'auth.wrong-key' },
  ];
}

/** The bad requests, with the credentials alternating. */
function inTurn<Row>(both: readonly Refused[], rows: readonly Row[]): (Refused & { readonly row: Row })[] {
  return rows.flatMap((row, index) => {
    const refused = both[index % both.length];
    return refused === undefined ? [] : [{ ...refused, row }];
  });
}

/** Those of the credentials that the service rejects on an otherwise valid request. One that it accepts breaks another clause; halts when it accepts all. */
async function rejectedOnes(s: Session, ask: (credential: Credential) => Promise<Exchange>): Promise<readonly Refused[]> {
  const both = await s.all(credentials(s), async (refused) => ({
    refused,
    judged: await judgeRow(async () => {
      await requireRejected(s, await ask(refused.credential), refused.owner);
      return undefined;
    }),
  }));
  const halts = both.flatMap(({ judged: { halted } }) => halted ?? []);
  if (halts[0] !== undefined && halts.length === both.length) throw new Halt(halts[0]);
  return both.filter(({ judged }) => judged.halted === undefined).map(({ refused }) => refused);
}

async function badLists(s: Session): Promise<Outcome> {
  const rejected = await rejectedOnes(s, (credential) => s.api.list({ limit: 5, status: 'available' }, { credential }));
  const rows = inTurn(rejected, BAD_QUERIES);
  return judgeRows(s, {
    rows,
    judge: async ({ credential, row }) => notUnauthorized(await s.api.list({}, { credential, rawQuery: row })),
    evidence: `${rows.length} lists with invalid or unknown parameters, each of which returned 401`,
  });
}

async function badReads(s: Session): Promise<Outcome> {
  const { id, judged } = await readTarget(s);
  const rejected = await rejectedOnes(s, async (credential) => judged(await s.api.get(id, { credential })));
  const rows = inTurn(rejected, [await s.fixtures.absentId(), ...BAD_IDS]);
  return judgeRows(s, {
    rows,
    judge: async ({ credential, row }) => notUnauthorized(await s.api.get(row, { credential })),
    evidence: `${rows.length} reads of missing animals and invalid ids, each of which returned 401`,
  });
}

type BadBody = { readonly raw: string | undefined; readonly type?: string };

function badBodies(plain: { name: string; categoryId: bigint }): readonly BadBody[] {
  const { name, categoryId } = plain;
  const good = writeJson({ name, categoryId });
  return [
    { raw: undefined },
    { raw: '{' },
    { raw: '[]' },
    { raw: '{}' },
    { raw: writeJson({ name }) },
    { raw: writeJson({ name: 1, categoryId }) },
    { raw: writeJson({ name, categoryId: 'one' }) },
    { raw: writeJson({ name, categoryId, status: 'unknown' }) },
    { raw: good, type: 'text/plain' },
  ];
}

async function badCreations(s: Session): Promise<Outcome> {
  await afterFirstRejections(s);
  const bodies = badBodies(await s.fixtures.plain());
  const rejected = await rejectedOnes(s, async (credential) => postRefused(s, await s.fixtures.plain(), credential));
  const rows = inTurn(rejected, bodies);
  return judgeRows(s, {
    rows,
    judge: async ({ credential, row: { raw, type } }) => {
      const headers = [['content-type', type ?? 'application/json']] as const;
      return notUnauthorized(await s.api.create({ raw }, { domain: 'open', credential, headers }));
    },
    evidence: `${rows.length} bodies that are not a NewPet, each of which returned 401`,
  });
}

export const precedence = defineClause({
  id: 'auth.precedence',
  chapter: 'authentication',
  section: 'Authentication',
  quote: [
    'The requirement applies globally, to every operation.',
    'When the key is missing or invalid, the service answers `401` with an Error body.',
  ],
  level: 'implied',
  derivation:
    'The requirement applies globally, to every operation, and a missing or invalid key returns 401 without any condition on the rest of the request. So nothing else about a request can change that response.',
  requirement: 'A request without the API key returns 401 whatever else is wrong with it: body, animal, limit, status, or petId.',
  likelyCause: 'Validation or routing runs before authentication, which tells strangers which animals exist and how to build requests.',
  checks: [
    {
      id: 'invalid-list',
      title: 'Lists with invalid parameters and without the API key return 401',
      step: 'read',
      given: ['pets', 'rejection', 'auth.wrong-key'],
      fault: 'bad-limit-before-credential',
      run: badLists,
    },
    {
      id: 'invalid-get',
      title: 'Reads of missing animals and invalid ids without the API key return 401',
      step: 'read',
      given: ['animal', 'read', 'rejection', 'auth.wrong-key'],
      fault: 'missing-animal-before-credential',
      run: badReads,
    },
    {
      id: 'invalid-create',
      title: 'Bodies that are not a NewPet return 401 without the API key',
      step: 'first-page',
      given: ['pets', 'rejection', 'auth.wrong-key'],
      effect: 'write',
      fault: 'body-validated-before-credential',
      run: badCreations,
    },
  ],
});
