import type { CauseRule } from '../cause.ts';
import { cacheIgnoresKey, instancesApart } from './caches-and-instances.ts';
import { errorsAskForCredentials, errorsByFramework, lockedDatabase } from './errors.ts';
import { frameworkDefaults } from './framework-defaults.ts';
import { credentialsRejectedOtherwise, keyFoundWithin, validatedBeforeAuthenticated } from './key.ts';

/** Every known cause. A finding goes to the first cause that it shows, so causes that need more evidence come first. */
export const causes: readonly CauseRule[] = [
  // Visible in the response itself.
  lockedDatabase,
  // Who wrote the response.
  ...[errorsAskForCredentials, errorsByFramework],
  // What is in front of the service, or next to it.
  ...[cacheIgnoresKey, instancesApart],
  ...[credentialsRejectedOtherwise, validatedBeforeAuthenticated, keyFoundWithin],
  // What the framework does by default.
  ...frameworkDefaults,
];
