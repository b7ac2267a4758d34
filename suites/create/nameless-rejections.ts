import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { isRejected, petsOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import type { InvalidBody } from '../cases/invalid-body.ts';
import { MISSING_NAMES, WRONG_NAMES } from '../cases/invalid-names.ts';
import { sendInvalid } from '../judging/creations/send-invalid.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { largeLists } from '../judging/lists/large-lists.ts';
import { storedFinding } from './stored-rejection.ts';

const FEW = 2;

/** Bodies whose name is missing or not a string: only the number of new animals reveals whether they were stored. */
const NAMELESS: readonly InvalidBody[] = [...MISSING_NAMES.slice(0, FEW), ...WRONG_NAMES.slice(0, FEW)];

const EMPTY_NAMES = ['', 'null', 'undefined', 'None', 'Unnamed', 'unnamed', '42', '0'];

/** Animals without a usable name that appear in lists only after bodies without one were rejected: two or more are not a coincidence. */
function nameless(
  before: readonly Exchange[],
  after: readonly Exchange[],
  context: { s: Session; refusal: Exchange; accepted: ReadonlySet<string> },
): readonly Finding[] {
  const { s, refusal, accepted } = context;
  const known = new Set(before.flatMap((list) => petsOf(list).map(({ id }) => id)));
  const fresh = new Map<bigint, Finding>();
  const isExplained = ({ id }: PetView): boolean => known.has(id) || s.knowledge.created.has(String(id)) || accepted.has(String(id));
  for (const list of after) {
    for (const pet of petsOf(list)) {
      if (!isExplained(pet) && EMPTY_NAMES.includes(pet.name ?? '')) fresh.set(pet.id, storedFinding(refusal, list, pet));
    }
  }
  return fresh.size < FEW ? [] : [...fresh.values()];
}

function idOf(exchange: Exchange): readonly string[] {
  const { outcome } = exchange;
  const value =
    outcome.kind === 'answered' && outcome.answer.status < 300 && outcome.answer.json.ok ? outcome.answer.json.value : undefined;
  return isJsonObject(value) ? [String(value['id'])] : [];
}

async function judgeNameless(s: Session): Promise<readonly Finding[]> {
  const before = await largeLists(s);
  const answers = await s.all(NAMELESS, async ({ body }, index) => {
    const clause = index < FEW ? 'create.name-required' : 'create.name-type';
    return sendInvalid(s, { clause, body: body(await s.fixtures.plain()) });
  });
  const [refusal] = answers.filter((exchange) => isRejected(exchange));
  if (refusal === undefined) haltInconclusive('no body without a name was rejected', 'create.name-required');
  // create.name-required and create.name-type judge those that were accepted.
  const accepted = new Set(answers.flatMap((exchange) => idOf(exchange)));
  return nameless(before, await largeLists(s), { s, refusal, accepted });
}

/** Judges whether rejected bodies without a name leave a nameless animal. */
export async function judgeNamelessRejections(s: Session): Promise<Outcome> {
  const judged = await judgeRow(() => judgeNameless(s));
  return combineRows([judged], `${NAMELESS.length} rejected creations without a name; no nameless animal appeared`);
}
