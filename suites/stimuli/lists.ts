import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../src/clause/limits.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import { equivalentsOf } from '../../src/session/client/equivalent.ts';
import { statusOf } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { largeStore } from './creations.ts';
import { oncePerSession } from './sending.ts';

/** Lists that differ in what routers, caches, and middleware distinguish. */
export const LISTS: readonly ListParameters[] = [
  {},
  { limit: 5 },
  { status: 'available' },
  { limit: 3, status: 'sold' },
  { status: 'pending', limit: 100 },
  { limit: 1 },
  { limit: 20 },
  { limit: 100 },
  { status: 'pending' },
  { status: 'sold' },
  { limit: 10, status: 'available' },
];

/** Limits of large pages, in the order in which they are tried until one is accepted. */
const LARGE = [LARGEST_LIMIT, 99, 50, DEFAULT_LIMIT] as const;

const REJECTIONS: readonly (number | undefined)[] = [400, 404, 409, 416, 422];

function isRejectedList(exchange: Exchange): boolean {
  return REJECTIONS.includes(statusOf(exchange));
}

/** The parameters of the largest page that the service gives: 100 unless it rejects that, which list.limit-accepted judges. */
const largestPage = oncePerSession(async (s): Promise<ListParameters> => {
  for (const limit of LARGE) if (!isRejectedList(await s.api.list({ limit }))) return { limit };
  // If a list without parameters is rejected too, the limit is not to blame.
  return isRejectedList(await s.fixtures.firstList()) ? { limit: LARGEST_LIMIT } : {};
});

export async function largePage(s: Session, { limit, ...others }: ListParameters): Promise<ListParameters> {
  return limit === LARGEST_LIMIT ? { ...others, ...(await largestPage(s)) } : { ...others, ...(limit === undefined ? {} : { limit }) };
}

/** The largest unfiltered page and the largest page of each status, except those that the service rejects while it accepts others. */
export async function largeLists(s: Session): Promise<readonly Exchange[]> {
  const lists = await s.all([{}, ...PET_STATUSES.map((status) => ({ status }))], async (parameters) =>
    s.api.list(await largePage(s, { ...parameters, limit: LARGEST_LIMIT })),
  );
  const given = lists.filter((list) => !isRejectedList(list));
  return given.length === 0 ? lists : given;
}

export const lastLists = oncePerSession(largeLists);

const LIMITS: readonly number[] = Array.from({ length: LARGEST_LIMIT }, (_unused, index) => index + 1);

const noneAsked = (): Promise<Exchange>[][] => [];

/** One list for each limit from 1 to 100, sent in equivalent ways, each at most once per session (and after an outage), when the store is largest. */
export async function eachLimit(s: Session): Promise<readonly Exchange[]> {
  await s.fixtures.admitted();
  await largeStore(s);
  const all = s.knowledge.remember(noneAsked);
  all[s.beginnings()] ??= [];
  const asked = all[s.beginnings()] ?? [];
  const equivalent = equivalentsOf('list', s.options.seed);
  return s.all(s.portion(LIMITS), (limit) => (asked[limit] ??= s.api.list({ limit }, equivalent(limit))));
}
