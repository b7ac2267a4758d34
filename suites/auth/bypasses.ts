import type { Breach } from '../../src/clause/clause.ts';
import { describeAnswer, describeRequest } from '../../src/expect/expect.ts';
import type { Event } from '../../src/oracle/event.ts';
import type { Case, Rule } from '../../src/oracle/rule.ts';
import type { World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { CallOptions, Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { FORWARDING_HEADERS } from '../cases/forwarding-headers.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { CREATE_PATHS, LIST_PATHS, readPaths } from '../cases/other-paths.ts';
import { TRUSTED_HEADERS, trusting } from '../cases/trusted-headers.ts';
import { afterFirstRejections } from '../judging/creations/first-rejections.ts';
import { CARRIED_OVER, isSuccess, nameSent, situation } from './rejections.ts';
import { isAccepted } from './stimuli.ts';

/** A name this long does not appear on a page by chance. */
const TELLING = 8;
const OPEN: Credential = { ...NO_HEADER, standing: 'open' };

/** What responses to the API key have shown. */
type Known = { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> };

function knownTo({ known: { seen, created } }: World): Known {
  const names = [...seen.values(), ...[...created.values()].map(({ answered }) => answered)].map(({ name }) => name ?? '');
  return { ids: new Set([...seen.keys(), ...created.keys()]), names: new Set(names.filter((name) => name !== '')) };
}

/** The id or name of a known animal anywhere in a JSON value. */
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

/** The animal that a response shows, if responses to the API key have shown it. */
function shownAnimal({ answer }: Event, world: World): string | undefined {
  if (answer === undefined || !isSuccess(answer.status)) return undefined;
  const { json, text = '' } = answer;
  const known = knownTo(world);
  if (json.ok) return sightingIn(json.value, known);
  const name = [...known.names].find((one) => one.length >= TELLING && text.includes(one));
  return name === undefined ? undefined : `animal ${JSON.stringify(name)}`;
}

/** Whether the document leaves open what a request without a credential gets: another path, or a header that a service may trust. */
function isOpenWithoutKey({ intent, exchange, answer }: Event): boolean {
  const { headers } = exchange.request;
  const isOpen = intent.undocumented === true && intent.credential === 'open';
  return answer !== undefined && isOpen && !headers.some(([name]) => name.toLowerCase() === 'authorization');
}

function judgeShown(event: Event, world: World): 'not-applicable' | 'holds' | Breach {
  if (!isOpenWithoutKey(event) || event.intent.operation === 'createPet') return 'not-applicable';
  const shown = shownAnimal(event, world);
  if (shown === undefined) return 'holds';
  return {
    summary: `${situation(event)} shows ${shown}`,
    expected: ['401 with an Error body', 'any response that shows no animal'],
    received: describeAnswer(event.exchange),
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
            ({ intent, answer }) => intent.credential === 'valid' && intent.operation === 'listPets' && answer?.text?.includes(name),
          );
    if (sighting === undefined) return { event };
    const breach = {
      summary: `${describeRequest(event.exchange)} with ${event.intent.credentialNote} created an animal`,
      expected: ['401 with an Error body', 'any response, but no new animal'],
      received: describeAnswer(event.exchange),
      exchanges: [sighting.exchange, event.exchange],
    } as const;
    return { event, breach };
  });
}

/** Whatever other spellings or headers a service accepts: without the key, it shows no animal and creates none. */
export const BYPASSES: readonly Rule[] = [
  { layer: 'credential', after: CARRIED_OVER, undocumented: true, judge: judgeShown },
  { layer: 'credential', after: CARRIED_OVER, judgeAll: judgeStored },
];

/** Other spellings of the paths of listPets and getPet: if the service accepts them, they require the API key too. */
export async function sendToOtherPaths(s: Session, { id }: PetView): Promise<void> {
  const asks = [
    ...LIST_PATHS.map((path) => () => s.api.list({}, { path, credential: OPEN })),
    ...readPaths(id).map((path) => () => s.api.get(id, { path, credential: OPEN })),
  ];
  await s.all(s.portion(asks), (ask) => ask());
}

/** Headers that a service may trust. */
export async function sendTrustedHeaders(s: Session, { id }: PetView): Promise<void> {
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

/**
 * Creations at other path spellings, and with headers that a service may trust; after a 2xx, a list shows whether the animal was stored.
 */
export async function sendOtherCreations(s: Session): Promise<void> {
  await afterFirstRejections(s);
  const sent = await s.all(s.portion(ATTEMPTS), async (options) =>
    s.api.create({ value: await s.fixtures.draft() }, { ...options, domain: 'open' }),
  );
  if (sent.some(isAccepted)) await s.api.list({ limit: 100 });
}
