import type { CallOptions, CreateOptions, ListParameters } from '../session/client/api.ts';
import type { Session } from '../session/session.ts';
import { isJsonObject, readJson } from '../wire/json.ts';
import { REDACTED, type RedactedExchange } from '../wire/redact.ts';

/** Where the recorded requests went, and how the animals of that run were named. */
export type Recorded = { readonly baseUrl: string; readonly prefix: string };

const RIGHT_KEY = 'the API key';
const CUT = /… \(\d+ more characters\)$/;
const OWN_HEADERS = ['authorization', 'user-agent', 'accept-encoding', 'transfer-encoding'];
const PLAIN_NAME = /^[A-Za-z]{1,20}$/;

/** Credential and headers as they were sent; undefined when the report hides or cuts a part of the request. */
function optionsOf({ credential: note, requestHeaders, url, requestBody = '', partial }: RedactedExchange): CallOptions | undefined {
  if (partial === true) return undefined;
  const authorization = requestHeaders.filter(([name]) => name === 'authorization');
  const headers = requestHeaders.filter(([name]) => !OWN_HEADERS.includes(name));
  const right = note === RIGHT_KEY;
  const kept = [url, ...(right ? headers : [...headers, ...authorization]).map(([, value]) => value)];
  if (kept.some((text) => text.includes(REDACTED)) || CUT.test(url) || CUT.test(requestBody)) return undefined;
  const framing = requestHeaders.some(([name]) => name === 'transfer-encoding') ? { chunked: true } : {};
  // Whatever else was sent as a credential and can be shown is not the key.
  return right ? { headers, ...framing } : { headers, ...framing, credential: { note, standing: 'refused', headers: authorization } };
}

/** The query as parameters, when it has each of them once at most. */
function parametersOf(query: string): ListParameters | undefined {
  const pairs = [...new URLSearchParams(query)];
  const once = new Set(pairs.map(([name]) => name)).size === pairs.length;
  return once && pairs.every(([name]) => name === 'limit' || name === 'status') ? Object.fromEntries(pairs) : undefined;
}

/** The body with a name of this run in place of the one that is used up, and what may answer it. */
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

/** Sends a recorded request again, the key and the name of an animal made fresh. False when the report does not hold all of it. */
export async function resend(exchange: RedactedExchange, session: Session, { baseUrl, prefix }: Recorded): Promise<boolean> {
  const options = optionsOf(exchange);
  if (options === undefined || !exchange.url.startsWith(baseUrl)) return false;
  const [path = '', query = ''] = exchange.url.slice(baseUrl.length).split(/\?(.*)/s);
  const { api } = session;
  switch (exchange.operation) {
    case 'createPet': {
      const { raw, domain } = await bodyOf(exchange, { session, prefix });
      await api.create({ raw }, { ...options, domain });
      return true;
    }
    case 'getPet':
      await api.get(decodeURIComponent(path.slice('/pets/'.length)), options);
      return true;
    case 'listPets': {
      const parameters = parametersOf(query);
      await (parameters === undefined ? api.list({}, { ...options, rawQuery: query }) : api.list(parameters, options));
      return true;
    }
    default:
      return exchange.operation satisfies never;
  }
}
