import { authenticationElsewhereFaults } from './authentication-elsewhere.ts';
import { authenticationKeyFaults } from './authentication-key.ts';
import { authenticationMemoryFaults } from './authentication-memory.ts';
import { authenticationMissingFaults } from './authentication-missing.ts';
import { authenticationOrderFaults } from './authentication-order.ts';
import { authenticationSchemeFaults } from './authentication-scheme.ts';
import type { Fault } from './fault.ts';

/** Every known fault. */
export const faults: readonly Fault[] = [
  ...authenticationMissingFaults,
  ...authenticationKeyFaults,
  ...authenticationSchemeFaults,
  ...authenticationElsewhereFaults,
  ...authenticationOrderFaults,
  ...authenticationMemoryFaults,
];
