import type { Fault } from './fault.ts';

/** Every known fault. */
export const faults: readonly Fault[] = [];
