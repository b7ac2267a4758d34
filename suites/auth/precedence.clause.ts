import type { ClauseId } from '../../src/clause/clause.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { writeJson } from '../../src/wire/json.ts';
import { NO_HEADER, randomToken } from '../cases/credentials.ts';
import { defineClause } from '../define.ts';
import { afterFirstRejections } from '../judging/creations/first-rejections.ts';
import { post } from '../judging/creations/read-back.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { readTarget } from './read-target.ts';
import { notUnauthorized, postRefused, provedRefused } from './unauthorized-requests.ts';

const BAD_QUERIES = ['limit=0', 'limit=101', 'limit=many', 'status=unknown', 'limit=-1&status=', 'page=2', 'limit=1&limit=2'];
const BAD_IDS = ['-1', 'many', '1.5', '9223372036854775808'];

type Refused = { readonly credential: Credential; readonly owner: ClauseId };

/** Nothing and a wrong key: a service may look at either of them later than at the rest. */
function credentials(s: Session): readonly Refused[] {
  return [
    { credential: NO_HEADER, owner: 'auth.missing-credential' },
    { credential: randomToken(s.options.apiKey, s.options.seed), owner: 'auth.wrong-key' },
  ];
}

/** The bad requests, with the refused credentials in turn. */
function inTurn<Row>(s: Session, rows: readonly Row[]): (Refused & { readonly row: Row })[] {
  const both = credentials(s);
  return rows.flatMap((row, index) => {
    const refused = both[index % both.length];
    return refused === undefined ? [] : [{ ...refused, row }];
  });
}

/** Halts when the credential is let in where nothing else is wrong: that would break another clause, and this one too. */
async function proveRefused(s: Session, ask: (credential: Credential) => Promise<Exchange>): Promise<void> {
  for (const { credential, owner } of credentials(s)) await provedRefused(s, await ask(credential), owner);
}

async function badLists(s: Session): Promise<Outcome> {
  await s.fixtures.recognized();
  await proveRefused(s, (credential) => s.api.list({ limit: 5, status: 'available' }, { credential }));
  const rows = inTurn(s, BAD_QUERIES);
  return judgeRows(s, {
    rows,
    judge: async ({ credential, row }) => notUnauthorized(await s.api.list({}, { credential, rawQuery: row })),
    evidence: `${rows.length} lists with bad or unknown parameters, each answered 401`,
  });
}

async function badReads(s: Session): Promise<Outcome> {
  const { id, judged } = await readTarget(s);
  await proveRefused(s, async (credential) => judged(await s.api.get(id, { credential })));
  const rows = inTurn(s, [await s.fixtures.absentId(), ...BAD_IDS]);
  return judgeRows(s, {
    rows,
    judge: async ({ credential, row }) => notUnauthorized(await s.api.get(row, { credential })),
    evidence: `${rows.length} reads of missing animals and of ids that are none, each answered 401`,
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
  await s.fixtures.recognized();
  await afterFirstRejections(s);
  const bodies = badBodies(await s.fixtures.plain());
  await proveRefused(s, async (credential) => postRefused(s, await s.fixtures.plain(), credential));
  const rows = inTurn(s, bodies);
  return judgeRows(s, {
    rows,
    judge: async ({ credential, row: { raw, type } }) => {
      const headers = [['content-type', type ?? 'application/json']] as const;
      return notUnauthorized(await post(s, { raw }, { domain: 'open', credential, headers }));
    },
    evidence: `${rows.length} bodies that are no NewPet, each answered 401`,
  });
}

export const precedence = defineClause({
  id: 'auth.precedence',
  chapter: 'authentication',
  section: 'Authentication',
  level: 'implied',
  derivation:
    'The requirement applies globally, to every operation, and a missing or invalid key is answered 401 without any condition on the rest of the request; so nothing else about a request can change that answer.',
  requirement: 'A request without the right key is answered 401 whatever else is wrong with it: body, animal, limit, status or petId.',
  likelyCause: 'Validation or the router runs before authentication. It tells strangers which animals exist and how requests are built.',
  checks: [
    {
      id: 'lists',
      title: 'Lists with bad parameters and without the right key are answered 401',
      step: 'read',
      fault: 'bad-limit-before-credential',
      run: badLists,
    },
    {
      id: 'reads',
      title: 'Reads of missing animals and of bad ids without the right key are answered 401',
      step: 'read',
      fault: 'missing-animal-before-credential',
      run: badReads,
    },
    {
      id: 'creations',
      title: 'Bodies that are no NewPet, sent without the right key, are answered 401',
      step: 'write',
      effect: 'write',
      fault: 'body-validated-before-credential',
      run: badCreations,
    },
  ],
});
