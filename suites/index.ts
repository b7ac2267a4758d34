import { type CatalogClauseId, CLAUSE_IDS } from '../src/clause/clause-ids.ts';
import type { SessionClause } from '../src/oracle/world.ts';
import { challenge } from './auth/challenge.clause.ts';
import { everyRequest } from './auth/every-request.clause.ts';
import { headerOnly } from './auth/header-only.clause.ts';
import { missingCredential } from './auth/missing-credential.clause.ts';
import { precedence } from './auth/precedence.clause.ts';
import { refusedStoresNothing } from './auth/refused-stores-nothing.clause.ts';
import { schemeCase } from './auth/scheme-case.clause.ts';
import { validKey } from './auth/valid-key.clause.ts';
import { wrongKey } from './auth/wrong-key.clause.ts';
import { wrongScheme } from './auth/wrong-scheme.clause.ts';
import { createAnswer } from './create/answer.clause.ts';
import { createClientId } from './create/client-id.clause.ts';
import { createDefaultStatus } from './create/default-status.clause.ts';
import { createDuplicateMembers } from './create/duplicate-members.clause.ts';
import { createDuplicateNames } from './create/duplicate-names.clause.ts';
import { createIdAssigned } from './create/id-assigned.clause.ts';
import { createIdNotAdopted } from './create/id-not-adopted.clause.ts';
import { createIndependent } from './create/independent.clause.ts';
import { createIntegerSpelling } from './create/integer-spelling.clause.ts';
import {
  createBodyJson,
  createBodyObject,
  createCategoryRange,
  createCategoryRequired,
  createCategoryType,
  createNameRequired,
  createNameType,
  createStatusInvalid,
} from './create/invalid-bodies.clause.ts';
import { createRefusedStoresNothing } from './create/refused-stores-nothing.clause.ts';
import { createRequestMediaType } from './create/request-media-type.clause.ts';
import { createRoundTrip } from './create/round-trip.clause.ts';
import { createStatusOptional } from './create/status-optional.clause.ts';
import { createStatusValues } from './create/status-values.clause.ts';
import { createSuccess } from './create/success.clause.ts';
import { createTextEncoding } from './create/text-encoding.clause.ts';
import { unknownCategory } from './create/unknown-category.clause.ts';
import { createUnknownMembers } from './create/unknown-members.clause.ts';
import { createUnusualCategories } from './create/unusual-categories.clause.ts';
import { createUnusualNames } from './create/unusual-names.clause.ts';
import { announced } from './deprecation/announced.clause.ts';
import { dateAgrees } from './deprecation/date-agrees.clause.ts';
import { headersWellFormed } from './deprecation/headers-well-formed.clause.ts';
import { replacement } from './deprecation/replacement.clause.ts';
import { stillWorks } from './deprecation/still-works.clause.ts';
import { errorsAnswers } from './errors/answers.clause.ts';
import { errorsCodes } from './errors/codes.clause.ts';
import { errorsInfrastructureErrors } from './errors/infrastructure-errors.clause.ts';
import { errorsNoServerError } from './errors/no-server-error.clause.ts';
import { errorsShape } from './errors/shape.clause.ts';
import { errorsStatusAgrees } from './errors/status-agrees.clause.ts';
import { getAgreesWithList } from './get/agrees-with-list.clause.ts';
import { getDurable } from './get/durable.clause.ts';
import { getIdNotInteger } from './get/id-not-integer.clause.ts';
import { getIdOutsideInt64 } from './get/id-outside-int64.clause.ts';
import { getIdSpelling } from './get/id-spelling.clause.ts';
import { getIdentity } from './get/identity.clause.ts';
import { getNotFound } from './get/not-found.clause.ts';
import { getRepeatable } from './get/repeatable.clause.ts';
import { getSuccess } from './get/success.clause.ts';
import { listComplete } from './list/complete.clause.ts';
import { filterComplete } from './list/filter-complete.clause.ts';
import { filterWithLimit } from './list/filter-with-limit.clause.ts';
import { limitAccepted } from './list/limit-accepted.clause.ts';
import { limitDefault } from './list/limit-default.clause.ts';
import { limitMaximum } from './list/limit-maximum.clause.ts';
import { limitNotInteger } from './list/limit-not-integer.clause.ts';
import { limitOutOfRange } from './list/limit-out-of-range.clause.ts';
import { listOrder } from './list/order.clause.ts';
import { listPaging } from './list/paging.clause.ts';
import { listReadOnly } from './list/read-only.clause.ts';
import { repeatedParameters } from './list/repeated-parameters.clause.ts';
import { statusAccepted } from './list/status-accepted.clause.ts';
import { statusFilter } from './list/status-filter.clause.ts';
import { statusUnknown } from './list/status-unknown.clause.ts';
import { listSuccess } from './list/success.clause.ts';
import { listUnique } from './list/unique.clause.ts';
import { unknownParameters } from './list/unknown-parameters.clause.ts';
import { mediaAnyClient } from './media/any-client.clause.ts';
import { mediaJson } from './media/json.clause.ts';
import { mediaTransport } from './media/transport.clause.ts';
import { mediaWellFormed } from './media/well-formed.clause.ts';
import { recordLeftovers } from './record/leftovers.clause.ts';
import { recordPet } from './record/pet.clause.ts';
import { recordPets } from './record/pets.clause.ts';
import { recordSameAnimal } from './record/same-animal.clause.ts';
import { basePath } from './versioning/base-path.clause.ts';

