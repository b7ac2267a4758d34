import type { Case, Event, World } from '../../src/oracle/world.ts';
import type { Session } from '../../src/session/session.ts';
import type { ForbiddenValue, Leftover } from '../../src/session/state/leftovers.ts';
import { defineRules } from '../define.ts';

const READ_OF_A_KIND = 3;
const MOST_NAMED = 5;

function someOfEachKind(found: readonly Leftover[]): readonly Leftover[] {
  const counts = new Map<string, number>();
  return found.filter(({ values }) => {
    const kind = values.map(({ clause }) => clause).join();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= READ_OF_A_KIND;
  });
}

const clausesOf = ({ values }: Leftover): ForbiddenValue['clause'][] => values.map(({ clause }) => clause);

function leftOver(old: readonly Leftover[], [first, ...others]: readonly [Event, ...Event[]]): Case {
  const animals = old.map(({ id, values }) => `${id} (${values.map((value) => value.shown).join(', ')})`);
  const more = old.length > MOST_NAMED ? ` and ${old.length - MOST_NAMED} more` : '';
  const count = `${old.length} ${old.length === 1 ? 'animal' : 'animals'}`;
  const breach = {
    summary: `the store holds ${count} of earlier runs of this suite that can't be created today: ${animals.slice(0, MOST_NAMED).join(', ')}${more}; remove ${old.length === 1 ? 'it' : 'them'}`,
    expected: ['a store without animals that an earlier build accepted by mistake: remove them'],
    received: animals.join(', '),
    failureKinds: [{ place: 'animal', expected: 'no invalid animals of earlier runs', received: 'some' }],
    exchanges: [first, ...others].map(({ exchange }) => exchange),
  };
  return { event: first, others, breach };
}

/** Animals of earlier runs are Pets, unless only an earlier build can have created them, which a run that creates nothing can't tell. */
function judgeLeftovers({ events, known: { leftovers } }: World): readonly Case[] {
  const found = leftovers.found();
  if (found.length === 0) {
    const list = leftovers.anyAnimal() ? events.findLast(({ pets = [] }) => pets.length > 0) : undefined;
    return list === undefined ? [] : [{ event: list }];
  }
  const old = found.filter((one) => leftovers.areOld(clausesOf(one)));
  const ids = new Set(found.map(({ id }) => id));
  const [first, ...others] = events.filter(
    ({ intent, response }) => response !== undefined && intent.petId !== undefined && ids.has(intent.petId),
  );
  const wasCreating = events.some(({ intent }) => intent.operation === 'createPet');
  return old.length === 0 || first === undefined || !wasCreating ? [] : [leftOver(old, [first, ...others])];
}

async function sendReads(s: Session): Promise<void> {
  const found = s.knowledge.leftovers.found();
  if (found.length === 0) return;
  await s.fixtures.firstCreations();
  await s.all(someOfEachKind(found), ({ id }) => s.api.get(id));
}

export const recordLeftovers = defineRules({
  id: 'record.leftovers',
  chapter: 'records',
  section: 'Pet (response record)',
  level: 'advised',
  requirement: 'The store holds no animal of an earlier run of this suite that an earlier build should have rejected.',
  likelyCause:
    'An earlier build accepted what the service rejects today, and the interface has no operation that deletes. Remove these animals from the store: they hide nothing, but every client of the list gets them.',
  rules: [{ layer: 'history', judgeAll: judgeLeftovers }],
  sent: [
    {
      id: 'seen',
      title: 'Animals of earlier runs are Pets',
      step: 'final',
      send: sendReads,
      cases: () => true,
      absent: 'no animal that only an earlier run can have created was seen',
    },
  ],
});
