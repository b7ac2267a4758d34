import type { CauseRule } from '../cause.ts';
import {
  credentialsRejectedOtherwise,
  keyFoundWithin,
  noPetStore,
  validatedBeforeAuthenticated,
  wrongAddress,
  wrongKey,
  wrongScheme,
} from './address-and-key.ts';
import { cacheIgnoresKey, cacheIgnoresQuery, defaultTooSmall, instancesApart, limitUnused, statusUnused } from './caches-and-instances.ts';
import {
  browsersGetPages,
  contentTypeGuessed,
  errorsAskForCredentials,
  errorsByFramework,
  errorsOfOneStatus,
  lockedDatabase,
  rejectedWith422,
} from './errors.ts';
import { integersAsText, integersThroughDouble, integersTooNarrow } from './integers.ts';
import { namesAltered } from './names.ts';
import {
  emptyListWrittenOtherwise,
  invalidValueStored,
  jsonReadToFirstEnd,
  memberCaseIgnored,
  nanAccepted,
  nullCountsAsMissing,
  nullsWritten,
  unpairedSurrogate,
  valuesConverted,
} from './values.ts';

/** Every known cause. A finding goes to the first cause that it shows, so causes that need more evidence come first. */
export const causes: readonly CauseRule[] = [
  // Nothing can be judged.
  ...[wrongScheme, wrongAddress, wrongKey, noPetStore],
  // Visible in the response itself.
  lockedDatabase,
  // Who wrote the response.
  ...[errorsAskForCredentials, errorsByFramework, errorsOfOneStatus, browsersGetPages, contentTypeGuessed, rejectedWith422],
  // What is in front of the service, or next to it.
  ...[cacheIgnoresKey, cacheIgnoresQuery, instancesApart],
  ...[credentialsRejectedOtherwise, validatedBeforeAuthenticated, keyFoundWithin],
  // What happened to a value.
  ...[
    integersTooNarrow,
    integersThroughDouble,
    memberCaseIgnored,
    valuesConverted,
    nullCountsAsMissing,
    jsonReadToFirstEnd,
    nanAccepted,
    unpairedSurrogate,
    namesAltered,
  ],
  ...[invalidValueStored, nullsWritten, integersAsText, emptyListWrittenOtherwise],
  // What happened to a parameter.
  ...[limitUnused, statusUnused, defaultTooSmall],
];
