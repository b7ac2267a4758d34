import fc from 'fast-check';
import { LIMIT_BOUNDARIES } from '../../src/arbitraries/list-parameters.ts';
import { haltInconclusive, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { largeStore } from '../judging/creations/large-store.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { notAccepted } from '../judging/lists/not-accepted.ts';
import { overLimit } from '../judging/lists/over-limit.ts';
import { plainList } from '../judging/lists/plain-list.ts';
import { strangerIn } from '../judging/lists/stranger-in.ts';
import type { Wrong } from '../judging/lists/wrong-list.ts';

type Both = { readonly limit: number; readonly status: PetStatus };
type Half = 'status' | 'limit' | 'filter';

/** What is wrong with a list that has both parameters, and which half it breaks. */
function wrongIn(exchange: Exchange, { limit, status }: Both): { half: Half; wrong: Wrong } | undefined {
  const list = plainList(exchange);
  if (list === undefined) return undefined;
  const refused = notAccepted(list, exchange);
  if (refused !== undefined) return { half: 'status', wrong: refused };
  const over = overLimit(list, limit);
  if (over !== undefined) return { half: 'limit', wrong: over };
  const stranger = strangerIn(list, status);
  return stranger === undefined ? undefined : { half: 'filter', wrong: stranger };
}

/** Halts as blocked when one parameter alone is handled wrongly too: the combination is not to blame then. */
async function blameTheHalves(s: Session, both: Both, half: Half): Promise<void> {
  const { limit, status } = both;
  const [byLimit, byStatus] = await s.all([{ limit }, { status }], (parameters) => askList(s, parameters));
  if (byLimit === undefined || byStatus === undefined) return;
  if (statusOf(byLimit) !== 200) haltInconclusive(`limit=${limit} alone is rejected`, 'list.limit-accepted');
  if (statusOf(byStatus) !== 200) haltInconclusive(`status=${status} alone is rejected`, 'list.status-accepted');
  const [limited, filtered] = [plainList(byLimit), plainList(byStatus)];
  if (half === 'limit' && limited !== undefined && overLimit(limited, limit) !== undefined) {
    haltInconclusive(`limit=${limit} alone is exceeded as well`, 'list.limit-maximum');
  }
  if (half === 'filter' && filtered !== undefined && strangerIn(filtered, status) !== undefined) {
    haltInconclusive(`status=${status} alone shows other statuses as well`, 'list.status-filter');
  }
}

/** The document does not say in which order parameters are sent, so both orders alternate. */
function inTurn({ limit, status }: Both, index: number): Both {
  return index % 2 === 0 ? { limit, status } : { status, limit };
}

/** Judges one list with both parameters. */
async function judgeBoth(s: Session, both: Both): Promise<Finding | undefined> {
  const exchange = await askList(s, both);
  const broken = wrongIn(exchange, both);
  if (broken === undefined) {
    petsOf(exchange);
    return undefined;
  }
  await blameTheHalves(s, both, broken.half);
  return finding([exchange], broken.wrong);
}

const ROWS: readonly Both[] = PET_STATUSES.flatMap((status) => LIMIT_BOUNDARIES.map((limit, index) => inTurn({ limit, status }, index)));

/** All other pairs. */
const PAIRS: readonly Both[] = PET_STATUSES.flatMap((status) =>
  Array.from({ length: 100 }, (_unused, index) => ({ limit: index + 1, status })).filter(
    ({ limit }) => !LIMIT_BOUNDARIES.some((boundary) => boundary === limit),
  ),
);
const PLANNED = 150;
const ENOUGH = 10;

/**
 * Pairs in an order drawn from the seed, as many as the depth and the latency allow: first those where the limit holds animals back, then
 * others.
 */
function drawnPairs(s: Session, known: readonly PetView[]): readonly Both[] {
  const all = fc.shuffledSubarray([...PAIRS], { minLength: PAIRS.length });
  const [pairs = PAIRS] = fc.sample(all, { numRuns: 1, seed: s.options.seed });
  const holdsBack = ({ limit, status }: Both): boolean => limit < known.filter((pet) => pet.status === status).length;
  const holding = pairs.filter(holdsBack);
  const planned = Math.max(PLANNED, holding.length);
  return [...holding, ...pairs.filter((pair) => !holdsBack(pair))].slice(0, s.cases(planned)).map(inTurn);
}

export const filterWithLimit = defineClause({
  id: 'list.filter-with-limit',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: [
    '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
  ],
  level: 'required',
  requirement:
    'limit and status apply together: the list is accepted, is no longer than the limit, and shows only animals with the status.',
  likelyCause: 'The code has a branch for each parameter and none for both, so one of them is forgotten.',
  checks: [
    {
      id: 'boundaries',
      title: 'limit and status both apply, for each status with limits 1, 2, 19, 20, 21, 50, 99, and 100',
      step: 'large-store',
      given: ['animal', 'list.limit-accepted', 'list.limit-maximum', 'list.status-accepted', 'list.status-filter'],
      exhaustive: true,
      fault: 'filter-ignored-with-limit',
      run: async (s) => {
        const known = await largeStore(s);
        const matching = known.filter(({ status }) => status !== undefined).length;
        if (matching === 0) haltInconclusive('the lists show no animal with a status', 'circumstance');
        return judgeRows(s, {
          rows: ROWS,
          judge: (both) => judgeBoth(s, both),
          evidence: `${ROWS.length} lists with both parameters, none over its limit or with another status, in a store of at least ${known.length} animals`,
        });
      },
    },
    {
      id: 'random-combinations',
      title: 'limit and status both apply, for concurrent requests with random combinations',
      step: 'property',
      given: ['animal', 'list.limit-accepted', 'list.limit-maximum', 'list.status-accepted', 'list.status-filter'],
      fault: 'limit-plus-one-with-filter',
      run: async (s) => {
        const known = await largeStore(s);
        if (known.length === 0) haltInconclusive('the lists show no animal', 'circumstance');
        let [asked, broken] = [0, 0];
        const outcome = await judgeRows(s, {
          rows: drawnPairs(s, known),
          judge: async (both) => {
            if (broken >= ENOUGH || s.outOfTime()) return undefined;
            asked += 1;
            const finding = await judgeBoth(s, both);
            if (finding !== undefined) broken += 1;
            return finding;
          },
          evidence: '',
        });
        if (outcome.kind !== 'pass') return outcome;
        if (asked === 0) return inconclusive('the time budget was spent before the first request', 'choice');
        return pass(`${asked} of ${PAIRS.length} combinations of limit and status, each of which applied both`);
      },
    },
  ],
});
