import { statusOf } from '../../../src/expect/expect.ts';
import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';

/** Limits of large pages, in the order in which they are tried until one is accepted. */
const LARGE = [100, 99, 50, 20] as const;

/** Statuses by which a service may reject a parameter. */
const REJECTIONS: readonly (number | undefined)[] = [400, 404, 409, 416, 422];

/** Whether the list is rejected for its limit or its status, which list.limit-accepted and list.status-accepted judge. */
export function isRejectedList(exchange: Exchange): boolean {
  return REJECTIONS.includes(statusOf(exchange));
}

/** The parameters of the largest page that the service gives: 100 unless it rejects that, which list.limit-accepted judges. */
const largestPage = oncePerSession(async (s): Promise<ListParameters> => {
  for (const limit of LARGE) if (!isRejectedList(await s.api.list({ limit }))) return { limit };
  // If a list without parameters is rejected too, the limit is not to blame.
  return isRejectedList(await s.fixtures.firstList()) ? { limit: LARGE[0] } : {};
});

/** The parameters, with the largest page that the service gives in place of 100. */
export async function largePage(s: Session, { limit, ...others }: ListParameters): Promise<ListParameters> {
  return limit === LARGE[0] ? { ...others, ...(await largestPage(s)) } : { ...others, ...(limit === undefined ? {} : { limit }) };
}
