import { type Event, type World, wasShown } from '../../src/oracle/world.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';

/**
 * A 200 for an animal that is known to exist shows that animal. get.not-found judges unknown ids: the response to one
 * should not have been an animal at all.
 */
function judgeIdentity(event: Event, world: World) {
  const { exchange, intent } = event;
  const { petId } = intent;
  // Without the API key, a header may name another path, which is served there.
  if (intent.undocumented === true && intent.credential !== 'valid') return 'not-applicable';
  if (petId === undefined || exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 200) return 'not-applicable';
  const { json } = exchange.outcome.answer;
  if (!json.ok || !isJsonObject(json.value)) return 'not-applicable';
  if (!wasShown(petId, event, world)) return 'not-applicable';
  const { id } = json.value;
  // record.pet judges an id that is not an integer.
  if (typeof id !== 'bigint' && !Number.isInteger(id)) return 'not-applicable';
  if (String(id) === String(petId)) return 'holds';
  return {
    summary: `${describeRequest(exchange)} returned animal ${String(id)}`,
    expected: [`id ${petId}`],
    received: describeResponse(exchange),
    pointer: '/id',
    failureKinds: [{ place: 'id', expected: 'the id asked for', received: 'another id' }],
  };
}

export const getIdentity = defineRules({
  id: 'get.identity',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.', 'Success: `200`, body is a Pet.'],
  level: 'required',
  requirement: 'getPet returns the requested animal: its id equals petId, digit by digit.',
  likelyCause:
    'The lookup uses a position, or a truncated or rounded number (32 bits, doubles); or a cache or a handler mixes up requests.',
  // undocumented: whatever else a query asks for, the path names the animal.
  rules: [{ layer: 'values', undocumented: true, judge: judgeIdentity }],
  sent: [
    {
      id: 'listed',
      title: 'getPet returns the first and the last listed animal under their ids, whatever id a query names',
      step: 'read',
      needs: ['pets'],
      send: async (s, { pets }) => {
        const ids = [...new Set([pets[0]?.id, pets.at(-1)?.id].filter((id) => id !== undefined))];
        await s.all(ids, (id) => s.api.get(id));
        const [first, last] = ids;
        if (first !== undefined && last !== undefined) await s.api.get(first, { rawQuery: `petId=${last}&id=${last}`, undocumented: true });
      },
    },
    {
      id: 'concurrently',
      title: 'Concurrent reads each return the requested animal',
      step: 'more-reads',
      needs: ['pets'],
      exhaustive: true,
      send: async (s) => {
        const pets = await s.fixtures.sample(6);
        return s.all([...pets, ...pets.toReversed()], ({ id }) => s.api.get(id));
      },
    },
  ],
  met: [{ id: 'every-read', title: 'Every getPet response has the requested id' }],
});
