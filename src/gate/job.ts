import type { SessionOptions } from '../session/session.ts';

/** What the gate asks its worker to do, as plain JSON: vitest hands it from thread to thread. */
export type Job = {
  readonly session: Omit<SessionOptions, 'now' | 'categoryIds'> & { readonly now: string; readonly categoryIds: readonly string[] };
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Name of the BroadcastChannel on which the worker says how it stands. */
  readonly channel: string;
};

export function packSession(options: SessionOptions): Job['session'] {
  return { ...options, now: options.now.toISOString(), categoryIds: options.categoryIds.map(String) };
}

export function unpackSession(packed: Job['session']): SessionOptions {
  return { ...packed, now: new Date(packed.now), categoryIds: packed.categoryIds.map(BigInt) };
}

declare module 'vitest' {
  interface ProvidedContext {
    conformance: Job;
  }
}
