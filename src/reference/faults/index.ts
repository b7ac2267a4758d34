import { authChallenge } from './auth/challenge.ts';
import { authEveryRequest } from './auth/every-request.ts';
import { authHeaderOnly } from './auth/header-only.ts';
import { authMissingCredential } from './auth/missing-credential.ts';
import { authPrecedence } from './auth/precedence.ts';
import { authRefusedStoresNothing } from './auth/refused-stores-nothing.ts';
import { authValidKey } from './auth/valid-key.ts';
import { authWrongKey } from './auth/wrong-key.ts';
import { authWrongScheme } from './auth/wrong-scheme.ts';
import { createAnswer } from './create/answer.ts';
import { createBodyJson } from './create/body-json.ts';
import { createBodyObject } from './create/body-object.ts';
import { createCategoryRange } from './create/category-range.ts';
import { createCategoryRequired } from './create/category-required.ts';
import { createCategoryType } from './create/category-type.ts';
import { createIdAssigned } from './create/id-assigned.ts';
import { createIdNotAdopted } from './create/id-not-adopted.ts';
import { createIndependent } from './create/independent.ts';
import { createNameRequired } from './create/name-required.ts';
import { createNameType } from './create/name-type.ts';
import { createRefusedStoresNothing } from './create/refused-stores-nothing.ts';
import { createRoundTrip } from './create/round-trip.ts';
import { createStatusInvalid } from './create/status-invalid.ts';
import { createStatusOptional } from './create/status-optional.ts';
import { createStatusValues } from './create/status-values.ts';
import { createSuccess } from './create/success.ts';
import { createUnusualCategories } from './create/unusual-categories.ts';
import { createUnusualNames } from './create/unusual-names.ts';
import { deprecationAnnounced } from './deprecation/announced.ts';
import { deprecationDateAgrees } from './deprecation/date-agrees.ts';
import { deprecationHeadersWellFormed } from './deprecation/headers-well-formed.ts';
import { deprecationReplacement } from './deprecation/replacement.ts';
import { deprecationStillWorks } from './deprecation/still-works.ts';
import { errorsAnswers } from './errors/answers.ts';
import { errorsInfrastructureErrors } from './errors/infrastructure-errors.ts';
import { errorsNoServerError } from './errors/no-server-error.ts';
import { errorsShape } from './errors/shape.ts';
import { errorsStatusAgrees } from './errors/status-agrees.ts';
import type { Fault } from './fault.ts';
import { getAgreesWithList } from './get/agrees-with-list.ts';
import { getDurable } from './get/durable.ts';
import { getIdentity } from './get/identity.ts';
import { getNotFound } from './get/not-found.ts';
import { getRepeatable } from './get/repeatable.ts';
import { getSuccess } from './get/success.ts';
import { listComplete } from './list/complete.ts';
import { listFilterComplete } from './list/filter-complete.ts';
import { listFilterWithLimit } from './list/filter-with-limit.ts';
import { listLimitAccepted } from './list/limit-accepted.ts';
import { listLimitDefault } from './list/limit-default.ts';
import { listLimitMaximum } from './list/limit-maximum.ts';
import { listReadOnly } from './list/read-only.ts';
import { listStatusAccepted } from './list/status-accepted.ts';
import { listStatusFilter } from './list/status-filter.ts';
import { listSuccess } from './list/success.ts';
import { listUnique } from './list/unique.ts';
import { mediaAnyClient } from './media/any-client.ts';
import { mediaJson } from './media/json.ts';
import { mediaTransport } from './media/transport.ts';
import { mediaWellFormed } from './media/well-formed.ts';
import { recordLeftovers } from './record/leftovers.ts';
import { recordPet } from './record/pet.ts';
import { recordPets } from './record/pets.ts';
import { recordSameAnimal } from './record/same-animal.ts';
import { versioningBasePath } from './versioning/base-path.ts';

/** Every known fault by its name, in the order of the clauses that they break. */
export const FAULTS = {
  ...versioningBasePath,
  ...authChallenge,
  ...authEveryRequest,
  ...authHeaderOnly,
  ...authMissingCredential,
  ...authPrecedence,
  ...authRefusedStoresNothing,
  ...authValidKey,
  ...authWrongKey,
  ...authWrongScheme,
  ...listComplete,
  ...listFilterComplete,
  ...listFilterWithLimit,
  ...listLimitAccepted,
  ...listLimitDefault,
  ...listLimitMaximum,
  ...listReadOnly,
  ...listStatusAccepted,
  ...listStatusFilter,
  ...listSuccess,
  ...listUnique,
  ...createAnswer,
  ...createBodyJson,
  ...createBodyObject,
  ...createCategoryRange,
  ...createCategoryRequired,
  ...createCategoryType,
  ...createIdAssigned,
  ...createIdNotAdopted,
  ...createIndependent,
  ...createNameRequired,
  ...createNameType,
  ...createRefusedStoresNothing,
  ...createRoundTrip,
  ...createStatusInvalid,
  ...createStatusOptional,
  ...createStatusValues,
  ...createSuccess,
  ...createUnusualCategories,
  ...createUnusualNames,
  ...getAgreesWithList,
  ...getDurable,
  ...getIdentity,
  ...getNotFound,
  ...getRepeatable,
  ...getSuccess,
  ...deprecationAnnounced,
  ...deprecationDateAgrees,
  ...deprecationHeadersWellFormed,
  ...deprecationReplacement,
  ...deprecationStillWorks,
  ...errorsAnswers,
  ...errorsInfrastructureErrors,
  ...errorsNoServerError,
  ...errorsShape,
  ...errorsStatusAgrees,
  ...mediaAnyClient,
  ...mediaJson,
  ...mediaTransport,
  ...mediaWellFormed,
  ...recordLeftovers,
  ...recordPet,
  ...recordPets,
  ...recordSameAnimal,
};

export type FaultName = keyof typeof FAULTS;

export const faults: readonly Fault[] = Object.values(FAULTS);
