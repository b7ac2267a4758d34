import type { Breach } from '../../src/clause/clause.ts';
import { type Event, isReadThrough, type World } from '../../src/oracle/world.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import { describeRequest, describeResponse, isBesidesRequest, isCrash } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange, WireRequest } from '../../src/wire/exchange.ts';
import { FORWARDING_HEADERS, PLAIN_HTTP } from '../cases/trusted-headers.ts';
import { defineRules } from '../define.ts';
import { isOwnedElsewhere } from '../responses.ts';

function askAgain(s: Session, { request: { query } }: Exchange, options: CallOptions): Promise<Exchange> {
  const { limit, status } = Object.fromEntries(new URLSearchParams(query));
  return s.api.list({ ...(limit === undefined ? {} : { limit }), ...(status === undefined ? {} : { status }) }, options);
}

type Client = {
  readonly what: string;
  readonly options: Pick<CallOptions, 'headers' | 'without' | 'vague'>;
};

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const OLD_BROWSER = 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko';

/**
 * A service may reject a client that does not identify itself, does not say exactly what it accepts, or is known for old or automated requests: only
 * this clause (advised) judges that.
 */
const CLIENTS: readonly Client[] = [
  { what: 'without a User-Agent', options: { without: ['user-agent'], vague: true } },
  { what: 'with the User-Agent of a browser', options: { headers: [['user-agent', BROWSER]] } },
  { what: 'with the User-Agent of curl', options: { headers: [['user-agent', 'curl/8.14.1']] } },
  // Compatibility code recognizes old clients by what an HTTP library sends. Firewalls reject some of these.
  { what: 'with the User-Agent of Java', options: { headers: [['user-agent', 'Java/1.8.0_292']], vague: true } },
  { what: 'with the User-Agent of OkHttp', options: { headers: [['user-agent', 'okhttp/4.12.0']], vague: true } },
  { what: 'with the User-Agent of Go', options: { headers: [['user-agent', 'Go-http-client/1.1']], vague: true } },
  { what: 'with the User-Agent of Internet Explorer', options: { headers: [['user-agent', OLD_BROWSER]], vague: true } },
  { what: 'with an empty User-Agent', options: { headers: [['user-agent', '']], vague: true } },
  { what: 'with Accept: application/*', options: { headers: [['accept', 'application/*']], vague: true } },
];

/**
 * Each group is sent as a whole: headers of a local client, an authenticated user, the path /health, the method OPTIONS, and plain HTTP.
 * The last is sent with the API key only: without it, a redirect to TLS may precede the 401.
 */
const OF_PROXIES = [...FORWARDING_HEADERS, PLAIN_HTTP];

const LENGTH_REQUIRED = 411;

/** Whether the response says anything about the client: not 401, 408, 429, or a 5xx other than 501. */
const isTelling = ({ response }: Event): boolean =>
  response !== undefined && !isOwnedElsewhere(response) && !isBesidesRequest(response.status);

const hasHeader = ({ headers }: WireRequest, [name, value]: readonly [string, string]): boolean =>
  headers.some(([one, sent]) => one.toLowerCase() === name && sent === value);

function isOf({ options: { headers = [], without = [] } }: Client, request: WireRequest): boolean {
  const lacks = (name: string): boolean => request.headers.every(([one]) => one.toLowerCase() !== name);
  return headers.every((header) => hasHeader(request, header)) && without.every(lacks);
}

/** A redirect, as to a login page, serves the client no better than an error. */
function rejected({ exchange, status }: Event, what: string): Breach {
  return {
    summary: `${describeRequest(exchange)} ${what} returned ${status}`,
    expected: ['the same response as for other clients'],
    received: describeResponse(exchange),
    failureKinds: [{ place: 'HTTP status', expected: 'as for other clients' }],
  };
}

function judgeClient(event: Event, world: World): 'not-applicable' | 'holds' | Breach {
  const { exchange, intent, status = 0 } = event;
  const { operation, credential, onceAccepted = credential } = intent;
  if (operation !== 'listPets' || onceAccepted === 'refused' || !world.accepts('listPets')) return 'not-applicable';
  const client = CLIENTS.find((one) => isOf(one, exchange.request));
  if (client === undefined || !isTelling(event)) return 'not-applicable';
  return status < 300 ? 'holds' : rejected(event, client.what);
}

