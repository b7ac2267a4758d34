import type { SessionClause } from '../src/oracle/world.ts';
import { challenge } from './auth/challenge.clause.ts';
import { missingCredential } from './auth/missing-credential.clause.ts';
import { validKey } from './auth/valid-key.clause.ts';
import { wrongKey } from './auth/wrong-key.clause.ts';
import { dateAgrees } from './deprecation/date-agrees.clause.ts';
import { headersWellFormed } from './deprecation/headers-well-formed.clause.ts';
import { replacement } from './deprecation/replacement.clause.ts';
import { stillWorks } from './deprecation/still-works.clause.ts';
import { errorsAnswers } from './errors/answers.clause.ts';
import { errorsNoServerError } from './errors/no-server-error.clause.ts';
import { errorsShape } from './errors/shape.clause.ts';
import { errorsStatusAgrees } from './errors/status-agrees.clause.ts';
import { getDurable } from './get/durable.clause.ts';
import { getIdentity } from './get/identity.clause.ts';
import { getNotFound } from './get/not-found.clause.ts';
import { getSuccess } from './get/success.clause.ts';
import { listComplete } from './list/complete.clause.ts';
import { filterComplete } from './list/filter-complete.clause.ts';
import { limitAccepted } from './list/limit-accepted.clause.ts';
import { limitDefault } from './list/limit-default.clause.ts';
import { limitMaximum } from './list/limit-maximum.clause.ts';
import { statusAccepted } from './list/status-accepted.clause.ts';
import { statusFilter } from './list/status-filter.clause.ts';
import { listSuccess } from './list/success.clause.ts';
import { listUnique } from './list/unique.clause.ts';
import { mediaJson } from './media/json.clause.ts';
import { mediaTransport } from './media/transport.clause.ts';
import { mediaWellFormed } from './media/well-formed.clause.ts';
import { recordPet } from './record/pet.clause.ts';
import { recordPets } from './record/pets.clause.ts';
import { basePath } from './versioning/base-path.clause.ts';

/**
 * What the probe judges with a few reads: the clauses with a check marked `smoke`, and those whose invariants apply to the
 * exchanges of these checks. A separate list, so that a one-shot run loads only what it judges; a test compares it with `clauses`.
 *
 * @example
 * ```ts
 * import { judgeServer, probeClauses } from '@petstore-conformance/cli';
 *
 * const only = probeClauses.map(({ id }) => id);
 * await judgeServer('https://petstore.example.com/v1', { apiKey: 'secret', readOnly: true, intrusive: false, only });
 * ```
 */
export const probeClauses: readonly SessionClause[] = [
  basePath,
  challenge,
  missingCredential,
  validKey,
  wrongKey,
  limitAccepted,
  limitDefault,
  limitMaximum,
  statusAccepted,
  statusFilter,
  listComplete,
  filterComplete,
  listSuccess,
  listUnique,
  getDurable,
  getIdentity,
  getNotFound,
  getSuccess,
  dateAgrees,
  headersWellFormed,
  replacement,
  stillWorks,
  errorsAnswers,
  errorsNoServerError,
  errorsShape,
  errorsStatusAgrees,
  mediaJson,
  mediaTransport,
  mediaWellFormed,
  recordPet,
  recordPets,
];
