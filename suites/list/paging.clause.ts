import { observed } from '../../src/clause/halt.ts';
import { petsOf } from '../../src/expect/expect.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { askList } from '../judging/lists/ask-list.ts';

/** Names of headers that point to further pages or state the total count. */
const PAGING =
  /^(?:link|content-range|accept-ranges|x-(?:total|count|pagination|page|per-page|next|prev|offset|limit|cursor|has-more).*|.*(?:next|continuation|cursor).*|total-count)$/;

function hintsOf(exchange: Exchange): string {
  if (exchange.outcome.kind === 'failed') return 'none';
  const names = new Set(exchange.outcome.answer.headers.map(([name]) => name).filter((name) => PAGING.test(name)));
  return names.size === 0 ? 'none' : [...names].sort().join(', ');
}

export const listPaging = defineClause({
  id: 'list.paging',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.'],
  level: 'open',
  requirement:
    'Records which headers point to further pages, and whether a page can be shorter than its limit although more animals exist. The document calls the list "paginated", but does not show the parameters and fields that select a later page.',
  likelyCause: 'No action needed. If clients may rely on paging, document it.',
  checks: [
    {
      id: 'paging-headers',
      title: 'Records headers that point to further pages and the size of the largest page',
      step: 'final',
      given: ['petList'],
      run: async (s) => {
        const [small, large] = [await askList(s, { limit: 1 }), await askList(s, { limit: 100 })];
        const known = s.knowledge.seen.size;
        const size = petsOf(large).length;
        const largest = size < known && size < 100 ? 'shorter than the number of animals' : 'as long as the animals and the limit allow';
        return observed(
          { question: 'headers that point to further pages', answer: hintsOf(small) },
          { question: 'page of limit=100', answer: largest },
        );
      },
    },
  ],
});
