/** Authentication, and headers that are sent elsewhere in its place. */
const CREDENTIALS = [
  ...['authorization', 'cookie', 'proxy-authorization', 'x-api-key', 'x-auth-token', 'apikey', 'api-key', 'api_key'],
  ...['x-access-token', 'x-token', 'token', 'x-session-token', 'authentication', 'x-authorization'],
  ...['x-forwarded-authorization', 'x-original-authorization'],
];
/** Headers that proxies and gateways add. */
export const FORWARDING: readonly string[] = [
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-server', 'x-forwarded-uri', 'x-forwarded-path'],
  ...['x-forwarded-prefix', 'x-forwarded-method', 'x-real-ip', 'x-client-ip', 'client-ip', 'true-client-ip', 'cf-connecting-ip'],
  ...['x-cluster-client-ip', 'x-originating-ip', 'x-remote-ip', 'x-remote-addr', 'x-custom-ip-authorization'],
  ...['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-webauth-user', 'x-auth-request-user', 'x-authenticated-user'],
  ...['x-authenticated-userid', 'x-user-id', 'x-consumer-username', 'x-consumer-id', 'x-credential-identifier'],
  ...['x-ssl-client-verify', 'x-client-verify', 'x-internal-request', 'x-envoy-internal', 'x-envoy-original-path'],
  ...['x-original-url', 'x-original-uri', 'x-original-path', 'x-original-method', 'x-rewrite-url'],
  ...['x-forwarded-proto', 'x-forwarded-protocol', 'x-forwarded-scheme', 'x-forwarded-ssl', 'x-forwarded-port', 'x-scheme'],
  ...['x-url-scheme', 'front-end-https'],
  ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-middleware-subrequest'],
];
/** Many header fields without a meaning for the service. */
export const TRACE_HEADERS: readonly string[] = Array.from({ length: 24 }, (_unused, index) => `x-trace-${index}`);
/** Headers that clients send. */
const CLIENT = [
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-type', 'transfer-encoding', 'user-agent'],
  ...['if-modified-since', 'if-none-match', 'dnt', 'referer', 'te', 'x-request-id'],
  ...['origin', 'access-control-request-method', 'access-control-request-headers', 'x-requested-with', 'x-purpose'],
];
/** Members and parameters of the interface that are sent as headers, where they must have no effect. */
const MISPLACED = ['limit', 'status', 'name', 'categoryid', 'id'].flatMap((name) => [name, `x-${name}`]);

/** Request headers that reports show, in lower case. Clauses from outside may send others, which may be secret. */
export const SHOWN_HEADERS: ReadonlySet<string> = new Set([...CREDENTIALS, ...FORWARDING, ...CLIENT, ...TRACE_HEADERS, ...MISPLACED]);
