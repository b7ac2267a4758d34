import { INT64_MAX, INT64_MIN } from '../../schema/int64.ts';
import { asStatus, type NewPetInput } from '../../schema/pet.ts';
import type { Intent, WireRequest } from '../../wire/exchange.ts';
import { isJsonObject } from '../../wire/json.ts';
import type { RunState } from '../state/run-state.ts';
import type { CreateBody, CreateOptions, Credential, ListParameters } from './api.ts';

const PLAIN_LIMIT = /^(?:[1-9]\d?|100)$/;
const PLAIN_ID = /^(?:0|-?[1-9]\d{0,18})$/;

const NOTHING = { limit: 'absent', status: 'absent', body: 'none', bodyClause: undefined, petId: undefined } as const;

function credentialIntent(credential: Credential): Pick<Intent, 'credential' | 'credentialNote'> {
  return { credential: credential.standing, credentialNote: credential.note };
}

function limitOf(limit: ListParameters['limit']): Intent['limit'] {
  if (limit === undefined) return 'absent';
  return PLAIN_LIMIT.test(String(limit)) ? Number(limit) : 'open';
}

/** Whether a raw query may mention `limit` or `status`, percent-encoded or not. */
function mentionsParameters(rawQuery: string): boolean {
  try {
    return /(?:^|&)(?:limit|status)\b/i.test(decodeURIComponent(rawQuery));
  } catch {
    // Not percent-encoded text: its meaning is unknown.
    return true;
  }
}

/** The intent of a list request. A raw query may contain anything: limit and status are then open unless it is empty. */
export function listIntent(parameters: ListParameters, request: { credential: Credential; rawQuery: string | undefined }): Intent {
  const raw = request.rawQuery !== undefined && mentionsParameters(request.rawQuery);
  const status = parameters.status === undefined ? 'absent' : (asStatus(parameters.status) ?? 'open');
  return {
    ...NOTHING,
    ...credentialIntent(request.credential),
    operation: 'listPets',
    limit: raw ? 'open' : limitOf(parameters.limit),
    status: raw ? 'open' : status,
  };
}

/** The NewPet in a value that is one, or would be except for additional members and its status. */
function inputOf(body: CreateBody): NewPetInput | undefined {
  if (!('value' in body) || !isJsonObject(body.value)) return undefined;
  const { name, categoryId, status } = body.value as Record<string, unknown>;
  if (typeof name !== 'string') return undefined;
  if (typeof categoryId !== 'bigint' && !(typeof categoryId === 'number' && Number.isSafeInteger(categoryId))) return undefined;
  const known = asStatus(status);
  return { name, categoryId: BigInt(categoryId), ...(known === undefined ? {} : { status: known }) };
}

/** The intent of a creation. About raw bytes, only what the check says is known. */
export function createIntent(body: CreateBody, { domain, clause, note }: CreateOptions, credential: Credential): Intent {
  const sent = inputOf(body);
  return {
    ...NOTHING,
    ...credentialIntent(credential),
    operation: 'createPet',
    body: domain,
    bodyClause: clause,
    ...(note === undefined ? {} : { bodyNote: note }),
    ...(sent === undefined ? {} : { sent }),
  };
}

/** The id that a path segment spells plainly, if it is an int64. */
export function plainInt64(segment: string): bigint | undefined {
  if (!PLAIN_ID.test(segment)) return undefined;
  const value = BigInt(segment);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

export function getIntent(petId: bigint | string, credential: Credential): Intent {
  return { ...NOTHING, ...credentialIntent(credential), operation: 'getPet', petId: plainInt64(String(petId)) };
}

/** What lists with any limit share, for a service that hangs on all lists with a status. */
export function widerSituationOf({ intent }: WireRequest): string | undefined {
  return intent.operation === 'listPets' && intent.status !== 'absent' ? `GET /pets with status ${intent.status}` : undefined;
}

/** What distinguishes the request for a service that responds to some and hangs on others: the circuit breaker counts by it. */
export function situationOf({ intent }: WireRequest, { created, seen }: Pick<RunState, 'created' | 'seen'>): string {
  const key = { valid: 'the API key', refused: 'a wrong key', open: 'an unusual credential' }[intent.credential];
  switch (intent.operation) {
    case 'listPets':
      return `GET /pets with limit ${intent.limit}, status ${intent.status} and ${key}`;
    case 'createPet':
      return `POST /pets of ${intent.bodyClause ?? intent.body} with ${key}`;
    case 'getPet': {
      const id = String(intent.petId);
      return `GET /pets/{petId} for ${created.has(id) || seen.has(id) ? 'an existing animal' : 'an unknown id'} with ${key}`;
    }
    default:
      return intent.operation satisfies never;
  }
}
