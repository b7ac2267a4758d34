import type { CauseRule } from '../cause.ts';
import { browsersGetPages } from './browsers-get-pages.ts';
import { cacheIgnoresKey } from './cache-ignores-key.ts';
import { cacheIgnoresQuery } from './cache-ignores-query.ts';
import { credentialsRejectedOtherwise } from './credentials-rejected-otherwise.ts';
import { defaultOnOutputOnly } from './default-on-output-only.ts';
import { errorsAskForCredentials } from './errors-ask-for-credentials.ts';
import { errorsByFramework } from './errors-by-framework.ts';
import { errorsOfOneStatus } from './errors-of-one-status.ts';
import { instancesApart } from './instances-apart.ts';
import { integersAsText } from './integers-as-text.ts';
import { integersThroughDouble } from './integers-through-double.ts';
import { integersTooNarrow } from './integers-too-narrow.ts';
import { invalidValueStored } from './invalid-value-stored.ts';
import { jsonReadToFirstEnd } from './json-read-to-first-end.ts';
import { keyFoundWithin } from './key-found-within.ts';
import { lockedDatabase } from './locked-database.ts';
import { memberCaseIgnored } from './member-case-ignored.ts';
import { noPetStore } from './no-pet-store.ts';
import { nullCountsAsMissing } from './null-counts-as-missing.ts';
import { nullsWritten } from './nulls-written.ts';
import { limitUnused, statusUnused } from './parameter-unused.ts';
import { rejectedWith422 } from './rejected-with-422.ts';
import { unpairedSurrogate } from './unpaired-surrogate.ts';
import { validatedBeforeAuthenticated } from './validated-before-authenticated.ts';
import { valuesConverted } from './values-converted.ts';
import { wrongAddress } from './wrong-address.ts';
import { wrongKey } from './wrong-key.ts';
import { wrongScheme } from './wrong-scheme.ts';

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
    unpairedSurrogate,
  ],
  ...[invalidValueStored, nullsWritten, integersAsText, defaultOnOutputOnly],
  // What became of a parameter.
  ...[limitUnused, statusUnused],
];