/** A chunked body is not rejected for lacking a Content-Length. Any other error in its response is about the content of the body. */
function judgeChunked(event: Event): 'not-applicable' | 'holds' | Breach {
  if (event.exchange.request.chunked !== true || !isTelling(event)) return 'not-applicable';
  return event.status === LENGTH_REQUIRED ? rejected(event, 'with a chunked body') : 'holds';
}

/**
 * Whether it is the same list, without special headers, and a documented request: the response to an undocumented request is not compared
 * with that to a documented one.
 */
function isUsualList(usual: Event, { exchange: { request } }: Event): boolean {
  const { pets = [], intent, exchange } = usual;
  const isPlain = intent.credential === 'valid' && intent.undocumented !== true;
  return isPlain && pets.length > 0 && exchange.request.query === request.query && !isReadThrough(usual);
}

/**
 * A list with proxy headers shows animals that the same list showed before without them. Other clients may create and remove animals at the
 * same time: one animal that is still shown is enough, and if none is, the list without these headers must still show one afterwards.
 */
function judgeForwarded(event: Event, { events }: World): 'not-applicable' | 'holds' | Breach {
  const { exchange, intent, status, sent, done } = event;
  if (intent.undocumented !== true || intent.operation !== 'listPets' || intent.credential !== 'valid') return 'not-applicable';
  const group = OF_PROXIES.find(({ headers }) => headers.every((header) => hasHeader(exchange.request, header)));
  if (group === undefined || status === undefined || isCrash(status) || isBesidesRequest(status)) return 'not-applicable';
  const usual = events.filter((one) => isUsualList(one, event));
  const known = new Set(
    usual
      .filter((one) => one.done <= sent)
      .flatMap((one) => one.pets ?? [])
      .map(({ id }) => id),
  );
  const showsKnown = (list: Event): boolean => list.pets?.some(({ id }) => known.has(id)) === true;
  if (showsKnown(event)) return 'holds';
  const after = usual.find((one) => one.sent >= done);
  if (after === undefined || !showsKnown(after)) return 'not-applicable';
  return {
    summary: `${describeRequest(exchange)} with ${group.what} returned a different list than without them`,
    expected: ['the same response as without them'],
    received: describeResponse(exchange),
    failureKinds: [{ place: '[]', expected: 'the animals that other clients get', received: 'others' }],
    exchanges: [after.exchange, exchange],
  };
}

function sendClients(s: Session, list: Exchange): Promise<unknown> {
  return s.all(s.portion(CLIENTS), ({ options }) => askAgain(s, list, options));
}

async function sendForwarded(s: Session, list: Exchange): Promise<void> {
  await s.all(s.portion(OF_PROXIES), ({ headers }) => askAgain(s, list, { headers, undocumented: true }));
  await askAgain(s, list, {});
}

export const mediaAnyClient = defineRules({
  id: 'media.any-client',
  chapter: 'media-type',
  section: 'RFC 9110, sections 7.6, 10.1.5, 12.5.1 and 15.5.12; RFC 9112, section 7.1',
  level: 'advised',
  requirement:
    'The service accepts any kind of client: it returns a list whatever the User-Agent, without one, and for Accept: application/*; it does not reject a chunked body with 411; and forwarding and override headers do not change a list.',
  likelyCause:
    'A firewall blocks clients by their User-Agent, a proxy requires a Content-Length, or the framework trusts forwarding and override headers from any client.',
  rules: [
    { layer: 'status', judge: judgeClient },
    { layer: 'status', judge: judgeChunked },
    { layer: 'history', undocumented: true, judge: judgeForwarded },
  ],
  sent: [
    {
      id: 'user-agents',
      title:
        'Returns lists to browsers, curl, HTTP libraries, and clients without a User-Agent or with application/* in their Accept header',
      step: 'read',
      needs: ['petList'],
      send: (s, { petList }) => sendClients(s, petList.exchange),
    },
    {
      id: 'forwarding',
      title: 'Forwarding and override headers do not change the list',
      step: 'read',
      needs: ['petList'],
      send: (s, { petList }) => sendForwarded(s, petList.exchange),
    },
    {
      id: 'chunked',
      title: 'A chunked body is not rejected with 411',
      step: 'first-page',
      needs: ['pets'],
      effect: 'write',
      send: (s) => s.api.create({ value: {} }, { domain: 'open', chunked: true }),
    },
  ],
});
