// Who a request says that it is from.

import type { Header, Sent } from '../session/vector.ts';
import type { CredentialFacts } from './credential-facts.ts';

/**
 * `unusual`: a service may reject it with an Error body, until it has accepted that value. `undocumented`: only rules that name it judge the
 * response.
 */
export type ClientFacts =
  | { readonly kind: 'usual' }
  | { readonly kind: 'unusual'; readonly by: readonly UnusualClient[] }
  | { readonly kind: 'undocumented'; readonly by: readonly string[] };

export type UnusualClient =
  | 'no User-Agent'
  | 'User-Agent of an old or automated client'
  | 'Accept without JSON'
  | 'Origin'
  | 'Accept-Charset'
  | 'chunked'
  | 'headers over 4 KB'
  | 'target over 2,000 characters'
  | 'body over 1 KB';

/** The values of the header fields with that name, in lower case, without white space around them. */
export const headersNamed = (headers: readonly Header[], wanted: string): readonly string[] =>
  headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value.trim());

/** Only these: `x-forwarded-for` and `x-real-ip` name an address, and `x-forwarded-authorization` is a place for keys. */
const UNDOCUMENTED_HEADERS: ReadonlySet<string> = new Set([
  // An address, a host, or a way by which the client came.
  ...['forwarded', 'via', 'x-forwarded-host', 'x-forwarded-server', 'x-client-ip', 'client-ip', 'true-client-ip', 'cf-connecting-ip'],
  ...['x-cluster-client-ip', 'x-originating-ip', 'x-remote-ip', 'x-remote-addr', 'x-custom-ip-authorization'],
  // A scheme and a port.
  ...['x-forwarded-proto', 'x-forwarded-protocol', 'x-forwarded-scheme', 'x-forwarded-ssl', 'x-forwarded-port'],
  ...['x-scheme', 'x-url-scheme', 'front-end-https'],
  // A user that something else has authenticated.
  ...['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-webauth-user', 'x-auth-request-user', 'x-user-id'],
  ...['x-authenticated-user', 'x-authenticated-userid', 'x-consumer-username', 'x-consumer-id', 'x-credential-identifier'],
  ...['x-ssl-client-verify', 'x-client-verify', 'x-internal-request', 'x-envoy-internal', 'x-middleware-subrequest'],
  // Another path or method.
  ...['x-original-url', 'x-original-uri', 'x-original-path', 'x-rewrite-url', 'x-envoy-original-path'],
  ...['x-forwarded-uri', 'x-forwarded-path', 'x-forwarded-prefix'],
  ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-forwarded-method', 'x-original-method'],
  // A preflight request of CORS.
  ...['access-control-request-method', 'access-control-request-headers'],
]);

/** What a service may trust in place of the key: without the key, the document leaves open what it does. */
const TRUSTED_HEADERS = /^(?:x-requested-with|x-purpose|sec-fetch-.*)$/;
const HEALTH_CHECKS = /^(?:kube-probe|ELB-HealthChecker|GoogleHC)\//;

const OLD_OR_AUTOMATED = /^(?:Java|okhttp|Go-http-client)\/|Trident\//;

const BIG = { headers: 4_096, target: 2_000, body: 1_024 } as const;

export function clientOf(
  sent: Sent,
  { credential, query }: { readonly credential: CredentialFacts; readonly query: string | undefined },
): ClientFacts {
  const undocumented = undocumentedIn(sent, { credential, query });
  if (undocumented.length > 0) return { kind: 'undocumented', by: [...new Set(undocumented)].sort() };
  const unusual = unusualIn(sent);
  return unusual.length > 0 ? { kind: 'unusual', by: unusual } : { kind: 'usual' };
}

function undocumentedIn(
  { headers, method }: Sent,
  { credential, query = '' }: { readonly credential: CredentialFacts; readonly query: string | undefined },
): readonly string[] {
  const names = headers.map(([name]) => name.toLowerCase());
  const [agent = ''] = headersNamed(headers, 'user-agent');
  const isValid = credential.kind === 'valid';
  return [
    ...names.filter((name) => UNDOCUMENTED_HEADERS.has(name)),
    ...(isValid ? [] : names.filter((name) => TRUSTED_HEADERS.test(name))),
    ...(!isValid && HEALTH_CHECKS.test(agent) ? ['user-agent'] : []),
    // With the key, a response may be 304; without it, 401 comes first.
    ...(isValid && headersNamed(headers, 'if-none-match').includes('*') ? ['if-none-match'] : []),
    // A read that names another animal in its query.
    ...(/(?:^|&)(?:petId|id)=/.test(query) && method === 'GET' ? ['id in the query'] : []),
  ];
}

/** Whether JSON is among the media types of an Accept header by its own name, or among all. */
const acceptsJson = (accept: string): boolean => /(?:^|,)\s*(?:application\/json|\*\/\*)\s*(?:;|,|$)/i.test(accept);

/** How large what is unusual about a request is: a service that accepts it accepts what is smaller. */
export function unusualSizeOf({ headers, target, body }: Sent, by: UnusualClient): number {
  if (by === 'headers over 4 KB') return headers.reduce((sum, [name, value]) => sum + name.length + value.length + ': \r\n'.length, 0);
  if (by === 'target over 2,000 characters') return target.length;
  return by === 'body over 1 KB' ? (body?.length ?? 0) : 1;
}

const HEADERS: Partial<Record<UnusualClient, string>> = {
  ...{ 'User-Agent of an old or automated client': 'user-agent', 'Accept without JSON': 'accept', Origin: 'origin' },
  'Accept-Charset': 'accept-charset',
};

/** What exactly is unusual: a service that accepts one User-Agent may reject another one. */
export const clientValueOf = ({ headers }: Sent, by: UnusualClient): string => [by, ...headersNamed(headers, HEADERS[by] ?? '')].join('\n');

function unusualIn(sent: Sent): readonly UnusualClient[] {
  const { headers, framing } = sent;
  const [agent = ''] = headersNamed(headers, 'user-agent');
  const found: readonly (readonly [UnusualClient, boolean])[] = [
    ['no User-Agent', agent === ''],
    ['User-Agent of an old or automated client', OLD_OR_AUTOMATED.test(agent)],
    ['Accept without JSON', headersNamed(headers, 'accept').some((accept) => !acceptsJson(accept))],
    ['Origin', headersNamed(headers, 'origin').length > 0],
    ['Accept-Charset', headersNamed(headers, 'accept-charset').length > 0],
    ['chunked', framing === 'chunked'],
    ['headers over 4 KB', unusualSizeOf(sent, 'headers over 4 KB') > BIG.headers],
    ['target over 2,000 characters', unusualSizeOf(sent, 'target over 2,000 characters') > BIG.target],
    ['body over 1 KB', unusualSizeOf(sent, 'body over 1 KB') > BIG.body],
  ];
  return found.filter(([, holds]) => holds).map(([by]) => by);
}
