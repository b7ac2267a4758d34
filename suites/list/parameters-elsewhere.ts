import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { asDocumented } from '../errors/as-documented.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { askAgain } from '../judging/lists/ask-again.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';

const STATUS = 'sold';

/** Parameters of the query string where the document does not show them. */
const HEADERS = [
  ['limit', '1'],
  ['status', STATUS],
  ['x-limit', '1'],
  ['x-status', STATUS],
  ['cookie', `limit=1; status=${STATUS}`],
] as const;

async function listWith(s: Session, list: Exchange, headers: CallOptions['headers'] & object): Promise<Exchange> {
  const exchange = asDocumented({ exchange: await askAgain(s, list, { headers }), status: 200, owner: 'list.success' });
  petsOf(exchange);
  return exchange;
}

/** The list with limit and status in headers and cookies, which are not parameters: with room, it omits none of the usual animals. */
export async function judgeParametersElsewhere(s: Session, { petList: { exchange: list, pets } }: Have<['petList']>): Promise<Outcome> {
  return judgeRows(s, {
    rows: [HEADERS],
    judge: async (headers): Promise<Finding | undefined> => {
      const asked = await listWith(s, list, headers);
      const missing = hasRoom(asked) ? missingFrom(asked, pets) : [];
      if (missing.length === 0) return undefined;
      // Other clients may have removed an animal since, and a list that intermittently omits one does so without the headers too.
      const usual = await listWith(s, list, []);
      const again = await listWith(s, list, headers);
      const [left] = missingFrom(
        again,
        missing.filter(({ id }) => idsIn(usual).has(String(id))),
      );
      if (left === undefined || !hasRoom(again)) return undefined;
      return finding([asked, usual, again], {
        summary: `GET /pets with limit=1 and status=${STATUS} in headers and cookies omits animal ${left.id}, which it returns without them`,
        expected: [`animal ${left.id}: parameters are in the query string`],
        received: `${idsIn(again).size} other animals`,
      });
    },
    evidence: `${pets.length} animals, none of them omitted for a limit or status in headers and cookies`,
  });
}