const REGISTRY: Readonly<Record<CatalogClauseId, SessionClause>> = {
  'versioning.base-path': basePath,
  'auth.challenge': challenge,
  'auth.every-request': everyRequest,
  'auth.header-only': headerOnly,
  'auth.missing-credential': missingCredential,
  'auth.precedence': precedence,
  'auth.refused-stores-nothing': refusedStoresNothing,
  'auth.scheme-case': schemeCase,
  'auth.valid-key': validKey,
  'auth.wrong-key': wrongKey,
  'auth.wrong-scheme': wrongScheme,
  'list.complete': listComplete,
  'list.filter-complete': filterComplete,
  'list.filter-with-limit': filterWithLimit,
  'list.limit-accepted': limitAccepted,
  'list.limit-default': limitDefault,
  'list.limit-maximum': limitMaximum,
  'list.limit-not-integer': limitNotInteger,
  'list.limit-out-of-range': limitOutOfRange,
  'list.order': listOrder,
  'list.paging': listPaging,
  'list.read-only': listReadOnly,
  'list.repeated-parameters': repeatedParameters,
  'list.status-accepted': statusAccepted,
  'list.status-filter': statusFilter,
  'list.status-unknown': statusUnknown,
  'list.success': listSuccess,
  'list.unique': listUnique,
  'list.unknown-parameters': unknownParameters,
  'create.answer': createAnswer,
  'create.body-json': createBodyJson,
  'create.body-object': createBodyObject,
  'create.category-range': createCategoryRange,
  'create.category-required': createCategoryRequired,
  'create.category-type': createCategoryType,
  'create.client-id': createClientId,
  'create.default-status': createDefaultStatus,
  'create.duplicate-members': createDuplicateMembers,
  'create.duplicate-names': createDuplicateNames,
  'create.id-assigned': createIdAssigned,
  'create.id-not-adopted': createIdNotAdopted,
  'create.independent': createIndependent,
  'create.integer-spelling': createIntegerSpelling,
  'create.name-required': createNameRequired,
  'create.name-type': createNameType,
  'create.refused-stores-nothing': createRefusedStoresNothing,
  'create.request-media-type': createRequestMediaType,
  'create.round-trip': createRoundTrip,
  'create.status-invalid': createStatusInvalid,
  'create.status-optional': createStatusOptional,
  'create.status-values': createStatusValues,
  'create.success': createSuccess,
  'create.text-encoding': createTextEncoding,
  'create.unknown-category': unknownCategory,
  'create.unknown-members': createUnknownMembers,
  'create.unusual-categories': createUnusualCategories,
  'create.unusual-names': createUnusualNames,
  'get.agrees-with-list': getAgreesWithList,
  'get.durable': getDurable,
  'get.id-not-integer': getIdNotInteger,
  'get.id-outside-int64': getIdOutsideInt64,
  'get.id-spelling': getIdSpelling,
  'get.identity': getIdentity,
  'get.not-found': getNotFound,
  'get.repeatable': getRepeatable,
  'get.success': getSuccess,
  'deprecation.announced': announced,
  'deprecation.date-agrees': dateAgrees,
  'deprecation.headers-well-formed': headersWellFormed,
  'deprecation.replacement': replacement,
  'deprecation.still-works': stillWorks,
  'errors.answers': errorsAnswers,
  'errors.codes': errorsCodes,
  'errors.infrastructure-errors': errorsInfrastructureErrors,
  'errors.no-server-error': errorsNoServerError,
  'errors.shape': errorsShape,
  'errors.status-agrees': errorsStatusAgrees,
  'media.any-client': mediaAnyClient,
  'media.json': mediaJson,
  'media.transport': mediaTransport,
  'media.well-formed': mediaWellFormed,
  'record.leftovers': recordLeftovers,
  'record.pet': recordPet,
  'record.pets': recordPets,
  'record.same-animal': recordSameAnimal,
};

/**
 * Everything that the document requires or leaves open, in the order of CLAUSE_IDS: the one registry.
 *
 * @example
 * ```ts
 * import { clauses } from '@petstore-conformance/cli';
 *
 * const required = clauses.filter(({ level }) => level === 'required').map(({ id, requirement }) => `${id}: ${requirement}`);
 * console.log(required);
 * ```
 */
export const clauses: readonly SessionClause[] = CLAUSE_IDS.map((id) => REGISTRY[id]);
