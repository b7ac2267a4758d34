import type { Finding } from '../../../src/clause/outcome.ts';
import { type FindingParts, finding } from '../../../src/expect/expect.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';

/** What is wrong with a response, in the shape that both a finding and an invariant use. */
export type Wrong = FindingParts & { readonly received: string };

/** The finding for what is wrong with an exchange. */
export function findingOf(exchange: Exchange, wrong: Wrong | undefined): Finding | undefined {
  return wrong === undefined ? undefined : finding([exchange], wrong);
}

/** An invariant's judgment of what is wrong, if anything. */
export function judgementOf(wrong: Wrong | undefined): 'holds' | Wrong {
  return wrong ?? 'holds';
}
