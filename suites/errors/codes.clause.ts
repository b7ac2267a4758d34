import { observed } from '../../src/clause/halt.ts';
import type { Observation, Outcome } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { randomToken } from '../cases/random-token.ts';
import { defineClause } from '../define.ts';
import { documentedReads } from './documented-reads.ts';
import { documentedWrites } from './documented-writes.ts';

function codeOf(exchange: Exchange | undefined): string {
  const outcome = exchange === undefined ? undefined : asReceived(exchange).outcome;
  if (outcome === undefined || outcome.kind === 'failed') return 'no response';
  const { status, json } = outcome.answer;
  const code = json.ok && isJsonObject(json.value) ? json.value['code'] : undefined;
  return `${status} ${typeof code === 'string' ? code : 'without a code'}`;
}

async function readCodes(s: Session): Promise<Outcome> {
  const documented = await documentedReads(s);
  const wrong = await s.api.list({}, { credential: randomToken(s.options.apiKey, s.options.seed) });
  const of = (operation: string, status: number) =>
    documented.find((one) => one.exchange.request.intent.operation === operation && one.status === status)?.exchange;
  return observed(
    { question: 'code without a credential', answer: codeOf(of('listPets', 401)) },
    { question: 'code with a wrong key', answer: codeOf(wrong) },
    { question: 'code for a missing animal', answer: codeOf(of('getPet', 404)) },
  );
}

const BAD_BODIES: readonly (readonly [question: string, raw: string])[] = [
  ['code for a body that is not JSON', '{'],
  ['code for a body that is not an object', '[]'],
  ['code for a wrong type', '{"name":1,"categoryId":1}'],
];

async function writeCodes(s: Session): Promise<Outcome> {
  const documented = await documentedWrites(s);
  const answers = await s.all(BAD_BODIES, async ([question, raw]): Promise<Observation> => {
    return { question, answer: codeOf(await s.api.create({ raw }, { domain: 'invalid' })) };
  });
  const missing = documented.find(({ status }) => status === 400)?.exchange;
  return observed({ question: 'code for missing fields', answer: codeOf(missing) }, ...answers);
}

export const errorsCodes = defineClause({
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
  checks: [
    { id: 'list-and-get', title: 'Records the codes of 401 and 404 responses', step: 'read', given: ['animal', 'read'], run: readCodes },
    { id: 'create', title: 'Records the codes of 400 responses', step: 'first-page', given: ['pets'], effect: 'write', run: writeCodes },
  ],
});
