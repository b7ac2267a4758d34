import type { Exchange } from '../../../src/wire/exchange.ts';
import { cleanText } from '../../../src/wire/redact.ts';

const LONGEST_BODY = 120;

/** The body of a POST for a summary. */
export function describeBody({ request: { body } }: Exchange): string {
  if (body === undefined || body.length === 0) return '(empty)';
  return cleanText(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'), LONGEST_BODY).replace(/\s+/g, ' ');
}
