import type { ClauseId, InvariantJudgement } from '../../src/clause/clause.ts';
import { inconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeAnswer, describeRequest, finding, isRejected, petOf, petsOf, statusOf } from '../../src/expect/expect.ts';
import { petViews } from '../../src/schema/pet.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { randomToken } from '../cases/random-token.ts';
import { wrongSchemes } from '../cases/wrong-schemes.ts';
import { defineClause } from '../define.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { isRejectedList, largePage } from '../judging/lists/largest-page.ts';
import { postRefused, unadmittedNames } from './post-refused.ts';
import { requireRejected } from './require-rejected.ts';

const MOST_NEIGHBOURS = 40;

type Attempt = { readonly name: string; readonly exchange: Exchange };

/** POSTs that are rejected for their credential. Halts if one is accepted: that breaks another clause. */
async function attempts(s: Session): Promise<readonly Attempt[]> {
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  const rows: readonly { credential: Credential; owner: ClauseId }[] = [
    { credential: NO_HEADER, owner: 'auth.missing-credential' },
    { credential: wrong, owner: 'auth.wrong-key' },
    ...wrongSchemes(s.options.apiKey)
      .slice(0, 1)
      .map((credential) => ({ credential, owner: 'auth.wrong-scheme' as const })),
  ];
  return s.all(rows, async ({ credential, owner }) => {
    const sent = await s.fixtures.plain('available');
    const exchange = await postRefused(s, sent, credential);
    // The owner judges the status of the rejection.
    if (!isRejected(exchange)) await requireRejected(s, exchange, owner);
    return { name: sent.name, exchange };
  });
}

function stored(attempt: Attempt, sighting: Exchange): Finding {
  return finding([attempt.exchange, sighting], {
    summary: `a POST that returned ${statusOf(attempt.exchange)} stored its animal: ${describeRequest(sighting)} shows ${attempt.name}`,
    expected: ['no animal with that name'],
  });
}

/** Unknown ids between two of our animals: a rejected creation would have one of them if ids count up. */
function neighbours(knowledge: RunState, ends: readonly [bigint, bigint]): readonly bigint[] {
  const [low, high] = ends[0] < ends[1] ? ends : [ends[1], ends[0]];
  const between = Array.from({ length: MOST_NEIGHBOURS }, (_unused, index) => low + 1n + BigInt(index));
  return between.filter((id) => id < high && !knowledge.created.has(String(id)));
}

async function lookInLists(s: Session, tried: readonly Attempt[]): Promise<{ findings: readonly Finding[]; names: ReadonlySet<string> }> {
  const queries = [{}, { limit: 100 }, ...PET_STATUSES.map((status) => ({ limit: 100, status }))];
  const lists = await s.all(queries, async (query) => s.api.list(await largePage(s, query)));
  const given = lists.filter((list) => !isRejectedList(list));
  const seen = (given.length === 0 ? lists : given).map((exchange) => ({
    exchange,
    names: new Set(petsOf(exchange).flatMap(({ name }) => name ?? [])),
  }));
  const findings = seen.flatMap(({ exchange, names }) =>
    tried.filter(({ name }) => names.has(name)).map((attempt) => stored(attempt, exchange)),
  );
  return { findings, names: new Set(seen.flatMap(({ names }) => [...names])) };
}

async function lookBetween(s: Session, tried: readonly Attempt[], ids: readonly bigint[]): Promise<readonly Finding[]> {
  const reads = await s.all(ids, (id) => s.api.get(id));
  return reads.flatMap((exchange) => {
    if (statusOf(exchange) !== 200) return [];
    const { name } = petOf(exchange);
    return tried.filter((attempt) => attempt.name === name).map((attempt) => stored(attempt, exchange));
  });
}

/** Whether a page is full and shows none of the animals that the run created before: it will not show one created now, however long one waits. */
function isFullOfOthers(s: Session, exchange: Exchange): boolean {
  return !hasRoom(exchange) && !petsOf(exchange).some(({ id }) => s.knowledge.created.has(String(id)));
}

/**
 * Creates one animal before and one after the rejected ones: once the later one is visible, a service that stores the rejected ones
 * shows them too, however much it lags.
 */
async function lookForRefused(s: Session): Promise<Outcome> {
  const before = await s.fixtures.create('available');
  const tried = await attempts(s);
  const after = await s.fixtures.create('available');
  const asked = await largePage(s, { limit: 100, status: 'available' });
  const visible = await s.poll(
    () => s.api.list(asked),
    (exchange) => statusOf(exchange) === 200 && (petsOf(exchange).some(({ id }) => id === after.id) || isFullOfOthers(s, exchange)),
  );
  const listed = petsOf(visible).some(({ id }) => id === after.id);
  const { findings } = await lookInLists(s, tried);
  const ids = neighbours(s.knowledge, [before.id, after.id]);
  const between = await judgeRow(() => lookBetween(s, tried, ids));
  const evidence = `${tried.length} rejected creations, absent from 5 lists and from ${ids.length} ids between two animals created before and after`;
  // Adjacent ids leave no room for a rejected animal where ids count up; where they do not, two ids are rarely adjacent.
  const distance = before.id < after.id ? after.id - before.id : before.id - after.id;
  if (findings.length === 0 && !listed && distance > MOST_NEIGHBOURS) {
    return inconclusive('the lists do not show new animals, and consecutive creations received ids that are far apart', 'circumstance');
  }
  return combineRows([{ findings, halted: undefined }, between], evidence);
}

/** No response shows an animal whose creation was rejected for its credential. */
function judgeSighting(exchange: Exchange, knowledge: RunState): InvariantJudgement {
  const names = unadmittedNames(knowledge);
  if (names.size === 0 || statusOf(exchange) !== 200 || exchange.outcome.kind === 'failed') return 'not-applicable';
  const { json } = exchange.outcome.answer;
  if (!json.ok) return 'not-applicable';
  const pets = petViews(Array.isArray(json.value) ? json.value : [json.value]);
  const index = pets.findIndex((pet) => pet?.name !== undefined && names.has(pet.name));
  if (index === -1) return 'holds';
  return {
    summary: `${describeRequest(exchange)} shows ${pets[index]?.name}, an animal whose creation was rejected for its credential`,
    expected: ['no animal with that name'],
    received: describeAnswer(exchange),
    pointer: Array.isArray(json.value) ? `/${index}` : '',
  };
}

export const refusedStoresNothing = defineClause({
  id: 'auth.refused-stores-nothing',
  chapter: 'authentication',
  section: 'Authentication',
  quote: [
    'Every operation requires authentication (see Authentication).',
    'When the key is missing or invalid, the service answers `401` with an Error body.',
  ],
  level: 'implied',
  derivation:
    'Every operation requires the key, and 401 is the failure without it. An operation that failed for lack of a key was not carried out, so the animal of a rejected POST does not exist.',
  requirement: 'A creation that is rejected for its credential stores nothing.',
  likelyCause: 'The handler runs before or in parallel with the authentication check, which replaces only its response.',
  checks: [
    {
      id: 'lists-and-nearby-ids',
      title: 'Animals of POSTs without the API key appear in no list and under no nearby id',
      step: 'write',
      given: ['pets', 'read', 'rejection', 'auth.wrong-key', 'auth.wrong-scheme'],
      exhaustive: true,
      effect: 'write',
      fault: 'missing-key-post-stored',
      run: lookForRefused,
    },
  ],
  invariants: [
    {
      id: 'every-response',
      title: 'No response shows an animal whose POST was rejected for its credential',
      fault: 'wrong-key-post-stored',
      judge: judgeSighting,
    },
  ],
});
