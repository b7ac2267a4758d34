import type { Tool } from '../support/tool.ts';

/** A server that attacks, while it listens. */
export type Attacker = {
  readonly baseUrl: string;
  close(): Promise<void>;
  /** What the client did that it must not: followed a redirect, sent a cookie back. One sentence each. */
  readonly misdeeds?: () => readonly string[];
};

/** One way to harm an HTTP client, and how a run against it must end. */
export type Attack = {
  /** Unique, kebab-case. */
  readonly name: string;
  /** What the server does, in one sentence. */
  readonly does: string;
  /** 1: it was judged and failed. 3: it could never be reached. 0 only where the server is within its rights. */
  readonly exits: readonly number[];
  /** The true cause, as the output must name it. */
  readonly names: RegExp;
  /** What the machine must have for it. */
  readonly needs?: readonly Tool[];
  readonly start: () => Promise<Attacker>;
};
