import type { ClauseId } from '../../src/clause/clause.ts';
import { haltInconclusive, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import type { InvalidBody } from '../cases/invalid-body.ts';
import { HUGE_CATEGORIES, MISSING_CATEGORIES, WRONG_CATEGORIES } from '../cases/invalid-categories.ts';
import { NULL_STATUSES, WRONG_STATUSES } from '../cases/invalid-statuses.ts';
import { TRAILING_BODIES } from '../cases/malformed-json.ts';
import { NO_OBJECTS } from '../cases/non-objects.ts';
import { anyLost, lostByRefusal } from '../judging/creations/loss-after-rejection.ts';
import { made } from '../judging/creations/made.ts';
import { send } from '../judging/creations/send.ts';
import { sendInvalid } from '../judging/creations/send-invalid.ts';
import { showName } from '../judging/creations/show-name.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { largeLists, lastLists } from '../judging/lists/large-lists.ts';
import { storedFinding } from './stored-rejection.ts';

const FEW = 2;
const MOST_BETWEEN = 24;

/** A few bodies of each kind, with a name that can be found. */
const NAMED: readonly { readonly clause: ClauseId; readonly bodies: readonly InvalidBody[] }[] = [
  { clause: 'create.category-required', bodies: MISSING_CATEGORIES.slice(0, FEW) },
  { clause: 'create.category-type', bodies: WRONG_CATEGORIES.slice(0, FEW) },
  { clause: 'create.category-range', bodies: HUGE_CATEGORIES.slice(0, 1) },
  { clause: 'create.status-invalid', bodies: [...WRONG_STATUSES.slice(0, FEW), ...NULL_STATUSES] },
  { clause: 'create.body-object', bodies: NO_OBJECTS.slice(1, 1 + FEW) },
  { clause: 'create.body-json', bodies: TRAILING_BODIES.slice(0, 1) },
];

/** Listed animals whose names belong to rejected creations. */
function refusedIn(s: Session, lists: readonly Exchange[]): readonly Finding[] {
  const names = s.knowledge.refusedNames;
  const found = new Map<string, Finding>();
  for (const list of lists) {
    for (const pet of petsOf(list)) {
      const refusal = pet.name === undefined ? undefined : names.get(pet.name);
      // An animal that was created with 201 and now shows this name was renamed, which is not judged here.
      if (refusal !== undefined && !s.knowledge.created.has(String(pet.id))) found.set(pet.name ?? '', storedFinding(refusal, list, pet));
    }
  }
  return [...found.values()];
}

/** Reads the ids between two animals that were created right before and right after the rejections. */
async function between(s: Session, from: bigint, to: bigint): Promise<readonly Finding[]> {
  const gap = to - from - 1n;
  if (gap < 1n || gap > BigInt(MOST_BETWEEN * 2)) return [];
  const ids = Array.from({ length: Number(gap) }, (_unused, index) => from + 1n + BigInt(index));
  const unknown = ids.filter((id) => !s.knowledge.created.has(String(id))).slice(0, MOST_BETWEEN);
  const reads = await s.all(unknown, (id) => s.api.get(id));
  return reads.flatMap((read) => {
    if (read.outcome.kind === 'failed' || statusOf(read) !== 200) return [];
    const { json } = read.outcome.answer;
    const value = json.ok ? json.value : undefined;
    const name = isJsonObject(value) ? value['name'] : undefined;
    const refusal = typeof name === 'string' ? s.knowledge.refusedNames.get(name) : undefined;
    if (refusal === undefined) return [];
    return [
      finding([refusal, read], {
        summary: `a creation rejected with ${statusOf(refusal)} was stored: ${showName(String(name))}`,
        expected: ['404, or an animal of another client'],
      }),
    ];
  });
}

async function judgeNamed(s: Session): Promise<readonly Finding[]> {
  const before = made(await send(s, await s.fixtures.plain()));
  const known = [...s.knowledge.created.values()];
  const rows = NAMED.flatMap(({ clause, bodies }) => bodies.map((row) => ({ clause, row })));
  await s.all(rows, async ({ clause, row }) => sendInvalid(s, { clause, body: row.body(await s.fixtures.plain()) }));
  const after = made(await send(s, await s.fixtures.plain()));
  if (s.knowledge.refusedNames.size === 0) haltInconclusive('no invalid body was rejected', 'create.name-required');
  const lists = await largeLists(s);
  const lost = (await anyLost(s, known, lists)) ? await lostByRefusal(s) : undefined;
  return [...(lost === undefined ? [] : [lost]), ...refusedIn(s, lists), ...(await between(s, before.pet.id, after.pet.id))];
}

/** Judges whether rejected bodies with a name leave an animal with that name, or remove one. */
export async function judgeNamedRejections(s: Session): Promise<Outcome> {
  const judged = await judgeRow(() => judgeNamed(s));
  const count = s.knowledge.refusedNames.size;
  return combineRows(
    [judged],
    `${count} rejected creations; none of their names is listed or found, and the animals before them still exist`,
  );
}

/** Judges at the end of the run whether a list shows the name of any rejected creation. */
export async function judgeRejectedNames(s: Session): Promise<Outcome> {
  const names = s.knowledge.refusedNames;
  if (names.size === 0) return inconclusive('no creation with a name was rejected', 'create.name-type');
  const judged = await judgeRow(async () => {
    const lists = await lastLists(s);
    const lost = (await anyLost(s, [...s.knowledge.created.values()], lists)) ? await lostByRefusal(s) : undefined;
    return [...refusedIn(s, lists), lost];
  });
  const outcome = combineRows([judged], '');
  return outcome.kind === 'pass' ? pass(`the lists show none of ${names.size} rejected names`) : outcome;
}
