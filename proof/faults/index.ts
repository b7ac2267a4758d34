import { authEveryRequest, authHeaderOnly, authMissingCredential, authWrongKey, authWrongScheme } from './auth-credentials.ts';
import { authChallenge, authPrecedence, authRefusedStoresNothing, authValidKey } from './auth-rejections.ts';
import {
  createBodyJson,
  createBodyObject,
  createCategoryRange,
  createCategoryRequired,
  createCategoryType,
  createNameRequired,
  createNameType,
  createStatusInvalid,
} from './create-bodies.ts';
import { createIdAssigned, createIdNotAdopted, createIndependent, createRefusedStoresNothing, createSuccess } from './create-storage.ts';
import {
  createAnswer,
  createRoundTrip,
  createStatusOptional,
  createStatusValues,
  createUnusualCategories,
  createUnusualNames,
} from './create-values.ts';
import {
  deprecationAnnounced,
  deprecationDateAgrees,
  deprecationHeadersWellFormed,
  deprecationReplacement,
  deprecationStillWorks,
} from './deprecation.ts';
import { errorsAnswers, errorsInfrastructureErrors, errorsNoServerError, errorsShape, errorsStatusAgrees } from './errors.ts';
import type { Fault } from './fault.ts';
import { getAgreesWithList, getDurable, getIdentity, getNotFound, getRepeatable, getSuccess } from './get.ts';
import { listComplete, listFilterComplete, listReadOnly, listSuccess, listUnique } from './list-contents.ts';
import {
  listFilterWithLimit,
  listLimitAccepted,
  listLimitDefault,
  listLimitMaximum,
  listStatusAccepted,
  listStatusFilter,
} from './list-parameters.ts';
import { mediaAnyClient, mediaJson, mediaTransport, mediaWellFormed } from './media.ts';
import { recordLeftovers, recordPet, recordPets, recordSameAnimal } from './record.ts';
import { versioningBasePath } from './versioning.ts';

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
