import { observed } from '../../src/clause/halt.ts';
import { petsOf } from '../../src/expect/expect.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { askList } from '../judging/lists/list-queries.ts';

/** Header names by which services tell of further pages or of the whole count. */
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
  level: 'open',
  requirement:
    'Recorded: what hints at further pages the answers show, and whether a page can be shorter than its limit while more animals are there. The list is "paginated"; the parameters and fields that select a later page are not shown.',
  likelyCause: 'Nothing has to be done; paging that clients shall use belongs into the document.',
  checks: [
    {
      id: 'hints',
      title: 'Hints at further pages and the size of the largest page are recorded',
      step: 'final',
      run: async (s) => {
        await s.fixtures.admitted();
        const [small, large] = [await askList(s, { limit: 1 }), await askList(s, { limit: 100 })];
        const known = s.knowledge.seen.size;
        const size = petsOf(large).length;
        const largest =
          size < known && size < 100 ? 'shorter than the animals that are there' : 'as long as the animals and the limit allow';
        return observed(
          { question: 'headers that hint at further pages', answer: hintsOf(small) },
          { question: 'page of limit=100', answer: largest },
        );
      },
    },
  ],
});
