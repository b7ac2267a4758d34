import type { NewPetInput, PetView } from '../../src/schema/pet.ts';
import type { CallOptions, Credential, ListParameters } from '../../src/session/client/api.ts';
import { statusOf } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, isSuccess, PET_STATUSES } from '../../src/wire/exchange.ts';
import { eachPlace, elsewhere, type Family, malformed, malformedFamilyOf } from '../cases/credentials.ts';
import { afterFirstRejections } from '../stimuli/creations.ts';
import { LISTS } from '../stimuli/lists.ts';
import { ignoringHalts } from '../stimuli/sending.ts';

type CredentialedList = { readonly credential: Credential; readonly list: ListParameters };

export function inTurn(credentials: readonly Credential[]): readonly CredentialedList[] {
  return credentials.map((credential, index) => ({ credential, list: LISTS[index % LISTS.length] ?? {} }));
}

export async function sendLists(s: Session, rows: readonly CredentialedList[]): Promise<void> {
  await s.all(s.portion(rows), ({ credential, list }) => s.api.list(list, { credential }));
}

/**
 * Lists with the API key at other places; where a request with several of them is accepted, and others are not, one for each of its places. A
 * probe, and a run that has time for a part of the table only, leave that out.
 */
export async function sendElsewhere(s: Session): Promise<void> {
  const rows = inTurn(elsewhere(s.options.apiKey, s.options));
  const portion = s.portion(rows);
  const exchanges = await s.all(portion, ({ credential, list }) => s.api.list(list, { credential }));
  const accepted = portion.filter((_row, index) => isAccepted(exchanges[index] as Exchange));
  const single = accepted.flatMap(({ credential, list }) =>
    eachPlace(credential, s.options.apiKey).map((place) => ({ credential: place, list })),
  );
  const isPart = s.options.frugal === true || portion.length < rows.length;
  if (isPart || accepted.length === rows.length) return;
  await s.all(single, ({ credential, list }) => s.api.list(list, { credential }));
}

/**
 * The animal to read without the key: the first known one or, in an empty store, one that does not exist. It is also read with the key,
 * because an error that the key also gets says nothing about the credential.
 */
export async function readTarget(s: Session, pets: readonly PetView[]): Promise<bigint> {
  const id = pets[0]?.id ?? (await s.fixtures.absentId());
  await s.fixtures.firstRead(id);
  return id;
}

async function readTargets(s: Session, pets: readonly PetView[]): Promise<readonly bigint[]> {
  const ids = [await readTarget(s, pets)];
  await s.all(PET_STATUSES, (status) =>
    ignoringHalts(async () => {
      ids.push((await s.fixtures.withStatus(status)).id);
    }),
  );
  return [...new Set(ids)];
}

/** Each animal and each credential at least once. */
export async function sendReads(
  s: Session,
  pets: readonly PetView[],
  credentials: readonly Credential[],
  options: CallOptions = {},
): Promise<void> {
  const ids = await readTargets(s, pets);
  const rows = Array.from({ length: Math.max(ids.length, credentials.length) }).flatMap((_unused, index) => {
    const [id, credential] = [ids[index % ids.length], credentials[index % credentials.length]];
    return id === undefined || credential === undefined ? [] : [{ id, credential }];
  });
  await s.all(s.portion(rows), ({ id, credential }) => s.api.get(id, { ...options, credential }));
}

const STATUSES = [undefined, ...PET_STATUSES];
const FIRST_CREATIONS = 4;

export function isAccepted(exchange: Exchange): boolean {
  return isSuccess(statusOf(exchange));
}

export function postWith(s: Session, sent: NewPetInput, credential: Credential, options: CallOptions = {}): Promise<Exchange> {
  return s.api.create({ value: sent }, { ...options, domain: 'plain', credential });
}

/**
 * Creations with credentials that must be rejected. If one of the first is accepted, the others are not sent, since each would leave
 * an animal permanently.
 */
export async function sendCreations(s: Session, credentials: readonly Credential[]): Promise<void> {
  await afterFirstRejections(s);
  const inputs = await Promise.all(credentials.map((_unused, index) => s.fixtures.draft(STATUSES[index % STATUSES.length])));
  const rows = credentials.flatMap((credential, index) => {
    const sent = inputs[index];
    return sent === undefined ? [] : [{ credential, sent }];
  });
  const send = (some: typeof rows): Promise<Exchange[]> => s.all(some, ({ credential, sent }) => postWith(s, sent, credential));
  const first = await send(rows.slice(0, FIRST_CREATIONS));
  if (!first.some(isAccepted)) await send(rows.slice(FIRST_CREATIONS));
}

const LONG = 4_000;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Whether the HTTP layer may reject the header itself, before the service sees it. */
function isForHttpLayer({ headers }: Credential): boolean {
  return headers.some(([, value]) => value.length > LONG || !PRINTABLE.test(value));
}

export async function sendMalformed(s: Session, family: Family): Promise<void> {
  const rows = malformed(s.options.apiKey).filter(({ note }) => malformedFamilyOf(note) === family);
  await s.all(s.portion(rows), (credential) => s.api.list({}, { credential, undocumented: isForHttpLayer(credential) }));
}
