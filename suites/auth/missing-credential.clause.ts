import type { Breach } from '../../src/clause/clause.ts';
import type { Case, Event, Rule, World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { CallOptions, Credential } from '../../src/session/client/api.ts';
import { EMPTY_QUERY } from '../../src/session/client/equivalent.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { isSuccess } from '../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { MISSING } from '../cases/credentials.ts';
import { FORWARDING_HEADERS, TRUSTED_HEADERS, trusting } from '../cases/trusted-headers.ts';
import { defineRules } from '../define.ts';
import { afterFirstRejections } from '../stimuli/creations.ts';
import { LISTS } from '../stimuli/lists.ts';
import { blameOf, CARRIED_OVER, nameSent, rejects, situation } from './rejections.ts';
import { inTurn, isAccepted, readTarget, sendCreations, sendLists, sendReads } from './requests.ts';

/** Spellings of `/pets` that a router may treat as equivalent while middleware that compares paths does not. */
export const LIST_PATHS: readonly string[] = [
  '/pets/',
  '//pets',
  '/./pets',
  '/x/../pets',
  '/x/..;/pets',
  '/pets;v=1',
  '/pets;/',
  '/%70ets',
  '/%2570ets',
  '/pets%2f',
  '/PETS',
  '/pets.json',
];

export function readPaths(id: bigint): readonly string[] {
  const digits = String(id);
  const encoded = [...digits].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join('');
  return [
    `/pets/${digits}/`,
    `//pets/${digits}`,
    `/pets//${digits}`,
    `/./pets/${digits}`,
    `/pets/./${digits}`,
    `/pets/${digits};v=1`,
    `/%70ets/${digits}`,
    `/pets/${encoded}`,
    `/Pets/${digits}`,
    `/pets/${digits}.json`,
  ];
}

export const CREATE_PATHS: readonly string[] = ['/pets/', '//pets', '/%70ets', '/pets;v=1'];

/** A name this long does not appear on a page by chance. */
const TELLING = 8;
const OPEN: Credential = { ...NO_CREDENTIAL, standing: 'open' };

type Known = { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> };

function knownTo({ known: { seen, created } }: World): Known {
  const names = [...seen.values(), ...[...created.values()].map(({ answered }) => answered)].map(({ name }) => name ?? '');
  return { ids: new Set([...seen.keys(), ...created.keys()]), names: new Set(names.filter((name) => name !== '')) };
}

function sightingIn(value: Json, known: Known): string | undefined {
  if (Array.isArray(value)) return value.map((item) => sightingIn(item, known)).find((found) => found !== undefined);
  if (!isJsonObject(value)) return undefined;
  const { id, name, categoryId } = value;
  // An unrelated page may contain an id or a short name too.
  if (typeof name === 'string' && known.names.has(name) && (name.length >= TELLING || categoryId !== undefined))
    return `animal ${JSON.stringify(name)}`;
  if (known.ids.has(String(id)) && name !== undefined) return `animal ${String(id)}`;
  return Object.values(value)
    .map((inner) => sightingIn(inner, known))
    .find((found) => found !== undefined);
}

function shownAnimal({ response }: Event, world: World): string | undefined {
  if (response === undefined || !isSuccess(response.status)) return undefined;
  const { json, text = '' } = response;
  const known = knownTo(world);
  if (json.ok) return sightingIn(json.value, known);
  const name = [...known.names].find((one) => one.length >= TELLING && text.includes(one));
  return name === undefined ? undefined : `animal ${JSON.stringify(name)}`;
}

/** Whether the document leaves open what a request without a credential gets: another path, or a header that a service may trust. */
function isOpenWithoutKey({ intent, exchange, response }: Event): boolean {
  const { headers } = exchange.request;
  const isOpen = intent.undocumented === true && intent.credential === 'open';
  return response !== undefined && isOpen && !headers.some(([name]) => name.toLowerCase() === 'authorization');
}

function judgeShown(event: Event, world: World): 'not-applicable' | 'holds' | Breach {
  if (!isOpenWithoutKey(event) || event.intent.operation === 'createPet') return 'not-applicable';
  const shown = shownAnimal(event, world);
  if (shown === undefined) return 'holds';
  return {
    summary: `${situation(event)} shows ${shown}`,
    expected: ['401 with an Error body', 'any response that shows no animal'],
    received: describeResponse(event.exchange),
    failureKinds: [{ place: 'animal', expected: 'not shown', received: 'shown' }],
  };
}

/** An accepted creation is broken only if a list with the API key shows the animal; otherwise the 201 was a mere echo. */
function judgeStored({ events }: World): readonly Case[] {
  const tried = events.filter((event) => isOpenWithoutKey(event) && event.intent.operation === 'createPet');
  return tried.map((event): Case => {
    const name = nameSent(event);
    const sighting =
      name === undefined || !isSuccess(event.status)
        ? undefined
        : events.find(
            ({ intent, response }) => intent.credential === 'valid' && intent.operation === 'listPets' && response?.text?.includes(name),
          );
    if (sighting === undefined) return { event };
    const breach = {
      summary: `${describeRequest(event.exchange)} with ${event.intent.credentialNote} created an animal`,
      expected: ['401 with an Error body', 'any response, but no new animal'],
      received: describeResponse(event.exchange),
      failureKinds: [{ place: 'animal', expected: 'not stored', received: 'stored' }],
      exchanges: [sighting.exchange, event.exchange],
    } as const;
    return { event, breach };
  });
}

/** Whatever other spellings or headers a service accepts: without the key, it shows no animal and creates none. */
const BYPASSES: readonly Rule[] = [
  { layer: 'credential', after: CARRIED_OVER, undocumented: true, judge: judgeShown },
  { layer: 'credential', after: CARRIED_OVER, judgeAll: judgeStored },
];

async function sendToOtherPaths(s: Session, { id }: PetView): Promise<void> {
  const asks = [
    ...LIST_PATHS.map((path) => () => s.api.list({}, { path, credential: OPEN })),
    // A filter that compares whole URLs does not know it.
    () => s.api.list({}, { ...EMPTY_QUERY, credential: OPEN }),
    ...readPaths(id).map((path) => () => s.api.get(id, { path, credential: OPEN })),
  ];
  await s.all(s.portion(asks), (ask) => ask());
}

async function sendTrustedHeaders(s: Session, { id }: PetView): Promise<void> {
  const asks = TRUSTED_HEADERS.map(trusting).flatMap((credential) => {
    const options: CallOptions = { credential, undocumented: true };
    return [() => s.api.list({}, options), () => s.api.get(id, options)];
  });
  await s.all(s.portion(asks), (ask) => ask());
}

const ATTEMPTS: readonly CallOptions[] = [
  ...CREATE_PATHS.map((path) => ({ path, credential: OPEN })),
  ...FORWARDING_HEADERS.map((group) => ({ undocumented: true, credential: trusting(group) })),
];

/** After a 2xx, a list shows whether the animal was stored. */
async function sendOtherCreations(s: Session): Promise<void> {
  await afterFirstRejections(s);
  const sent = await s.all(s.portion(ATTEMPTS), async (options) =>
    s.api.create({ value: await s.fixtures.draft() }, { ...options, domain: 'open' }),
  );
  if (sent.some(isAccepted)) await s.api.list({ limit: 100 });
}

export const missingCredential = defineRules({
  id: 'auth.missing-credential',
  chapter: 'authentication',
  section: 'Authentication',
  quote: [
    'The requirement applies globally, to every operation.',
    'When the key is missing or invalid, the service answers `401` with an Error body.',
  ],
  level: 'required',
  requirement: 'Each of the three operations returns 401 with an Error body when the request has no credential.',
  likelyCause:
    'A route is registered before or outside the authentication middleware, or the path pattern of the middleware does not match (a query string, another method).',
  rules: [rejects('missing', blameOf()), ...BYPASSES],
  sent: [
    {
      id: 'list',
      title: 'GET /pets without an Authorization header returns 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      smoke: true,
      send: (s) => s.api.list({}, { credential: NO_CREDENTIAL }),
    },
    {
      id: 'get',
      title: 'GET /pets/{petId} without an Authorization header returns 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      smoke: true,
      send: async (s, { pets }) => s.api.get(await readTarget(s, pets), { credential: NO_CREDENTIAL }),
    },
    {
      id: 'list-parameters',
      title: 'Lists with a missing or empty Authorization header return 401, with and without parameters',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'listPets',
      exhaustive: true,
      send: (s) => sendLists(s, [...LISTS.map((list) => ({ credential: NO_CREDENTIAL, list })), ...inTurn(MISSING)]),
    },
    {
      id: 'get-each',
      title: 'Reads of animals of every status without an Authorization header return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      send: (s, { pets }) => sendReads(s, pets, [NO_CREDENTIAL]),
    },
    {
      id: 'get-empty',
      title:
        'Reads with an empty Authorization header, or with none but forwarding headers of a local client or a precondition, return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      send: (s, { pets }) => sendReads(s, pets, MISSING),
    },
    {
      id: 'get-created',
      title: 'Reads of a newly created animal without an Authorization header return 401',
      step: 'write',
      effect: 'write',
      accepts: 'getPet',
      send: async (s) => {
        const { id } = await s.fixtures.create();
        await s.all(MISSING, (credential) => s.api.get(id, { credential }));
        // Read with the API key too: an error that a request with the key also gets says nothing about the credential.
        await s.fixtures.firstRead(id);
      },
    },
    {
      id: 'create',
      title: 'POST /pets with a valid body and a missing or empty Authorization header returns 401',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: (s) => sendCreations(s, [NO_CREDENTIAL, NO_CREDENTIAL, NO_CREDENTIAL, NO_CREDENTIAL, ...MISSING]),
    },
    {
      id: 'other-paths',
      title: 'Other path spellings (a doubled slash, percent-encoded letters, /./, ;v=1) show no animal without an Authorization header',
      step: 'more-reads',
      needs: ['readable'],
      send: (s, { readable }) => sendToOtherPaths(s, readable),
    },
    {
      id: 'trusted-headers',
      title: 'Headers that proxies, frameworks, and health checks set show no animal without an Authorization header',
      step: 'more-reads',
      needs: ['readable'],
      send: (s, { readable }) => sendTrustedHeaders(s, readable),
    },
    {
      id: 'other-creations',
      title: 'POST to other spellings of /pets, or with proxy headers, creates no animal without an Authorization header',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: sendOtherCreations,
    },
  ],
  met: [
    {
      id: 'every-request-without-credential',
      title: 'Every otherwise valid request without a credential returns 401',
    },
  ],
});
