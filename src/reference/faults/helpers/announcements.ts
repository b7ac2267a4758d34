import type { Patch } from '../../core/parts.ts';

/** Headers of getPet in place of those of the base. */
export function announce(change: Readonly<Record<string, string>>): Patch {
  return (parts) => ({
    headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(call.operation === 'getPet' ? change : {}) }),
  });
}
