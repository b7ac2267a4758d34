import { viewOf } from '../../src/oracle/view.ts';
import { type Case, type Event, eventOf, type World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { isInt64 } from '../../src/schema/validators.ts';
import { describeResponse } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { defineRules } from '../define.ts';
import { concurrentBatch, sendNewPet } from '../stimuli/creations.ts';
import { plainIn, sentIn, showName, shownIn } from './creations.ts';

type Birth = { readonly event: Event; readonly pet: PetView; readonly name: string };

function birthIn(event: Event): Birth | undefined {
  const { pet, intent, exchange } = event;
  if (intent.operation !== 'createPet' || intent.credential !== 'valid' || intent.body === 'invalid' || pet === undefined) return undefined;
  const name = (intent.sent ?? sentIn(exchange))?.name;
  return name === undefined ? undefined : { event, pet, name };
}

/** create.id-not-adopted judges an id that the client sent. */
const sendsId = ({ event: { exchange } }: Birth): boolean => String(exchange.request.body).includes('"id"');

/** What else has the id by the time of the creation: another creation, even of the same name, or a response that shows an animal of another name. */
function judgeDistinct(world: World): readonly Case[] {
  const { events } = world;
  const made = new Map<bigint, Event>();
  const seen = new Map<bigint, { readonly event: Event; readonly name: string | undefined }>();
  const cases: Case[] = [];
  const assigned = new Set(events.flatMap((event) => birthIn(event)?.pet.id ?? []));
  const { listsMixIds } = viewOf(world);
  for (const event of events) {
    if (event.intent.operation !== 'listPets' || !listsMixIds)
      for (const { id, name } of shownIn(event)) if (assigned.has(id)) seen.set(id, { event, name });
    const birth = birthIn(event);
    if (birth === undefined) continue;
    const { id, name } = birth.pet;
    const sight = seen.get(id);
    const isOther = sight?.name !== undefined && sight.name !== birth.name && sight.name !== name;
    const owner = made.get(id) ?? (isOther ? sight.event : undefined);
    if (!made.has(id)) made.set(id, event);
    if (event.intent.undocumented === true || sendsId(birth)) continue;
    cases.push(owner === undefined ? { event } : taken(birth, owner));
  }
  return cases;
}

function taken({ event, pet: { id } }: Birth, owner: Event): Case {
  const breach = {
    summary: `a new animal received id ${id}, which another animal already has`,
    expected: ['an id that no animal has'],
    received: describeResponse(event.exchange),
    pointer: '/id',
    failureKinds: [{ place: 'id', expected: 'an id that no animal has', received: 'the id of another animal' }],
    exchanges: [owner.exchange, event.exchange],
  } as const;
  return { event, breach };
}

/** By names, and by lists and reads, the ids of the animals that are shown under it, each with the first response that does. */
type Namesakes = ReadonlyMap<string, Readonly<Record<'listPets' | 'getPet', ReadonlyMap<bigint, Event>>>>;

function namesakesOf(names: Iterable<string>, events: readonly Event[]): Namesakes {
  const byName = new Map([...names].map((name) => [name, { listPets: new Map<bigint, Event>(), getPet: new Map<bigint, Event>() }]));
  for (const event of events) {
    const { operation } = event.intent;
    if (operation === 'createPet') continue;
    for (const { id, name = '' } of shownIn(event)) {
      const shown = byName.get(name)?.[operation];
      if (shown?.has(id) === false) shown.set(id, event);
    }
  }
  return byName;
}

/**
 * No list and no read shows a second animal with the name of a creation that no other creation had. Only where one of them has shown the first
 * animal could it have shown the second.
 */
function judgeOnce({ events }: World): readonly Case[] {
  const births = events.flatMap((event) => (plainIn(event) === undefined ? [] : (birthIn(event) ?? [])));
  const sent = Map.groupBy(
    events.filter(({ intent }) => intent.operation === 'createPet'),
    ({ intent, exchange }) => (intent.sent ?? sentIn(exchange))?.name,
  );
  // An animal that another creation has made took the name from this one.
  const made = new Set(events.flatMap(({ intent, pet }) => (intent.operation === 'createPet' ? (pet?.id ?? []) : [])));
  const namesakes = namesakesOf(
    births.map(({ name }) => name),
    events,
  );
  return births.flatMap(({ event, pet: { id }, name }): Case[] => {
    const seen = Object.values(namesakes.get(name) ?? {}).filter((shown) => shown.has(id));
    if (seen.length === 0 || sent.get(name)?.length !== 1) return [];
    const [second] = seen.flatMap((shown) => [...shown].filter(([other]) => other !== id && !made.has(other)));
    if (second === undefined) return [{ event, animal: id }];
    const [other, sight] = second;
    const breach = {
      summary: `one creation of ${showName(name)} created two animals: ${id}, as returned, and ${other}`,
      expected: [`one animal with that name and id ${id}`],
      received: `animals ${id} and ${other}`,
      failureKinds: [{ place: 'animal', expected: 'one animal', received: 'two animals' }],
      exchanges: [event.exchange, sight.exchange],
    } as const;
    return [{ event, animal: id, breach }];
  });
}

function isConcurrent({ event }: Case, world: World): boolean {
  return postsIn(world).some((other) => other.number !== event.number && other.sent < event.done && other.done > event.sent);
}

const postsIn = oncePerObject(({ events }: World): readonly Event[] => events.filter(({ intent }) => intent.operation === 'createPet'));

/** One creation, and everything that may show a second animal with its name: lists, and the adjacent ids. */
async function createOnce(s: Session): Promise<void> {
  const { exchange } = await sendNewPet(s, await s.fixtures.plain('sold'));
  const { pet } = eventOf(exchange);
  if (pet === undefined) return;
  const ids = [pet.id, pet.id + 1n, pet.id - 1n].filter((id) => isInt64(id));
  await s.all([{}, { status: 'sold' }], (parameters) => s.api.list({ ...parameters, limit: 100 }));
  await s.all(ids, (id) => s.api.get(id));
}

export const createIdAssigned = defineRules({
  id: 'create.id-assigned',
  chapter: 'create-pet',
  section: 'Pet (response record)',
  quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
  level: 'required',
  requirement: 'The service assigns each created animal a unique id: no two animals share an id, even when they are created concurrently.',
  likelyCause:
    'The next id is read and written in two steps, comes from the clock or a small random space, is counted per status table, or passes through a double.',
  rules: [
    { layer: 'history', judgeAll: judgeDistinct },
    { layer: 'history', judgeAll: judgeOnce },
  ],
  sent: [
    {
      id: 'concurrent',
      title: 'Sixteen animals created concurrently get sixteen new ids',
      step: 'large-store',
      needs: ['creation'],
      effect: 'write',
      send: (s) => concurrentBatch(s),
      cases: isConcurrent,
    },
    {
      id: 'once',
      title: 'One creation creates one animal',
      step: 'write',
      needs: ['creation'],
      effect: 'write',
      send: createOnce,
      // Those of judgeOnce alone, which are about an animal: that an id is new says nothing about a second animal.
      cases: ({ animal }) => animal !== undefined,
      unmet: 'no list and no read shows a created animal under its name',
    },
  ],
  met: [
    {
      id: 'distinct',
      title: 'Each creation makes one animal, with an id that no other animal has',
    },
  ],
});
