// Whether what responds at an address is the service that is meant, as far as its first responses tell.

import { type ClientOptions, createClient } from './client.ts';
import { type ExchangeOutcome, type HttpResponse, type TransportFailure, type TransportReason, USER_AGENT } from './exchange.ts';
import { isJsonObject } from './json.ts';
import { WANTS_CERTIFICATE } from './transport-failure.ts';

/** The service could not be reached at all: there is nothing to judge. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly reason: TransportReason;
  constructor(message: string, reason: TransportReason) {
    super(message);
    this.reason = reason;
  }
}

/** 502, 503, and 504 before the first real response mean that the service is still starting, and are not judged. */
export function isStarting({ outcome }: { readonly outcome: ExchangeOutcome }): boolean {
  return outcome.kind === 'answered' && [502, 503, 504].includes(outcome.answer.status);
}

/** Whether the outcome is none: it ended without a byte of a response, or by a party that is not the service. */
export function isNoEvidence(outcome: ExchangeOutcome): boolean {
  if (outcome.kind === 'answered') return false;
  const { reason, silent, party } = outcome.failure;
  return silent === true || party !== undefined || (reason !== 'protocol' && reason !== 'too_large');
}

/** Why the service can't be reached; undefined if it sent something that can be judged. `others`: the outcomes of other requests, if they may be sent. */
export async function whyUnreached(
  options: ClientOptions,
  failed: TransportFailure,
  others: () => Promise<readonly ExchangeOutcome[] | undefined>,
): Promise<UnreachableError | undefined> {
  const { baseUrl } = options;
  const https = otherScheme(baseUrl);
  if (failed.reason === 'protocol' && https.startsWith('https:') && (await speaksTls(options, https)))
    return new UnreachableError(expectsTls(baseUrl), 'tls');
  if (!isNoEvidence({ kind: 'failed', failure: failed })) return undefined;
  // A service that closes the connection on one kind of request is up and broken.
  if (failed.silent === true && (await others())?.every(isNoEvidence) !== true) return undefined;
  const { hostname, port, protocol } = new URL(baseUrl);
  const shownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  // In the other cases there was a connection.
  const what = failed.reason === 'dns' || failed.reason === 'connect' ? 'cannot reach' : 'no response from';
  return new UnreachableError(`${what} ${hostname} port ${shownPort}: ${failed.message}`, failed.reason);
}

/** The timeout in milliseconds for a guessed address. */
const GUESS_TIMEOUT = 3_000;

/** How a guessed address responds to a list without the key, which is sent only to the configured address, as secret headers are. */
function askNearby(options: ClientOptions, baseUrl: string): Promise<ExchangeOutcome> {
  const isSameOrigin = new URL(baseUrl).origin === new URL(options.baseUrl).origin;
  return askWithoutKey({
    ...options,
    headers: isSameOrigin ? options.headers : [],
    baseUrl,
    timeout: Math.min(options.timeout, GUESS_TIMEOUT),
  });
}

/** How a service responds to a list without the key, on a connection of its own. */
export async function askWithoutKey(options: ClientOptions): Promise<ExchangeOutcome> {
  const client = createClient(options);
  const headers = [['accept', 'application/json'] as const, ['user-agent', USER_AGENT] as const];
  try {
    return (await client.send({ method: 'GET', path: '/pets', query: '', headers, body: undefined }, { once: true })).outcome;
  } finally {
    await client.close();
  }
}

/** A list needs the key, so a pet store responds with 401 here; one that does not check it shows an array. */
function isPetStore(outcome: ExchangeOutcome): boolean {
  if (outcome.kind === 'failed') return false;
  const { status, json } = outcome.answer;
  return status === 401 || (status === 200 && json.ok && Array.isArray(json.value));
}

async function firstThatWorks(options: ClientOptions, addresses: readonly string[]): Promise<string | undefined> {
  for (const address of addresses) {
    if (isPetStore(await askNearby(options, address))) return address;
  }
  return undefined;
}

/** nginx and HAProxy respond with 400 to a request without a client certificate. */
const CERTIFICATE_SAID = /No required SSL certificate was sent|The SSL certificate error/;
const TLS_SAID = ['The plain HTTP request was sent to HTTPS port', 'Client sent an HTTP request to an HTTPS server'];

const headerOf = ({ headers }: HttpResponse, name: string): string => headers.find(([known]) => known === name)?.[1] ?? '';
const isHtml = (response: HttpResponse): boolean =>
  headerOf(response, 'content-type').startsWith('text/html') || /^\s*<(?:!doctype|html)/i.test(response.text ?? '');
const isRedirect = (response: HttpResponse): boolean => [301, 302, 303, 307, 308].includes(response.status);

/** nginx and Go respond with 400 to plain HTTP on a port that speaks TLS. */
const saysTls = (response: HttpResponse): boolean =>
  response.status === 400 && TLS_SAID.some((phrase) => response.text?.includes(phrase) === true);

/** An Error of the interface: the service itself returned it. */
const isOwnError = ({ status, json }: HttpResponse): boolean =>
  json.ok && isJsonObject(json.value) && String(json.value['status']) === String(status);

