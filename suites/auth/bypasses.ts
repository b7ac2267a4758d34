import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeAnswer, describeRequest, finding } from '../../src/expect/expect.ts';
import type { CallOptions, Credential } from '../../src/session/client/api.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { FORWARDING_HEADERS } from '../cases/forwarding-headers.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { CREATE_PATHS, LIST_PATHS, readPaths } from '../cases/other-paths.ts';
import { TRUSTED_HEADERS, trusting } from '../cases/trusted-headers.ts';
import { afterFirstRejections } from '../judging/creations/first-rejections.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { requireRejected } from './require-rejected.ts';

/** A name this long does not appear on a page by chance. */
const TELLING = 8;
const OPEN: Credential = { ...NO_HEADER, standing: 'open' };

/** What responses to the API key have shown. */
type Known = { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> };

function knownTo(s: Session): Known {
  const { seen, created } = s.knowledge;
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

/** The animal that a response shows, if only responses to the API key have shown it before. */
function shownAnimal(s: Session, exchange: Exchange): string | undefined {
  const { status, json, text = '' } = answerOf(exchange);
  if (status < 200 || status > 299) return undefined;
  const known = knownTo(s);
  if (json.ok) return sightingIn(json.value, known);
  const name = [...known.names].find((one) => one.length >= TELLING && text.includes(one));
  return name === undefined ? undefined : `animal ${JSON.stringify(name)}`;
}

/** A finding if a request without the API key gets an animal. Any other response is open. */
function judgeShown(s: Session, exchange: Exchange): Finding | undefined {
  if (exchange.outcome.kind === 'failed') return undefined;
  const shown = shownAnimal(s, exchange);
  if (shown === undefined) return undefined;
  return finding([exchange], {
    summary: `${describeRequest(exchange)} with ${exchange.request.intent.credentialNote} shows ${shown}`,
    expected: ['401 with an Error body', 'any response that shows no animal'],
    received: describeAnswer(exchange),
  });
}

/** Other spellings of the paths of listPets and getPet: if the service accepts them, they require the API key too. */
export async function judgeOtherPaths(s: Session, { readable: { id } }: Have<['readable']>): Promise<Outcome> {
  await requireRejected(s, await s.api.list({}, { credential: NO_HEADER }), 'auth.missing-credential');
  const asks = [
    ...LIST_PATHS.map((path) => () => s.api.list({}, { path, credential: OPEN })),
    ...readPaths(id).map((path) => () => s.api.get(id, { path, credential: OPEN })),
  ];
  return judgeRows(s, {
    rows: asks,
    judge: async (ask) => judgeShown(s, await ask()),
    evidence: `${asks.length} other path spellings, none of which shows an animal without the API key`,
  });
}

/** Headers that a service may trust: none of them makes it show an animal without the API key. */
export async function judgeTrustedHeaders(s: Session, { readable: { id } }: Have<['readable']>): Promise<Outcome> {
  await requireRejected(s, await s.api.get(id, { credential: NO_HEADER }), 'auth.missing-credential');
  const asks = TRUSTED_HEADERS.map(trusting).flatMap((credential) => {
    const options: CallOptions = { credential, undocumented: true };
    return [() => s.api.list({}, options), () => s.api.get(id, options)];
  });
  return judgeRows(s, {
    rows: asks,
    judge: async (ask) => judgeShown(s, await ask()),
    evidence: `${asks.length} requests with headers of proxies and frameworks, none of which shows an animal without the API key`,
  });
}

/** Whether a list with the API key shows an animal with that name: then the 201 was not a mere echo. Only a 201 is worth polling for. */
async function isStored(s: Session, { name, status }: { readonly name: string; readonly status: number }): Promise<boolean> {
  const shows = ({ outcome }: Exchange): boolean => outcome.kind === 'answered' && (outcome.answer.text ?? '').includes(name);
  const list = (): Promise<Exchange> => s.api.list({ limit: 100 });
  return shows(await (status === 201 ? s.poll(list, shows) : list()));
}

type Attempt = { readonly what: string; readonly options: CallOptions };

const ATTEMPTS: readonly Attempt[] = [
  ...CREATE_PATHS.map((path) => ({ what: `POST ${path}`, options: { path, credential: OPEN } })),
  ...FORWARDING_HEADERS.map((group) => ({
    what: `POST /pets with ${group.what}`,
    options: { undocumented: true, credential: trusting(group) },
  })),
];

/** A creation without the API key, at another path spelling or with headers that a service may trust. */
async function judgeCreation(s: Session, { what, options }: Attempt): Promise<Finding | undefined> {
  const sent = await s.fixtures.plain();
  const exchange = await s.api.create({ value: sent }, { ...options, domain: 'open' });
  if (exchange.outcome.kind === 'failed') return undefined;
  const { status } = exchange.outcome.answer;
  if (status < 200 || status > 299 || !(await isStored(s, { name: sent.name, status }))) return judgeShown(s, exchange);
  return finding([exchange], {
    summary: `${what} without an Authorization header created an animal`,
    expected: ['401 with an Error body', 'any response, but no new animal'],
    received: describeAnswer(exchange),
  });
}

/** Other path spellings and headers that a service may trust: none of them creates an animal without the API key. */
export async function judgeOtherCreations(s: Session): Promise<Outcome> {
  await afterFirstRejections(s);
  await requireRejected(
    s,
    await s.api.create({ value: await s.fixtures.plain() }, { domain: 'plain', credential: NO_HEADER }),
    'auth.missing-credential',
  );
  return judgeRows(s, {
    rows: ATTEMPTS,
    judge: (attempt) => judgeCreation(s, attempt),
    evidence: `${ATTEMPTS.length} creations at other path spellings or with proxy headers, none of which created an animal without the API key`,
  });
}
