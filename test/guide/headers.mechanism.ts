import type { Layer } from '../../src/clause/clause.ts';
import { headersOf } from '../../src/oracle/exchange.ts';
import { form } from '../../src/oracle/mechanisms.ts';
import type { Rule } from '../../src/oracle/rule.ts';

/** Each response with one of these statuses has the header field. */
export function carries(field: string, statuses: readonly number[], layer: Layer = 'media type'): Rule {
  return form(layer, ({ response }) => {
    if (!statuses.includes(response.status)) return 'no matter';
    if (headersOf(response, field).length > 0) return undefined;
    return {
      what: `has no ${field}`,
      expected: [`a ${field} header`],
      failureKinds: [{ place: `header ${field}`, expected: 'any', received: 'missing' }],
    };
  });
}
