import { challenge } from './authentication/challenge.ts';
import { missingCredential } from './authentication/missing-credential.ts';
import { validKey } from './authentication/valid-key.ts';
import { wrongKey } from './authentication/wrong-key.ts';
import type { SuiteClause } from './define.ts';
import { dateAgrees } from './deprecation/date-agrees.ts';
import { headersWellFormed } from './deprecation/headers-well-formed.ts';
import { replacement } from './deprecation/replacement.ts';
import { stillWorks } from './deprecation/still-works.ts';
import { errorsAnswers } from './errors/answers.ts';
import { errorsNoServerError } from './errors/no-server-error.ts';
import { errorsShape } from './errors/shape.ts';
import { errorsStatusAgrees } from './errors/status-agrees.ts';
import { getIdentity } from './get-pet/identity.ts';
import { getNotFound } from './get-pet/not-found.ts';
import { getSuccess } from './get-pet/success.ts';
import { limitAccepted } from './list-pets/limit-accepted.ts';
import { limitDefault } from './list-pets/limit-default.ts';
import { limitMaximum } from './list-pets/limit-maximum.ts';
import { statusAccepted } from './list-pets/status-accepted.ts';
import { statusFilter } from './list-pets/status-filter.ts';
import { listSuccess } from './list-pets/success.ts';
import { listUnique } from './list-pets/unique.ts';
import { mediaJson } from './media-type/json.ts';
import { mediaWellFormed } from './media-type/well-formed.ts';
import { recordPet } from './records/pet.ts';
import { recordPets } from './records/pets.ts';
import { basePath } from './versioning/base-path.ts';

/**
 * What the probe judges by a few reads: the clauses with a check marked `smoke`, and those whose invariants see something in the
 * exchanges of these checks. A list of its own, so that a one-shot run loads no more than it judges; a test holds it against `clauses`.
 */
export const probeClauses: readonly SuiteClause[] = [
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
  listSuccess,
  listUnique,
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
  mediaWellFormed,
  recordPet,
  recordPets,
];
