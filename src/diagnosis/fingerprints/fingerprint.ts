import type { Traces } from './traces.ts';

/** How a response shows who wrote it. */
export type Fingerprint = {
  /** The product, as its users call it. */
  readonly product: string;
  /** The part of the product that writes such responses: `Fastify's router`. */
  readonly writer: string;
  /** Where the facts come from: project and file, or page. */
  readonly source: string;
  /** Where one mends it, as a sentence. */
  readonly advice: string;
  /** Other products write the same: where one of them is recognized otherwise, it wrote this too. */
  readonly ambiguous?: true;
  readonly matches: (traces: Traces) => boolean;
};
