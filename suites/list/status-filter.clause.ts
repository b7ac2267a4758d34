import type { Case, Event, World } from '../../src/oracle/world.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { isFilled, listBesideOthers, strangerIn } from './lists.ts';

/** list.filter-with-limit judges lists that have a limit too. An empty list proves nothing. */
function judgeStatus(event: Event) {
  const list = listBesideOthers(event.exchange);
  if (list === undefined || list.status === 'absent' || list.limit !== 'absent' || !isFilled(event)) return 'not-applicable';
  return strangerIn(list, list.status) ?? 'holds';
}

/** Enough rounds that an animal that other clients keep buying and returning is not in every list by chance. */
const ROUNDS = [1, 2, 3];
const PAIRS = [
  ['available', 'pending'],
  ['available', 'sold'],
  ['pending', 'sold'],
] as const;

/**
 * Broken if three lists with one status and three with another, alternating, show the same animal, and none of them omits it in between: no
 * animal has two statuses. Two animals that share an id do not count.
 */
function underTwoStatuses({ events, known }: World): readonly Case[] {
  return PAIRS.flatMap(([one, other]) => {
    const lists = events.filter((event) => {
      const list = listBesideOthers(event.exchange);
      return list?.limit === 'absent' && (list.status === one || list.status === other);
    });
    if (lists.length < 2 * ROUNDS.length) return [];
    const inRow = new Map<string, Event[]>();
    for (const event of lists) {
      const shown = new Map((event.pets ?? []).map((pet) => [`${pet.id} ${pet.name}`, pet]));
      for (const key of inRow.keys()) if (!shown.has(key)) inRow.delete(key);
      for (const [key, { id }] of shown) {
        const row = inRow.get(key) ?? [];
        // Alternating: as often under one status as under the other.
        if (!known.sharedIds.has(String(id)) && row.at(-1)?.intent.status !== event.intent.status) row.push(event);
        inRow.set(key, row);
        if (row.length < 2 * ROUNDS.length) continue;
        const exchanges = [row[0] ?? event, ...row.slice(1)].map(({ exchange }) => exchange);
        const breach = {
          summary: `animal ${id} is listed under both status=${one} and status=${other}`,
          expected: ['each animal under a single status'],
          received: `animal ${id} in ${row.length} lists with two different statuses`,
          failureKinds: [{ place: '[].status', expected: 'a single status', received: 'two statuses' }],
          exchanges: [exchanges[0] ?? event.exchange, ...exchanges.slice(1)] as const,
        };
        return [{ event, animal: id, others: row, breach }];
      }
    }
    return [];
  });
}

async function askFilled(s: Session, status: (typeof PET_STATUSES)[number]): Promise<void> {
  const first = await s.fixtures.firstFiltered(status);
  const { outcome } = first;
  if (outcome.kind === 'failed' || !outcome.answer.json.ok || !Array.isArray(outcome.answer.json.value)) return;
  if (outcome.answer.json.value.length > 0) return;
  await s.fixtures.withStatus(status);
  await s.api.list({ status });
}

export const statusFilter = defineRules({
  id: 'list.status-filter',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |'],
  level: 'required',
  requirement: 'A list with a status shows only animals that have that status; an animal without a status has none.',
  likelyCause: 'The filter does not reach the query, it keeps animals whose status is null, or a cache ignores the query string.',
  rules: [
    { layer: 'values', judge: judgeStatus },
    { layer: 'history', judgeAll: underTwoStatuses, after: ['create.id-assigned'] },
  ],
  sent: [
    {
      id: 'each-status',
      title: 'Each status keeps only animals with that status',
      step: 'read',
      needs: ['petList'],
      smoke: true,
      send: async (s) => s.all(PET_STATUSES, (status) => askFilled(s, status)),
      cases: () => true,
      unmet: 'the filtered lists show no animal',
    },
    {
      id: 'alternating',
      title: 'Alternating lists with different statuses are not mixed up',
      step: 'read',
      needs: ['petList'],
      exhaustive: true,
      send: async (s) => {
        for (const status of ROUNDS.flatMap(() => PET_STATUSES)) await s.api.list({ status });
      },
      unmet: 'the store lacks animals with a status, which would distinguish the lists',
    },
  ],
  met: [
    {
      id: 'every-filtered-list',
      title: 'Every animal in a filtered list has the requested status',
    },
  ],
});
