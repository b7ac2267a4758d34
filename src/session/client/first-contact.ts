import { Halt } from '../../clause/halt.ts';
import { createClient } from '../../wire/client.ts';
import { type Answer, asReceived, type Exchange } from '../../wire/exchange.ts';
import type { Session, SessionOptions } from '../session.ts';
import { addressesNearby, otherScheme } from './addresses-nearby.ts';
import { listIntent } from './intent.ts';

/** The timeout in milliseconds for a guessed address. */
const GUESS_TIMEOUT = 3_000;
const NOBODY = { note: 'no credential', standing: 'refused', headers: [] } as const;

/** How a guessed address responds to a list without the key, which is sent only to the configured address. */
async function askNearby(options: SessionOptions, baseUrl: string): Promise<Exchange['outcome']> {
  const client = createClient({ ...options, baseUrl, timeout: Math.min(options.timeout, GUESS_TIMEOUT) });
  const intent = listIntent({}, { credential: NOBODY, rawQuery: undefined });
  const headers = [['accept', 'application/json'] as const];
  try {
    return (await client.send({ method: 'GET', path: '/pets', query: '', headers, body: undefined, intent }, { once: true })).outcome;
  } finally {
    await client.close();
  }
}

/** A list needs the key, so a pet store responds with 401 here; one that does not check it shows an array. */
function isPetStore(outcome: Exchange['outcome']): boolean {
  if (outcome.kind === 'failed') return false;
  const { status, json } = outcome.answer;
  return status === 401 || (status === 200 && json.ok && Array.isArray(json.value));
}

async function firstThatWorks(options: SessionOptions, addresses: readonly string[]): Promise<string | undefined> {
  for (const address of addresses) {
    if (isPetStore(await askNearby(options, address))) return address;
  }
  return undefined;
}

/** A list, a read, and, if writing is allowed, one body that must be rejected: undefined if one of them got no response. */
async function askAll(session: Session, first: Exchange): Promise<readonly [Answer, ...Answer[]] | undefined> {
  try {
    const read = await session.api.get(1n);
    const rest = session.options.readOnly
      ? [read]
      : [read, await session.api.create({ value: {} }, { domain: 'invalid', clause: 'create.name-required', once: true })];
    const answers = [first, ...rest].flatMap((exchange) => {
      const { outcome } = asReceived(exchange);
      return outcome.kind === 'answered' ? [outcome.answer] : [];
    });
    const [list, ...others] = answers;
    return list === undefined || others.length < rest.length ? undefined : [list, ...others];
  } catch (error) {
    // The checks judge a service that asks to wait, or a budget without room.
    if (error instanceof Halt) return undefined;
    throw error;
  }
}

const TLS_SAID = ['The plain HTTP request was sent to HTTPS port', 'Client sent an HTTP request to an HTTPS server'];

const headerOf = ({ headers }: Answer, name: string): string => headers.find(([known]) => known === name)?.[1] ?? '';
const isHtml = (answer: Answer): boolean =>
  headerOf(answer, 'content-type').startsWith('text/html') || /^\s*<(?:!doctype|html)/i.test(answer.text ?? '');
const isRedirect = (answer: Answer): boolean => [301, 302, 303, 307, 308].includes(answer.status);

/** nginx and Go respond with 400 to plain HTTP on a port that speaks TLS. */
const saysTls = (answer: Answer): boolean => answer.status === 400 && TLS_SAID.some((phrase) => answer.text?.includes(phrase) === true);

async function wrongAddress(options: SessionOptions): Promise<string> {
  const { baseUrl } = options;
  const found = `GET ${baseUrl}/pets returned 404, and so did everything else at this address`;
  const [likeliest, ...others] = addressesNearby(baseUrl);
  // If every path requires the key first, only the form of the address can tell anything without it.
  if (isPetStore(await askNearby(options, baseUrl))) {
    const meant = /\/v1$/.test(baseUrl)
      ? '. Check its host and path'
      : `. The base address of a pet store ends in /v1: did you mean ${likeliest}?`;
    return `${found}${meant}`;
  }
  const works = await firstThatWorks(options, likeliest === undefined ? [] : [likeliest, ...others]);
  return works === undefined
    ? `${found}. Check its host and path: the base address of a pet store ends in /v1`
    : `${found}. A pet store responds at ${works}: use that as the base address`;
}