const saysCertificate = ({ status, text = '' }: HttpResponse): boolean => status >= 400 && status < 500 && CERTIFICATE_SAID.test(text);

const expectsTls = (baseUrl: string): string =>
  `${baseUrl} expects TLS, and the base address says http. Use ${otherScheme(baseUrl)} as the base address`;

async function wrongAddress(options: ClientOptions): Promise<string> {
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

async function redirected(options: ClientOptions, location: string): Promise<string> {
  const { baseUrl } = options;
  const found = `${baseUrl} redirects every request, to ${location === '' ? 'nowhere' : location}`;
  const works = location.startsWith('https:') ? await firstThatWorks(options, [otherScheme(baseUrl)]) : undefined;
  return works === undefined
    ? `${found}. Use the address of the service itself, without the redirect, as the base address. ${aboutHeaders(options)}`
    : `${found}. A pet store responds at ${works}: use that as the base address`;
}

function certificateRejected({ baseUrl, cert }: ClientOptions): string {
  return cert === undefined
    ? `${baseUrl} ${WANTS_CERTIFICATE}`
    : `${baseUrl} rejects the client certificate of ${cert}. Check that its CA is one that the service trusts, and that it has not expired`;
}

/** What to do where something in front of the service does not let requests through, such as an access proxy. */
function aboutHeaders({ headers }: ClientOptions): string {
  const names = headers.map(([name]) => name).join(', ');
  return names === ''
    ? 'If an access proxy is in front of the service, add the header that it asks for with --header (`headers` of a target)'
    : `If an access proxy is in front of the service, check the value of ${names} (--header, or \`headers\` of a target)`;
}

/** 404 to everything; below the path of listPets, the last segment is taken for the id of an animal. */
function isNowhere({ baseUrl }: ClientOptions, responses: readonly HttpResponse[]): boolean {
  const expected = baseUrl.endsWith('/pets') ? [400, 404, 405] : [404, 405];
  return responses.every(({ status }) => expected.includes(status)) && responses.some(({ status }) => status === 404);
}

/**
 * The mistake that explains the responses to all of the first requests, in one sentence; undefined if there is something to judge. Other addresses are
 * tried without the key.
 */
export async function mistakeIn(
  options: ClientOptions,
  responses: readonly [HttpResponse, ...HttpResponse[]],
): Promise<string | undefined> {
  const [list] = responses;
  const { baseUrl } = options;
  const all = (condition: (response: HttpResponse) => boolean): boolean => responses.every(condition);
  if (all(saysTls)) return expectsTls(baseUrl);
  if (all(saysCertificate)) return certificateRejected(options);
  if (all(isRedirect)) return redirected(options, headerOf(list, 'location'));
  if (all(({ status }) => status === 401)) {
    return 'Every request with the API key returned 401. Check that PETSTORE_API_KEY (`apiKey` of a target) is the key of this deployment, that it is complete, and that it is still valid';
  }
  if (all((response) => response.status === 403 && !isOwnError(response)))
    return `Every request with the API key to ${baseUrl} returned 403: something does not let this client in, or the key may do nothing. ${aboutHeaders(options)}`;
  if (isNowhere(options, responses)) return wrongAddress(options);
  if (all((response) => [502, 503, 504].includes(response.status) && !response.json.ok)) {
    return `A proxy returned ${list.status} to every request to ${baseUrl}: the proxy is up, but the service is not. Check that the service is running and that the proxy can reach it`;
  }
  // A page with status 500 comes from a failing service, whoever wrote it: the address is not the problem.
  if (all(isHtml) && !all(({ status }) => status >= 500)) {
    return `${baseUrl} returned HTML to every request, as a web page or a proxy does. Check the host, port, and path of the base address: do they belong to the pet store? ${aboutHeaders(options)}`;
  }
  return undefined;
}

/** How failures of TLS are worded if the other side speaks it: its certificate is not trusted, or it ends the handshake with an alert. */
const OF_TLS = /^no trusted TLS connection|\(TLS alert \d+\)/;

async function speaksTls(options: ClientOptions, https: string): Promise<boolean> {
  const outcome = await askNearby(options, https);
  return outcome.kind === 'answered' || (outcome.failure.reason === 'tls' && OF_TLS.test(outcome.failure.message));
}

export function otherScheme(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? `http:${baseUrl.slice('https:'.length)}` : `https:${baseUrl.slice('http:'.length)}`;
}

/**
 * Addresses that may be meant if nothing is found at this one, the likeliest first: /v1 missing, doubled, followed by more, or with another
 * number.
 */
export function addressesNearby(baseUrl: string): readonly string[] {
  const { origin } = new URL(baseUrl);
  const whole = baseUrl.replace(/\/+$/, '');
  const upToVersion = /^(.*?\/v1)\/./.exec(whole)?.[1];
  const likeliest = upToVersion ?? (/\/v\d+$/.test(whole) ? whole.replace(/\/v\d+$/, '/v1') : `${whole}/v1`);
  return [...new Set([likeliest, `${origin}/v1`, origin])].filter((address) => address !== whole);
}
