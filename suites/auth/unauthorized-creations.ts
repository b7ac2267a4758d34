import type { Outcome } from '../../src/clause/outcome.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { afterFirstRejections } from '../judging/creations/first-rejections.ts';
import { combineRows, type JudgedRow, judgeRow } from '../judging/judge-rows.ts';
import { postRefused } from './post-refused.ts';
import { type Letter, notUnauthorized } from './unauthorized.ts';

const STATUSES = [undefined, ...PET_STATUSES];

const FIRST_CREATIONS = 4;

async function judgeCreations(s: Session, credentials: readonly Credential[], letter: Letter): Promise<readonly JudgedRow[]> {
  const inputs = await Promise.all(credentials.map((_unused, index) => s.fixtures.plain(STATUSES[index % STATUSES.length])));
  return s.all(credentials, (credential, index) =>
    judgeRow(async () => {
      const sent = inputs[index];
      return sent === undefined ? undefined : notUnauthorized(await postRefused(s, sent, credential), letter);
    }),
  );
}

/**
 * Creations with credentials that must be rejected. If one of the first is accepted, the others are not sent, since each would leave
 * an animal permanently.
 */
export async function refusedCreations(s: Session, credentials: readonly Credential[], letter: Letter = {}): Promise<Outcome> {
  await afterFirstRejections(s);
  const first = await judgeCreations(s, credentials.slice(0, FIRST_CREATIONS), letter);
  const broken = first.some(({ findings }) => findings.length > 0);
  const rest = broken ? [] : await judgeCreations(s, credentials.slice(FIRST_CREATIONS), letter);
  return combineRows(
    [...first, ...rest],
    `${credentials.length} plain NewPets sent with ${credentials.length} credentials, each of which returned 401`,
  );
}