async function redirected(options: SessionOptions, location: string): Promise<string> {
  const { baseUrl } = options;
  const found = `${baseUrl} redirects every request, to ${location === '' ? 'nowhere' : location}`;
  const works = location.startsWith('https:') ? await firstThatWorks(options, [otherScheme(baseUrl)]) : undefined;
  return works === undefined
    ? `${found}. Use the address of the service itself, without the redirect, as the base address`
    : `${found}. A pet store responds at ${works}: use that as the base address`;
}

/** 404 to everything; below the path of listPets, the last segment is taken for the id of an animal. */
function isNowhere({ baseUrl }: SessionOptions, answers: readonly Answer[]): boolean {
  const expected = baseUrl.endsWith('/pets') ? [400, 404, 405] : [404, 405];
  return answers.every(({ status }) => expected.includes(status)) && answers.some(({ status }) => status === 404);
}

/** The mistake that all responses have in common, so that nothing else can be judged. */
async function mistakeIn(options: SessionOptions, answers: readonly [Answer, ...Answer[]]): Promise<string | undefined> {
  const [list] = answers;
  const { baseUrl } = options;
  const all = (condition: (answer: Answer) => boolean): boolean => answers.every(condition);
  if (all(saysTls)) return `${baseUrl} expects TLS, and the base address says http. Use ${otherScheme(baseUrl)} as the base address`;
  if (all(isRedirect)) return redirected(options, headerOf(list, 'location'));
  if (all(({ status }) => status === 401)) {
    return 'Every request with the API key returned 401. Check that PETSTORE_API_KEY is the key of this deployment, that it is complete, and that it is still valid';
  }
  if (isNowhere(options, answers)) return wrongAddress(options);
  if (all((answer) => [502, 503, 504].includes(answer.status) && !answer.json.ok)) {
    return `A proxy returned ${list.status} to every request to ${baseUrl}: the proxy is up, but the service is not. Check that the service is running and that the proxy can reach it`;
  }
  // A page with status 500 comes from a failing service, whoever wrote it: the address is not the problem.
  if (all(isHtml) && !all(({ status }) => status >= 500)) {
    return `${baseUrl} returned HTML to every request, as a web page or a proxy does. Check the host, port, and path of the base address: do they belong to the pet store?`;
  }
  return undefined;
}

/** Whether the response is a list, so that no more requests are needed. */
function isList({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && outcome.answer.status === 200 && outcome.answer.json.ok;
}

/**
 * Why nothing else can be judged, in one sentence; undefined if something can. Looks at the first response and, if it is not a JSON list,
 * at two more: whether a wrong address, a wrong key, or something other than a pet store leaves nothing else to judge. A conforming service
 * gets no extra request. Other addresses are tried without the key.
 */
export async function findMistake(session: Session, first: Exchange): Promise<string | undefined> {
  const received = asReceived(first);
  if (isList(received)) return undefined;
  const { options } = session;
  if (received.outcome.kind === 'failed') {
    const https = otherScheme(options.baseUrl);
    if (received.outcome.failure.reason !== 'protocol' || !https.startsWith('https:') || !(await speaksTls(options, https)))
      return undefined;
    return `${options.baseUrl} expects TLS, and the base address says http. Use ${https} as the base address`;
  }
  const answers = await askAll(session, first);
  return answers === undefined ? undefined : mistakeIn(options, answers);
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME|self-signed|certificate/i;

/** Whether the address speaks TLS: it responds, or its certificate is not trusted. */
async function speaksTls(options: SessionOptions, https: string): Promise<boolean> {
  const outcome = await askNearby(options, https);
  return outcome.kind === 'answered' || (outcome.failure.reason === 'tls' && CERTIFICATE.test(outcome.failure.message));
}
