import type { Tool } from '../support/tool.ts';

/** An attacking server, while it listens. */
export type Attacker = {
  readonly baseUrl: string;
  close(): Promise<void>;
  /** What the client wrongly did: followed a redirect, sent a cookie back. One sentence each. */
  readonly misdeeds?: () => readonly string[];
};

/** One way to harm an HTTP client, and how a run against it must end. */
export type Attack = {
  /** Unique, kebab-case. */
  readonly name: string;
  /** What the server does, in one sentence. */
  readonly does: string;
  /** 1: it was judged and failed. 3: it could never be reached. 0 only if the server is within its rights. */
  readonly exits: readonly number[];
  /** The true cause, as the output must name it. */
  readonly names: RegExp;
  /** Tools that the machine needs for it. */
  readonly needs?: readonly Tool[];
  readonly start: () => Promise<Attacker>;
};
