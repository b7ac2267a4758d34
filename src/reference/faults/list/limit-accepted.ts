import type { Patch } from '../../core/parts.ts';
import { invalid } from '../../core/problem.ts';
import { faultsOf } from '../fault.ts';
import { reject } from '../helpers/requests.ts';

/** Rejects limits that are allowed. */
function rejectLimit(condition: (limit: number, text: string) => boolean): Patch {
  return (parts) => ({
    parseLimit: (texts) => {
      const limit = parts.parseLimit(texts);
      const [text] = texts;
      return typeof limit === 'number' && text !== undefined && condition(limit, text)
        ? invalid(`limit must not be ${text}`, 'invalid_limit')
        : limit;
    },
  });
}

/** Limits from 1 to 100 that are rejected. */
export const listLimitAccepted = faultsOf('list.limit-accepted', {
  'every-limit-refused': ['Query values are strings, and the schema expects an integer: every limit is rejected.', rejectLimit(() => true)],
  'limit-1-refused': ['limit=1 is rejected: the check says > 1.', rejectLimit((limit) => limit === 1)],
  'limit-100-refused': ['limit=100 is rejected: the check says < 100.', rejectLimit((limit) => limit === 100)],
  'limit-over-50-refused': ['Limits over 50 are rejected.', rejectLimit((limit) => limit > 50)],
  'limit-below-5-refused': ['Limits below 5 are rejected.', rejectLimit((limit) => limit < 5)],
  'limit-64-refused': ['limit=64 is rejected: a fencepost error in a table of page sizes.', rejectLimit((limit) => limit === 64)],
  'limit-13-refused': ['limit=13 is rejected.', rejectLimit((limit) => limit === 13)],
  'limit-not-multiple-of-5-refused': [
    'Only the page sizes of the web console (multiples of 5) are accepted.',
    rejectLimit((limit) => limit % 5 !== 0),
  ],
  'limit-compared-as-text': ['limit is compared as a string, so "2" is greater than "100".', rejectLimit((_limit, text) => text > '100')],
  'limit-of-all-refused': [
    'A list without a status is rejected where the limit is exactly the number of animals: the next page is looked for beyond the last one.',
    reject(({ call, store }) =>
      call.operation === 'listPets' && !call.query.has('status') && Number(call.query.get('limit')) === store.animals.length
        ? invalid('there is no next page', 'invalid_limit')
        : undefined,
    ),
    { seedAnimals: 8 },
  ],
  'limit-always-refused': [
    'The validator expects a number and gets the string of the query: every limit is rejected.',
    rejectLimit(() => true),
  ],
});
