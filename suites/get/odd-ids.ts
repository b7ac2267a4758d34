import type { Observation } from '../../src/clause/outcome.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { isJsonObject } from '../../src/wire/json.ts';

/** The question's name in behavior.json, which must not depend on the existing animals, and the id in the path. */
type OddId = readonly [question: string, segment: string];

type OddIds = (known: bigint) => readonly OddId[];

function resultOf({ exchange: { outcome } }: Event, known: PetView['id']): string {
  if (outcome.kind === 'failed') return 'no complete response';
  const { status, json } = outcome.answer;
  if (status !== 200 || !json.ok || !isJsonObject(json.value)) return String(status);
  return String(json.value['id']) === String(known) ? '200 with the animal of that number' : '200 with a different animal';
}

const pathOf = (segment: string): string => `/pets/${encodeURIComponent(segment)}`;

/** The animal whose id the requests were derived from; other requests may have been sent to find it. */
function knownOf(events: readonly Event[], { known: { seen, created } }: World, idsFor: OddIds): PetView['id'] | undefined {
  const paths = new Set(events.map(({ exchange }) => exchange.request.path));
  const areAsked = (id: bigint): boolean => idsFor(id).every(([, segment]) => paths.has(pathOf(segment)));
  return [...seen.keys(), ...created.keys()].map(BigInt).find(areAsked);
}

/**
 * Requests odd ids and records the result of each. Rules that hold for any response apply as well (an error is an Error, a 200 is a Pet, no
 * 5xx).
 */
export function oddIds(idsFor: OddIds) {
  return {
    send: async (s: Session, { readable: { id } }: { readonly readable: PetView }) =>
      s.all(idsFor(id), ([, segment]) => s.api.get(segment)),
    observe(events: readonly Event[], world: World): readonly Observation[] {
      const known = knownOf(events, world, idsFor);
      if (known === undefined) return [];
      return idsFor(known).flatMap(([question, segment]) => {
        const event = events.findLast(({ exchange }) => exchange.request.path === pathOf(segment));
        return event === undefined ? [] : [{ question, answer: resultOf(event, known) }];
      });
    },
  };
}
