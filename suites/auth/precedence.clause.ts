import type { Rule } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Credential } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import type { Session } from '../../src/session/session.ts';
import { writeJson } from '../../src/wire/json.ts';
import { randomToken } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { afterFirstRejections } from '../stimuli/creations.ts';
import { CARRIED_OVER, judgeRejection, lacksMoreThanKey, SAME_CREDENTIAL } from './rejections.ts';
import { postWith, readTarget } from './requests.ts';

const BAD_QUERIES = ['limit=0', 'limit=101', 'limit=many', 'status=unknown', 'limit=-1&status=', 'page=2', 'limit=1&limit=2', 'status=%E9'];
/** What a router or a parser rejects before the key is checked; the last two are ids that a double or an int32 cannot hold. */
const BAD_IDS = ['-1', 'many', '1.5', '9223372036854775808', '9223372036854775807', '2147483648'];

/**
 * Whatever else is wrong with a request, its credential is checked first. If it is accepted in a valid request, that breaks another clause.
 */
const FIRST: Rule = {
  layer: 'failure',
  contrasted: true,
  after: CARRIED_OVER,
  simpler: { clauses: ['auth.missing-credential', 'auth.wrong-key'], ...SAME_CREDENTIAL },
  judge: (event, world) => (lacksMoreThanKey(event, world) ? judgeRejection(event) : 'not-applicable'),
};

/** A service may check either of them after the rest. */
function credentialsOf(s: Session): readonly [Credential, Credential] {
  return [NO_CREDENTIAL, randomToken(s.options.apiKey, s.options.seed)];
}

async function sendInTurn<Row>(
  s: Session,
  rows: readonly Row[],
  { right, bad }: { right(credential: Credential): Promise<unknown>; bad(row: Row, credential: Credential): Promise<unknown> },
): Promise<void> {
  const both = credentialsOf(s);
  await s.all(both, right);
  const mixed = rows.map((row, index) => ({ row, credential: index % 2 === 0 ? both[0] : both[1] }));
  await s.all(s.portion(mixed), ({ row, credential }) => bad(row, credential));
}

async function sendBadLists(s: Session): Promise<void> {
  await sendInTurn(s, BAD_QUERIES, {
    right: (credential) => s.api.list({ limit: 5, status: 'available' }, { credential }),
    bad: (rawQuery, credential) => s.api.list({}, { credential, rawQuery }),
  });
}

async function sendBadReads(s: Session, { pets }: { readonly pets: readonly PetView[] }): Promise<void> {
  const id = await readTarget(s, pets);
  await sendInTurn(s, [await s.fixtures.absentId(), ...BAD_IDS], {
    right: (credential) => s.api.get(id, { credential }),
    bad: (odd, credential) => s.api.get(odd, { credential }),
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

async function sendBadCreations(s: Session): Promise<void> {
  await afterFirstRejections(s);
  await sendInTurn(s, badBodies(await s.fixtures.draft()), {
    right: async (credential) => postWith(s, await s.fixtures.draft(), credential),
    bad: ({ raw, type = 'application/json' }, credential) =>
      s.api.create({ raw }, { domain: 'open', credential, headers: [['content-type', type]] }),
  });
}

export const precedence = defineRules({
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
  rules: [FIRST],
  sent: [
    {
      id: 'invalid-list',
      title: 'Lists with invalid parameters and without the API key return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      send: sendBadLists,
    },
    {
      id: 'invalid-get',
      title: 'Reads of missing animals and invalid ids without the API key return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      send: sendBadReads,
    },
    {
      id: 'invalid-create',
      title: 'Bodies that are not a NewPet, or are sent as text, return 401 without the API key',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: sendBadCreations,
    },
  ],
});
