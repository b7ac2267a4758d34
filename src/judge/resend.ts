import type { CallOptions, CreateOptions, ListParameters } from '../session/client/api.ts';
import type { Session } from '../session/session.ts';
import { isJsonObject, readJson } from '../wire/json.ts';
import { isCut, REDACTED, type RedactedExchange } from '../wire/redact.ts';
import { FORWARDING, SHOWN_HEADERS } from '../wire/shown-headers.ts';

/** Where the recorded requests were sent, and how the animals of that run were named. */
export type Recorded = { readonly baseUrl: string; readonly prefix: string };

const RIGHT_KEY = 'the API key';
const OWN_HEADERS = ['authorization', 'transfer-encoding'];
/** Sent with every request, unless it omits them. */
const USUAL_HEADERS = ['accept', 'user-agent'];
const PLAIN_NAME = /^[A-Za-z]{1,20}$/;

const METHODS = { listPets: 'GET', getPet: 'GET', createPet: 'POST' } as const satisfies Record<RedactedExchange['operation'], string>;
/** `/pets`, `/pets/7`, and the spellings of both by which checks try to bypass a router: `//pets`, `/x/..;/pets`, `/%70ets/7;v=1`. */
const OUR_PATH = /^(?:\/(?:\.|x|\.\.;?)?)*\/(?:p|%70|%2570)ets(?:[/;.%][^?#]*)?$/i;
/** The only last segments that are not UTF-8: nobody knows what a lenient proxy makes of others. */
const UNDECODABLE = /^\/pets\/(\d?(?:%FF|%C3%28))$/;
const OUR_PARAMETER = /^(?:(?:x-)?(?:limit|status|name|categoryid)(?:\[\])?|unknown|page|offset|cursor|sort|token|nothing)?$/i;
/** What checks claim in proxy headers: never a method that changes anything. */
const OUR_CLAIMS: ReadonlySet<string> = new Set([
  ...['127.0.0.1', 'localhost', 'for=127.0.0.1;host=localhost;proto=https', 'admin', '1', 'true', 'SUCCESS'],
  ...['/health', 'OPTIONS', 'HEAD', 'http', 'off', '80'],
  ...['middleware:middleware:middleware:middleware:middleware'],
]);
const VISIBLE = /^[\t\x20-\x7e\x80-\xff]*$/;

function isOurHeader(name: string, value: string): boolean {
  // Reports mask the values of cookies, so a complete request has none.
  if (!SHOWN_HEADERS.has(name) || name === 'cookie' || !VISIBLE.test(value)) return false;
  return !FORWARDING.includes(name) || OUR_CLAIMS.has(value);
}

/** A path before it was encoded; undefined for one that is not a valid encoding. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function partsOf({ url }: RedactedExchange, baseUrl: string): { readonly path: string; readonly query: string } {
  const [path = '', query = ''] = url.slice(baseUrl.length).split(/\?(.*)/s);
  return { path, query };
}

/**
 * Which part of a recorded request this suite never sends, in words; undefined if there is none. A report may come from anywhere: sent with
 * the key of whoever replays it, a header or a path chosen by its author would be an attack.
 */
export function foreignPart(exchange: RedactedExchange, baseUrl: string): string | undefined {
  const options = optionsOf(exchange);
  if (options === undefined || !exchange.url.startsWith(baseUrl)) return undefined;
  if (exchange.method !== METHODS[exchange.operation]) return `the method ${exchange.method}`;
  const header = options.headers?.find(([name, value]) => !isOurHeader(name, value));
  if (header !== undefined) return `the header ${header.join(': ')}`;
  const { path, query } = partsOf(exchange, baseUrl);
  if (!OUR_PATH.test(path) || (decoded(path) === undefined && !UNDECODABLE.test(path))) return `the path ${path}`;
  const parameter = [...new URLSearchParams(query).keys()].find((name) => !OUR_PARAMETER.test(name));
  return parameter === undefined ? undefined : `the parameter ${parameter}`;
}

/** The id in a path with the usual spelling; undefined for other spellings, which request something else. */
function idIn(path: string): string | undefined {
  const [, segment = ''] = /^\/pets\/([^/]+)$/.exec(path) ?? [];
  const id = decoded(segment);
  return id !== undefined && !/^\.{0,2}$/.test(id) && encodeURIComponent(id) === segment ? id : undefined;
}

/** Credential and headers as they were sent; undefined if the report hides or cuts a part of the request. */
function optionsOf({ credential: note, requestHeaders, url, requestBody = '', partial }: RedactedExchange): CallOptions | undefined {
  if (partial === true) return undefined;
  const authorization = requestHeaders.filter(([name]) => name === 'authorization');
  const headers = requestHeaders.filter(([name]) => !OWN_HEADERS.includes(name));
  const right = note === RIGHT_KEY;
  const kept = [url, ...(right ? headers : [...headers, ...authorization]).map(([, value]) => value)];
  if (kept.some((text) => text.includes(REDACTED)) || isCut(url) || isCut(requestBody)) return undefined;
  const absent = USUAL_HEADERS.filter((usual) => !requestHeaders.some(([name]) => name === usual));
  const without = absent.length === 0 ? {} : { without: absent };
  const framing = requestHeaders.some(([name]) => name === 'transfer-encoding') ? { chunked: true } : {};
  // Any other credential that reports can show is not the key.
  return right
    ? { headers, ...without, ...framing }
    : { headers, ...without, ...framing, credential: { note, standing: 'refused', headers: authorization } };
}

/** The query as parameters, if it has each of them at most once. */
function parametersOf(query: string): ListParameters | undefined {
  const pairs = [...new URLSearchParams(query)];
  const once = new Set(pairs.map(([name]) => name)).size === pairs.length;
  return once && pairs.every(([name]) => name === 'limit' || name === 'status') ? Object.fromEntries(pairs) : undefined;
}

/** The body, with a name of this run in place of the used one, and its domain by the response. */
async function bodyOf({ requestBody: raw, answer }: RedactedExchange, { session, prefix }: { session: Session; prefix: string }) {
  const open = { raw, domain: 'open' as CreateOptions['domain'] };
  const read = readJson(raw ?? '');
  if (raw === undefined || !read.ok || !isJsonObject(read.value)) return open;
  const { name } = read.value;
  if (typeof name !== 'string' || !name.startsWith(prefix)) return open;
  const { name: fresh } = await session.fixtures.plain();
  const plain = PLAIN_NAME.test(name) && answer.kind === 'answered' && answer.status === 201;
  return { raw: raw.replace(JSON.stringify(name), () => JSON.stringify(fresh)), domain: plain ? ('plain' as const) : open.domain };
}

/** Sends a recorded request again, with the current key and a new animal name. False if the report does not contain all of it. */
export async function resend(exchange: RedactedExchange, session: Session, { baseUrl, prefix }: Recorded): Promise<boolean> {
  const options = optionsOf(exchange);
  if (options === undefined || !exchange.url.startsWith(baseUrl)) return false;
  if (foreignPart(exchange, baseUrl) !== undefined) return false;
  const { path, query } = partsOf(exchange, baseUrl);
  const { api } = session;
  switch (exchange.operation) {
    case 'createPet': {
      const { raw, domain } = await bodyOf(exchange, { session, prefix });
      await api.create({ raw }, { ...options, domain });
      return true;
    }
    case 'getPet': {
      const [, segment] = UNDECODABLE.exec(path) ?? [];
      const id = segment ?? idIn(path);
      if (id === undefined) return false;
      await api.get(id, segment === undefined ? options : { ...options, segment });
      return true;
    }
    case 'listPets': {
      const parameters = parametersOf(query);
      await (parameters === undefined ? api.list({}, { ...options, rawQuery: query }) : api.list(parameters, options));
      return true;
    }
    default:
      return exchange.operation satisfies never;
  }
}
