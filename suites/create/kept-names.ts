import type { Session } from '../../src/session/session.ts';
import { type UnusualName, withName } from '../cases/unusual-names.ts';
import { judgeUnusual, statusInTurn } from '../judging/creations/unusual-pets.ts';
import { judgeRows } from '../judging/judge-rows.ts';

/** Judges unusual names: each is rejected or kept letter by letter. `also` are statuses besides 400 that are correct rejections. */
export async function judgeNames(s: Session, rows: readonly UnusualName[], about: { also: readonly number[]; evidence: string }) {
  return judgeRows(s, {
    rows,
    judge: async (row) => {
      const sent = withName(await s.fixtures.plain(statusInTurn(rows.indexOf(row))), row);
      return judgeUnusual(s, { what: row.what, sent, field: 'name', also: about.also });
    },
    evidence: `${rows.length} ${about.evidence}, each rejected or kept letter by letter`,
  });
}
