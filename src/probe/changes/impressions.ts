// What later runs on a target may show differently, from the history of a run.

import type { ClauseRecord } from '../../clause/clause-record.ts';
import { type Exchange, hasKey, isDocumented } from '../../oracle/exchange.ts';
import type { World } from '../../oracle/world.ts';
import { cut } from '../text.ts';
import { animalValue, type Impression } from './change.ts';

/** Animals tracked from run to run, per target. */
const MOST_ANIMALS = 8;
const LONGEST = 100;
const LONGEST_ANSWER = 300;
const ANNOUNCEMENTS = ['deprecation', 'sunset'] as const;

const cutShort = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text);

const isServed = (exchange: Exchange): boolean => hasKey(exchange) && isDocumented(exchange) && exchange.response?.status === 200;

/** Whether lists without a status show animals. */
function listIn({ all }: World): readonly Impression[] {
  const lists = all.filter((one) => one.facts.list?.status.kind === 'absent' && isServed(one) && one.read.pets !== undefined);
  if (lists.length === 0) return [];
  return [{ kind: 'list', subject: 'animals', value: lists.some(({ read }) => read.size > 0) ? 'some' : 'none' }];
}

/** What the last read announces. */
function announcementsIn({ all }: World, show: (text: string) => string): readonly Impression[] {
  const response = all.findLast((one) => one.facts.operation === 'getPet' && isServed(one))?.response;
  if (response === undefined) return [];
  const headerOf = (wanted: string): string => response.headers.find(([name]) => name === wanted)?.[1] ?? '';
  return ANNOUNCEMENTS.map((subject) => ({ kind: 'deprecation', subject, value: cutShort(show(headerOf(subject))) }));
}

/** `show`: a text of the service without secrets. The animals with the lowest ids are the same ones in every run, whatever the order of the list is. */
export function impressionsIn(world: World, show: (text: string) => string): readonly Impression[] {
  const whole = [...world.seen.values()].filter(({ gaps }) => gaps.length === 0);
  const lowest = whole.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, MOST_ANIMALS);
  const animals = lowest.map(
    ({ id, name, categoryId }): Impression => ({
      kind: 'animal',
      subject: String(id),
      value: animalValue({ name: name === undefined ? undefined : cutShort(show(name)), categoryId }),
    }),
  );
  return [...listIn(world), ...announcementsIn(world, show), ...animals];
}

/** What it does where the document is silent. */
export function answersIn(clauses: readonly Pick<ClauseRecord, 'id' | 'observations'>[]): readonly Impression[] {
  return clauses.flatMap(({ id, observations }) =>
    observations.map(
      ({ question, answer }): Impression => ({ kind: 'behavior', subject: `${id} ${question}`, value: cut(answer, LONGEST_ANSWER) }),
    ),
  );
}
