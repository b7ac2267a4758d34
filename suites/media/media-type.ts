import type { Answer } from '../../src/wire/exchange.ts';
import { isInfrastructure } from '../errors/infrastructure.ts';

/** The media type without parameters, in lower case (RFC 9110, section 8.3.1), or undefined without the header. */
export function mediaTypeOf(answer: Answer): string | undefined {
  const value = answer.headers.find(([name]) => name === 'content-type')?.[1];
  return value?.split(';')[0]?.trim().toLowerCase();
}

/** Whether the body comes from the interface: it is not empty, not a redirect's, and not from the infrastructure in front of it. */
export function hasOwnBody(answer: Answer): boolean {
  return answer.size > 0 && !isInfrastructure(answer) && (answer.status < 300 || answer.status >= 400);
}
