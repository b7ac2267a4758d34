import { atPath } from './incoming.ts';
import type { Call } from './parts.ts';

/** How a router or a proxy changes a path before it compares it. */
export type Spelling = (path: string) => string;

/** Consecutive slashes are one. */
export const mergeSlashes: Spelling = (path) => path.replace(/\/{2,}/g, '/');
/** A slash at the end makes no difference. */
export const dropLastSlash: Spelling = (path) => path.replace(/\/+$/, '');
/** Parameters of segments make no difference. */
export const dropParameters: Spelling = (path) => path.replace(/;[^/]*/g, '');
/** `.` and `..` are resolved. */
export const resolveDots: Spelling = (path) => new URL(`http://localhost${path}`).pathname;
/** Letter case makes no difference. */
export const foldCase: Spelling = (path) => path.toLowerCase();
/** A suffix names the format. */
export const dropSuffix: Spelling = (path) => path.replace(/\.json$/, '');

/** Percent-encoded characters are equivalent to the characters. */
export const decodePath: Spelling = (path) => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * The request at the path that it means once its spelling is undone; undefined if that is not an operation, or the path was not changed.
 */
export function respelled(call: Call, ...undo: readonly Spelling[]): Call | undefined {
  const path = call.target.replace(/\?.*$/, '');
  const rest = /^.*?\/v1(\/.*)$/.exec(path)?.[1];
  if (rest === undefined || call.operation !== 'unknown') return undefined;
  const meant = undo.reduce((spelled, change) => change(spelled), rest);
  const found = atPath(call, meant);
  return found.operation === 'unknown' ? undefined : found;
}
