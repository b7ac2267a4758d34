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
import { cacheIgnoresKey, cacheIgnoresQuery, instancesApart, limitUnused, statusUnused } from './caches-and-instances.ts';
import {
  browsersGetPages,
  errorsAskForCredentials,
  errorsByFramework,
  errorsOfOneStatus,
  lockedDatabase,
  rejectedWith422,
} from './errors.ts';
import { integersAsText, integersThroughDouble, integersTooNarrow } from './integers.ts';
import {
  defaultOnOutputOnly,
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

/** Every known cause. A finding goes to the first that it shows, so that what needs more evidence comes first. */
export const causes: readonly CauseRule[] = [
  // Nothing can be judged.
  ...[wrongScheme, wrongAddress, wrongKey, noPetStore],
  // What the response itself says.
  lockedDatabase,
  // Who wrote the response.
  ...[errorsAskForCredentials, errorsByFramework, errorsOfOneStatus, browsersGetPages, rejectedWith422],
  // What stands in front of the service, or beside it.
  ...[cacheIgnoresKey, cacheIgnoresQuery, instancesApart],
  ...[credentialsRejectedOtherwise, validatedBeforeAuthenticated, keyFoundWithin],
  // What became of a value.
  ...[
    integersTooNarrow,
    integersThroughDouble,
    memberCaseIgnored,
    valuesConverted,
    nullCountsAsMissing,
    jsonReadToFirstEnd,
    nanAccepted,
    unpairedSurrogate,
  ],
  ...[invalidValueStored, nullsWritten, integersAsText, defaultOnOutputOnly, emptyListWrittenOtherwise],
  // What became of a parameter.
  ...[limitUnused, statusUnused],
];
