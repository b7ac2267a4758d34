import { DEFAULT_LIMIT } from '../../src/clause/limits.ts';
import { defaultPages } from '../../src/oracle/default-page.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { largeStore } from '../stimuli/creations.ts';
import { holdsBack, plainList, tooLong } from './lists.ts';

const TOO_FEW = 'so few animals are known that no default holds anything back';

/** A default proves something only if more animals are known than it allows. */
function judgeLength({ exchange }: Event, world: World) {
  const list = plainList(exchange);
  if (list === undefined || list.limit !== 'absent' || list.response.status !== 200) return 'not-applicable';
  return tooLong(list, DEFAULT_LIMIT) ?? (holdsBack({ ...list, limit: DEFAULT_LIMIT }, world) ? 'holds' : 'not-applicable');
}

async function askPairs(s: Session, filters: readonly ListParameters[]): Promise<void> {
  await largeStore(s);
  await s.all(filters, async (filter) => {
    await s.api.list(filter);
    await s.api.list({ limit: DEFAULT_LIMIT, ...filter });
  });
}

export const limitDefault = defineRules({
  id: 'list.limit-default',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['| limit parameter default | listPets | 20 |'],
  level: 'required',
  requirement: 'Without a limit, a list is as long as with limit=20: at most 20 animals.',
  likelyCause: 'The default is documented but not implemented, or applies only when no other parameter is sent.',
  rules: [
    { layer: 'values', judge: judgeLength },
    {
      layer: 'history',
      judgeAll: defaultPages,
      after: ['list.limit-maximum', 'list.filter-with-limit', 'list.status-filter', 'list.unique', 'list.read-only'],
    },
  ],
  sent: [
    {
      id: 'at-most-20',
      title: 'A list without a limit shows at most 20 animals',
      step: 'large-store',
      needs: ['petList'],
      send: async (s) => {
        await largeStore(s);
        await s.api.list();
      },
      unmet: TOO_FEW,
    },
    {
      id: 'as-limit-20',
      title: 'A list without a limit is as long as with limit=20',
      step: 'large-store',
      send: async (s) => askPairs(s, [{}]),
      cases: ({ event, others }) => others !== undefined && event.intent.status === 'absent',
      unmet: TOO_FEW,
    },
    {
      id: 'as-limit-20-filtered',
      title: 'A filtered list without a limit is as long as with limit=20, for each status',
      step: 'large-store',
      send: async (s) =>
        askPairs(
          s,
          PET_STATUSES.map((status) => ({ status })),
        ),
      cases: ({ event, others }) => others !== undefined && event.intent.status !== 'absent',
      unmet: TOO_FEW,
    },
  ],
  met: [
    {
      id: 'every-list-without-limit',
      title: 'No list without a limit shows more than 20 animals, filtered or not',
    },
  ],
});
