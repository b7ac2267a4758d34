import type { Event } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange, Operation } from '../../src/wire/exchange.ts';
import { ignoringHalts, oncePerSession } from './sending.ts';

// One request for each response that the document names. Nothing here judges.

const DOCUMENTED: Readonly<Record<Operation, readonly number[]>> = {
  listPets: [200, 401],
  createPet: [201, 400, 401],
  getPet: [200, 401, 404],
};

const hasDocumentedStatus = ({ intent, status = 0 }: Event): boolean => DOCUMENTED[intent.operation].includes(status);

export const isReadWithDocumentedStatus = (event: Event): boolean => event.intent.operation !== 'createPet' && hasDocumentedStatus(event);

export const isCreationWithDocumentedStatus = (event: Event): boolean =>
  event.intent.operation === 'createPet' && hasDocumentedStatus(event);

type Ask = (client: CallOptions) => Promise<Exchange>;

/** A request that can be sent as any client, and the response to the usual one. */
export type Documented = { readonly ask: Ask; readonly usual: Exchange };

const asUsual = (s: Session, asks: readonly Ask[]): Promise<readonly Documented[]> =>
  s.all(asks, async (ask) => ({ ask, usual: await ask({}) }));

export const documentedReads = oncePerSession(async (s): Promise<readonly Documented[]> => {
  const asks: Ask[] = [(client) => s.api.list({}, client), (client) => s.api.list({ limit: 2 }, { ...client, credential: NO_CREDENTIAL })];
  // The operation may have been removed as announced.
  await ignoringHalts(async () => {
    const { id } = await s.fixtures.existing();
    const absent = await s.fixtures.absentId();
    asks.push(
      (client) => s.api.get(id, client),
      (client) => s.api.get(id, { ...client, credential: NO_CREDENTIAL }),
      (client) => s.api.get(absent, client),
    );
  });
  return asUsual(s, asks);
});

/** Clients that a service may reject. */
export const VAGUE_CLIENTS = [
  { without: ['user-agent'], vague: true },
  { headers: [['origin', 'https://shop.example']], vague: true },
  // A second origin, in case the first one is on a list.
  {
    headers: [
      ['origin', 'https://www.example.org'],
      ['referer', 'https://www.example.org/pets?page=2'],
    ],
    vague: true,
  },
  // Obsolete (RFC 9110, section 12.5.2), and rejected by firewalls. JSON is UTF-8, whatever it says.
  { headers: [['accept-charset', 'iso-8859-1,*;q=0.5']], vague: true },
] as const satisfies readonly CallOptions[];

export async function vagueReads(s: Session): Promise<void> {
  const reads = await documentedReads(s);
  await s.all(s.portion(VAGUE_CLIENTS), (client) => s.all(reads, ({ ask }) => ask(client)));
}

export const documentedRejections = oncePerSession((s): Promise<readonly Documented[]> => {
  const empty = { value: {} };
  return asUsual(s, [
    (client) => s.api.create(empty, { ...client, domain: 'invalid', clause: 'create.name-required' }),
    (client) => s.api.create(empty, { ...client, domain: 'open', credential: NO_CREDENTIAL }),
  ]);
});

export async function documentedWrites(s: Session): Promise<void> {
  await s.fixtures.firstCreations();
  await documentedRejections(s);
}

/** Listed animals that represent the others: the first of each status, and the last of all. */
export function fewOf(pets: readonly PetView[]): readonly PetView[] {
  const first = new Map(pets.toReversed().map((pet) => [pet.status, pet]));
  return [...new Set([...first.values(), ...pets.slice(-1)])];
}
