import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import type { Observation } from '../../src/clause/outcome.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import type { HttpResponse } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { isOwnedElsewhere } from '../responses.ts';
import { readPets } from './open-lists.ts';

const PAGING =
  /^(?:link|content-range|accept-ranges|x-(?:total|count|pagination|page|per-page|next|prev|offset|limit|cursor|has-more).*|.*(?:next|continuation|cursor).*|total-count)$/;

function hintsOf({ headers }: HttpResponse): string {
  const names = new Set(headers.map(([name]) => name).filter((name) => PAGING.test(name)));
  return names.size === 0 ? 'none' : [...names].sort().join(', ');
}

function countKnown({ done }: Event, { events, known }: World): number {
  const idsIn = (some: readonly Event[]) => new Set(some.flatMap(({ pets, pet }) => pets ?? pet ?? []).map(({ id }) => String(id)));
  const before = idsIn(events.filter((event) => event.done <= done));
  const after = idsIn(events.filter((event) => event.done > done));
  return [...known.seen.keys()].filter((id) => before.has(id) || !after.has(id)).length;
}

function observePaging(events: readonly Event[], world: World): readonly Observation[] {
  const askedFor = (limit: number) => events.filter(({ exchange }) => exchange.request.query === `limit=${limit}`);
  // 401, 429, and 5xx except 501 say nothing.
  const small = askedFor(1).findLast(({ response }) => response !== undefined && !isOwnedElsewhere(response));
  const large = askedFor(LARGEST_LIMIT).findLast((event) => readPets(event) !== undefined);
  if (small?.response === undefined || large === undefined) return [];
  const { length: size } = readPets(large) ?? [];
  const isShort = size < LARGEST_LIMIT && size < countKnown(large, world);
  return [
    { question: 'headers that point to further pages', answer: hintsOf(small.response) },
    {
      question: 'page of limit=100',
      answer: isShort ? 'shorter than the number of animals' : 'as long as the animals and the limit allow',
    },
  ];
}

export const listPaging = defineRules({
  id: 'list.paging',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.'],
  level: 'open',
  requirement:
    'Records which headers point to further pages, and whether a page can be shorter than its limit although more animals exist. The document calls the list "paginated", but does not show the parameters and fields that select a later page.',
  likelyCause: 'No action needed. If clients may rely on paging, document it.',
  sent: [
    {
      id: 'paging-headers',
      title: 'Records headers that point to further pages and the size of the largest page',
      step: 'final',
      needs: ['petList'],
      send: async (s) => {
        await s.api.list({ limit: 1 });
        await s.api.list({ limit: LARGEST_LIMIT });
      },
      observe: observePaging,
      unmet: 'there are no two lists, a small and a large one, that can be read',
    },
  ],
});
