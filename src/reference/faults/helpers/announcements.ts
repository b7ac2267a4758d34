import type { Patch } from '../../core/parts.ts';

/** Replaces headers of getPet. */
export function announce(change: Readonly<Record<string, string>>): Patch {
  return (parts) => ({
    headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(call.operation === 'getPet' ? change : {}) }),
  });
}
