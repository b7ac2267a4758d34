import type { ClauseId } from '../../src/clause/clause.ts';
import type { Observation } from '../../src/clause/outcome.ts';
import type { Event } from '../../src/oracle/world.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { LIKE_THE_KEY, randomToken } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';

type Question = { readonly question: string; readonly isAsked: (event: Event) => boolean };

function codesIn(events: readonly Event[], questions: readonly Question[]): readonly Observation[] {
  return questions.flatMap(({ question, isAsked }) => {
    const event = events.find(isAsked);
    return event === undefined ? [] : [{ question, answer: codeOf(event) }];
  });
}

function codeOf({ response }: Event): string {
  if (response === undefined) return 'no response';
  const { status, json } = response;
  const code = json.ok && isJsonObject(json.value) ? json.value['code'] : undefined;
  return `${status} ${typeof code === 'string' ? code : 'without a code'}`;
}

const READS: readonly Question[] = [
  { question: 'code without a credential', isAsked: ({ intent }) => intent.credentialNote === NO_CREDENTIAL.note },
  { question: 'code with a wrong key', isAsked: ({ intent }) => intent.credentialNote === LIKE_THE_KEY },
  { question: 'code for a missing animal', isAsked: ({ intent }) => intent.operation === 'getPet' },
];

type BadBody = { readonly question: string; readonly raw: string; readonly clause: ClauseId };

const BAD_BODIES: readonly BadBody[] = [
  { question: 'code for missing fields', raw: '{}', clause: 'create.name-required' },
  { question: 'code for a body that is not JSON', raw: '{', clause: 'create.body-json' },
  { question: 'code for a body that is not an object', raw: '[]', clause: 'create.body-object' },
  { question: 'code for a wrong type', raw: '{"name":1,"categoryId":1}', clause: 'create.name-type' },
];

const BODIES: readonly Question[] = BAD_BODIES.map(({ question, raw }) => ({
  question,
  isAsked: ({ exchange }) => exchange.request.body === raw,
}));

export const errorsCodes = defineRules({
  id: 'errors.codes',
  chapter: 'errors',
  section: 'Errors',
  quote: [
    '| code | string | yes | Machine-readable error code |',
    'The set of values of `code`, and statuses other than those above: not shown.',
  ],
  level: 'open',
  requirement:
    'Records the value of code in each situation. The document calls it machine-readable, but does not show the set of its values.',
  likelyCause: 'No action needed; clients may rely on codes, so review changes between releases.',
  sent: [
    {
      id: 'list-and-get',
      title: 'Records the codes of 401 and 404 responses',
      step: 'read',
      needs: ['pets'],
      send: async (s) => {
        await s.api.list({}, { credential: NO_CREDENTIAL });
        await s.api.list({}, { credential: randomToken(s.options.apiKey, s.options.seed) });
        await s.api.get(await s.fixtures.absentId());
      },
      observe: (events) => codesIn(events, READS),
    },
    {
      id: 'create',
      title: 'Records the codes of 400 responses',
      step: 'first-page',
      // Requires knowing whether the service creates anything: if it does not, a rejection says nothing about the body.
      needs: ['creation'],
      effect: 'write',
      send: (s) => s.all(BAD_BODIES, ({ raw, clause }) => s.api.create({ raw }, { domain: 'invalid', clause })),
      observe: (events) => codesIn(events, BODIES),
    },
  ],
});
