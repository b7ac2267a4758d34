// Patterns of names, and what a pattern that matches none was meant to be.

import { similarNames } from './similar-names.ts';

/**
 * A pattern of --only or --skip that matches no chapter, no clause, and no check.
 *
 * @example
 * ```ts
 * import { judgeServer, SelectionError } from '@petstore-conformance/cli';
 *
 * try {
 *   await judgeServer('http://127.0.0.1:8080/v1', { apiKey: 'secret', only: ['lists.*'] });
 * } catch (error) {
 *   if (error instanceof SelectionError) console.error(error.message);
 * }
 * ```
 */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
}

/** `*` is any text, including dots and slashes; everything else is literal. */
export function globMatcher(glob: string): (id: string) => boolean {
  const source = glob
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const whole = new RegExp(`^${source}$`);
  return (id) => whole.test(id);
}

/** `did you mean A, B?`: the ids that resemble the given one; undefined if none does. */
export function suggestAmong(wanted: string, ids: readonly string[]): string | undefined {
  const near = similarNames(wanted, ids);
  return near.length === 0 ? undefined : `did you mean ${near.join(', ')}?`;
}

/** The start of the ids of a chapter: `auth` for authentication. */
export const groupOf = ({ id }: { readonly id: string }): string => id.slice(0, id.indexOf('.'));
