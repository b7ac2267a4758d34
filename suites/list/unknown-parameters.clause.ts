import { CHOICES_OF_MEMBERS, OTHER_LIMITS } from '../../src/clause/limits.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { countChoice, type OpenList, observeLists, sendLists, statusChoice } from './open-lists.ts';

const QUERIES = ['unknown=1', 'Limit=2', 'page=2', 'offset=1', 'cursor=none', 'sort=name', 'callback=show', '&&&'];

const each = (names: readonly string[], value: string): string => names.map((name) => `${name}=${value}`).join('&');

const BESIDE = { options: { rawQuery: 'unknown=1' } };
const COUNTED: readonly OpenList[] = [
  ...QUERIES.map((query) => ({ question: query, options: { rawQuery: query } })),
  { question: 'limit=2&unknown=1', parameters: { limit: 2 }, ...BESIDE },
  // The first page, by its number and by its start.
  ...['page=0', 'offset=0'].map((first) => ({ question: `limit=2&${first}`, parameters: { limit: 2 }, options: { rawQuery: first } })),
  { question: 'page_limit=50&limit=2', parameters: { limit: 2 }, options: { leadingQuery: 'page_limit=50' } },
  {
    question: 'limit=2&page_size=5, with other names of a page size',
    parameters: { limit: 2 },
    options: { rawQuery: each(OTHER_LIMITS, '5') },
  },
  { question: 'fields=name, with other names of a choice of members', options: { rawQuery: each(CHOICES_OF_MEMBERS, 'name') } },
];
const WITH_STATUS: readonly OpenList[] = [
  { question: 'status=available&page=0', parameters: { status: 'available' }, options: { rawQuery: 'page=0' } },
  ...PET_STATUSES.map((status) => ({ question: `status=${status}&unknown=1`, parameters: { status }, ...BESIDE })),
  // A search for the name in the whole query finds the wrong one.
  {
    question: 'last_status=sold&status=available',
    parameters: { status: 'available' },
    options: { leadingQuery: 'last_status=sold' },
  },
];

export const unknownParameters = defineRules({
  id: 'list.unknown-parameters',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.'],
  level: 'open',
  requirement:
    'Records the response to query parameters that the document does not show, including those that often select a page or an order. If such a parameter is accepted together with limit or status, these still apply (list.limit-maximum, list.status-filter). An error is still an Error, a 200 is still Pets, and neither is a crash.',
  likelyCause: 'No action needed; document any parameter that has an effect here.',
  sent: [
    {
      id: 'unknown-parameters',
      title: 'Records the response to unknown query parameters',
      step: 'final',
      needs: ['petList'],
      send: async (s) => {
        await sendLists(s, COUNTED);
        await sendLists(s, WITH_STATUS);
      },
      observe: (events) => [...observeLists(events, COUNTED, countChoice), ...observeLists(events, WITH_STATUS, statusChoice)],
    },
  ],
});
