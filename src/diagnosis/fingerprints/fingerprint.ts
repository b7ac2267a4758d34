import type { Traces } from './traces.ts';

/** How a response shows who wrote it. */
export type Fingerprint = {
  /** The product, as its users call it; undefined if several write the same. */
  readonly product: string | undefined;
  /** The part of the product that writes such responses: `Fastify's router`. */
  readonly writer: string;
  /** Where the facts come from: project and file, or page. */
  readonly source: string;
  /** Where to fix it, as a sentence. */
  readonly advice: string;
  /** It also decides the status of rejections: one repair fixes both. */
  readonly validates?: true;
  readonly matches: (traces: Traces) => boolean;
};
