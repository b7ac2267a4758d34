import { challenge } from './authentication/challenge.ts';
import { everyRequest } from './authentication/every-request.ts';
import { headerOnly } from './authentication/header-only.ts';
import { missingCredential } from './authentication/missing-credential.ts';
import { precedence } from './authentication/precedence.ts';
import { refusedStoresNothing } from './authentication/refused-stores-nothing.ts';
import { schemeCase } from './authentication/scheme-case.ts';
import { validKey } from './authentication/valid-key.ts';
import { wrongKey } from './authentication/wrong-key.ts';
import { wrongScheme } from './authentication/wrong-scheme.ts';
import { createAnswer } from './create-pet/answer.ts';
import { createBodyJson } from './create-pet/body-json.ts';
import { createBodyObject } from './create-pet/body-object.ts';
import { createCategoryRange } from './create-pet/category-range.ts';
import { createCategoryRequired } from './create-pet/category-required.ts';
import { createCategoryType } from './create-pet/category-type.ts';
import { createClientId } from './create-pet/client-id.ts';
import { createDefaultStatus } from './create-pet/default-status.ts';
import { createDuplicateMembers } from './create-pet/duplicate-members.ts';
import { createDuplicateNames } from './create-pet/duplicate-names.ts';
import { createIdAssigned } from './create-pet/id-assigned.ts';
import { createIdNotAdopted } from './create-pet/id-not-adopted.ts';
import { createIndependent } from './create-pet/independent.ts';
import { createIntegerSpelling } from './create-pet/integer-spelling.ts';
import { createNameRequired } from './create-pet/name-required.ts';
import { createNameType } from './create-pet/name-type.ts';
import { createRefusedStoresNothing } from './create-pet/refused-stores-nothing.ts';
import { createRequestMediaType } from './create-pet/request-media-type.ts';
import { createRoundTrip } from './create-pet/round-trip.ts';
import { createStatusInvalid } from './create-pet/status-invalid.ts';
import { createStatusOptional } from './create-pet/status-optional.ts';
import { createStatusValues } from './create-pet/status-values.ts';
import { createSuccess } from './create-pet/success.ts';
import { createTextEncoding } from './create-pet/text-encoding.ts';
import { createUnknownMembers } from './create-pet/unknown-members.ts';
import { createUnusualCategories } from './create-pet/unusual-categories.ts';
import { createUnusualNames } from './create-pet/unusual-names.ts';
import type { SuiteClause } from './define.ts';
import { announced } from './deprecation/announced.ts';
import { dateAgrees } from './deprecation/date-agrees.ts';
import { headersWellFormed } from './deprecation/headers-well-formed.ts';
import { replacement } from './deprecation/replacement.ts';
import { stillWorks } from './deprecation/still-works.ts';
import { errorsAnswers } from './errors/answers.ts';
import { errorsCodes } from './errors/codes.ts';
import { errorsNoServerError } from './errors/no-server-error.ts';
import { errorsShape } from './errors/shape.ts';
import { errorsStatusAgrees } from './errors/status-agrees.ts';
import { getAgreesWithList } from './get-pet/agrees-with-list.ts';
import { getDurable } from './get-pet/durable.ts';
import { getIdNotInteger } from './get-pet/id-not-integer.ts';
import { getIdOutsideInt64 } from './get-pet/id-outside-int64.ts';
import { getIdSpelling } from './get-pet/id-spelling.ts';
import { getIdentity } from './get-pet/identity.ts';
import { getNotFound } from './get-pet/not-found.ts';
import { getRepeatable } from './get-pet/repeatable.ts';
import { getSuccess } from './get-pet/success.ts';
import { listComplete } from './list-pets/complete.ts';
import { filterComplete } from './list-pets/filter-complete.ts';
import { filterWithLimit } from './list-pets/filter-with-limit.ts';
import { limitAccepted } from './list-pets/limit-accepted.ts';
import { limitDefault } from './list-pets/limit-default.ts';
import { limitMaximum } from './list-pets/limit-maximum.ts';
import { limitNotInteger } from './list-pets/limit-not-integer.ts';
import { limitOutOfRange } from './list-pets/limit-out-of-range.ts';
import { listOrder } from './list-pets/order.ts';
import { listPaging } from './list-pets/paging.ts';
import { listReadOnly } from './list-pets/read-only.ts';
import { repeatedParameters } from './list-pets/repeated-parameters.ts';
import { statusAccepted } from './list-pets/status-accepted.ts';
import { statusFilter } from './list-pets/status-filter.ts';
import { statusUnknown } from './list-pets/status-unknown.ts';
import { listSuccess } from './list-pets/success.ts';
import { listUnique } from './list-pets/unique.ts';
import { unknownParameters } from './list-pets/unknown-parameters.ts';
import { mediaJson } from './media-type/json.ts';
import { mediaWellFormed } from './media-type/well-formed.ts';
import { recordPet } from './records/pet.ts';
import { recordPets } from './records/pets.ts';
import { recordSameAnimal } from './records/same-animal.ts';
import { basePath } from './versioning/base-path.ts';

/** Everything that the document demands or leaves open, by its chapters: the one registry. */
export const clauses: readonly SuiteClause[] = [
  basePath,
  challenge,
  everyRequest,
  headerOnly,
  missingCredential,
  precedence,
  refusedStoresNothing,
  schemeCase,
  validKey,
  wrongKey,
  wrongScheme,
  listComplete,
  filterComplete,
  filterWithLimit,
  limitAccepted,
  limitDefault,
  limitMaximum,
  limitNotInteger,
  limitOutOfRange,
  listOrder,
  listPaging,
  listReadOnly,
  repeatedParameters,
  statusAccepted,
  statusFilter,
  statusUnknown,
  listSuccess,
  listUnique,
  unknownParameters,
  createAnswer,
  createBodyJson,
  createBodyObject,
  createCategoryRange,
  createCategoryRequired,
  createCategoryType,
  createClientId,
  createDefaultStatus,
  createDuplicateMembers,
  createDuplicateNames,
  createIdAssigned,
  createIdNotAdopted,
  createIndependent,
  createIntegerSpelling,
  createNameRequired,
  createNameType,
  createRefusedStoresNothing,
  createRequestMediaType,
  createRoundTrip,
  createStatusInvalid,
  createStatusOptional,
  createStatusValues,
  createSuccess,
  createTextEncoding,
  createUnknownMembers,
  createUnusualCategories,
  createUnusualNames,
  getAgreesWithList,
  getDurable,
  getIdNotInteger,
  getIdOutsideInt64,
  getIdSpelling,
  getIdentity,
  getNotFound,
  getRepeatable,
  getSuccess,
  announced,
  dateAgrees,
  headersWellFormed,
  replacement,
  stillWorks,
  errorsAnswers,
  errorsCodes,
  errorsNoServerError,
  errorsShape,
  errorsStatusAgrees,
  mediaJson,
  mediaWellFormed,
  recordPet,
  recordPets,
  recordSameAnimal,
];
