import type { Context, Parts } from './parts.ts';

/** The same request with other parts, for an operation that deviates for this request only. */
export function withParts(context: Context, changes: Partial<Parts>): Context {
  return { ...context, parts: { ...context.parts, ...changes } };
}
