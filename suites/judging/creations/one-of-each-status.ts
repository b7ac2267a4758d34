import { PET_STATUSES } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';
import { type Creation, send } from './post.ts';

/**
 * One plain animal without status and one of each status, created once for every check that looks at the first few animals. One after
 * the other, so that a defect that appears only under concurrency does not show here.
 */
export const oneOfEachStatus = oncePerSession(async (s): Promise<readonly Creation[]> => {
  const creations: Creation[] = [];
  for (const status of [undefined, ...PET_STATUSES]) creations.push(await send(s, await s.fixtures.plain(status)));
  return creations;
});
