import fc from 'fast-check';
import { nearCredentials } from '../../src/arbitraries/near-credentials.ts';
import type { Rule } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { sendDrawn } from '../stimuli/drawn.ts';
import { postWith, readTarget } from './requests.ts';

const PLANNED = 10;
const AT_ONCE = 4;
// The suite does not guess keys: it sends few near misses of the configured one at any depth.
const MOST = 16;

type Attempt = { readonly credential: Credential; readonly operation: 'listPets' | 'getPet' | 'createPet' };

export async function sendMutatedCredentials(
  s: Session,
  { pets, rule }: { readonly pets: readonly PetView[]; readonly rule: Rule },
): Promise<void> {
  const attempts = fc.record({
    credential: nearCredentials(s.options.apiKey).map((one): Credential => ({ ...one, standing: 'refused' })),
    operation: fc.constantFrom('listPets' as const, 'listPets' as const, 'getPet' as const, 'createPet' as const),
  });

  async function send({ credential, operation }: Attempt): Promise<Exchange> {
    if (operation === 'createPet' && !s.options.readOnly) return postWith(s, await s.fixtures.draft(), credential);
    if (operation !== 'getPet') return s.api.list({ limit: 1 }, { credential });
    return s.api.get(await readTarget(s, pets), { credential });
  }

  await sendDrawn(s, {
    name: 'credentials one step away from the key',
    values: attempts,
    batch: [1, AT_ONCE],
    planned: PLANNED,
    most: MOST,
    shrinking: 10,
    send,
    rules: [rule],
  });
}
