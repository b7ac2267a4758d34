// A request of a report once more: what of it may be sent, and as what it is judged.

import { isUtf8 } from 'node:buffer';
import { CHOICES_OF_MEMBERS, OTHER_LIMITS } from '../clause/limits.ts';
import { createdView } from '../schema/pet.ts';
import { schemaProblems } from '../schema/validators.ts';
import type { CallOptions, CreateOptions, ListParameters } from '../session/client/api.ts';
import { EMPTY_QUERY } from '../session/client/equivalent.ts';
import { PLAIN_NAME, plainNamesWith } from '../session/names.ts';
import type { Session } from '../session/session.ts';
import { duplicateMemberOf, isJsonObject, readJson } from '../wire/json.ts';
import { namesOfPlaces } from '../wire/key-places.ts';
import { isCut, REDACTED } from '../wire/redact.ts';
import { FORWARDING, type RedactedExchange, SHOWN_HEADERS } from '../wire/redacted-exchange.ts';
import { CREATED } from '../wire/statuses.ts';

/** Where the recorded requests were sent, and how the animals of that run were named. */
export type Recorded = { readonly baseUrl: string; readonly prefix: string };

const RIGHT_KEY = 'the API key';
const OWN_HEADERS = ['authorization', 'transfer-encoding'];
/** Sent with every request, unless it omits them. */
const USUAL_HEADERS = ['accept', 'user-agent'];
/** A service may reject clients that send these, or that do not say what they are or accept. A report does not have that. */
const VAGUE_HEADERS: readonly string[] = ['origin', 'referer', 'accept-charset'];
const JSON_TYPE = 'application/json';
const TAKES_JSON = /application\/json|\*\/\*/i;

const METHODS = { listPets: 'GET', getPet: 'GET', createPet: 'POST' } as const satisfies Record<RedactedExchange['operation'], string>;
/** `/pets`, `/pets/7`, and the spellings of both by which checks try to bypass a router: `//pets`, `/x/..;/pets`, `/%70ets/7;v=1`. */
const OUR_PATH = /^(?:\/(?:\.|x|\.\.;?)?)*\/(?:p|%70|%2570)ets(?<rest>[/;.%][^?#]*)?$/i;
/** A segment that leads back from there to another path, in whatever encoding. */
const LEADS_AWAY = /(?:^|(?:[/\\;]|%(?:25)*(?:2f|5c|3b)))(?:\.|%(?:25)*2e){2}(?:[/\\;]|%(?:25)*(?:2f|5c|3b))/i;
/** The only last segments that are not UTF-8: nobody knows what a lenient proxy makes of others. */
const UNDECODABLE = /^\/pets\/(\d?(?:%FF|%C3%28))$/;
const OUR_PARAMETER = /^(?:x-)?(?:limit|status|name|categoryid)(?:\[\])?$/i;
const OTHER_PARAMETERS: ReadonlySet<string> = new Set([
  ...['', 'unknown', 'nothing', 'token', 'fresh', 'callback', 'sort', 'page', 'offset', 'cursor', 'page_limit', 'last_status'],
  ...OTHER_LIMITS,
  ...CHOICES_OF_MEMBERS,
  ...namesOfPlaces('query parameter'),
]);
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
  const ours = OUR_PATH.exec(path);
  const isForeign =
    ours === null || LEADS_AWAY.test(ours.groups?.['rest'] ?? '') || (decoded(path) === undefined && !UNDECODABLE.test(path));
  if (isForeign) return `the path ${path}`;
  const parameter = [...new URLSearchParams(query).keys()].find((name) => !OUR_PARAMETER.test(name) && !OTHER_PARAMETERS.has(name));
  return parameter === undefined ? undefined : `the parameter ${parameter}`;
}

/** The id in a path with the usual spelling; undefined for other spellings, which request something else. */
function idIn(path: string): string | undefined {
  const [, segment = ''] = /^\/pets\/([^/]+)$/.exec(path) ?? [];
  const id = decoded(segment);
  return id !== undefined && !/^\.{0,2}$/.test(id) && encodeURIComponent(id) === segment ? id : undefined;
}

/** Whether it comes from a client that a service may reject. */
function isVague({ requestHeaders }: RedactedExchange): boolean {
  const headers = new Map(requestHeaders);
  const isUsual = USUAL_HEADERS.every((name) => headers.has(name)) && TAKES_JSON.test(headers.get('accept') ?? '');
  return !isUsual || VAGUE_HEADERS.some((name) => headers.has(name));
}

/** Credential and headers as they were sent; undefined if the report hides or cuts a part of the request. */
function optionsOf(exchange: RedactedExchange): CallOptions | undefined {
  const { credential: note, requestHeaders, url, requestBody = '', requestBytes, partial, method } = exchange;
  if (partial === true) return undefined;
  const authorization = requestHeaders.filter(([name]) => name === 'authorization');
  const headers = requestHeaders.filter(([name]) => !OWN_HEADERS.includes(name));
  const right = note === RIGHT_KEY;
  const kept = [url, ...(right ? headers : [...headers, ...authorization]).map(([, value]) => value)];
  if (kept.some((text) => text.includes(REDACTED)) || isCut(url)) return undefined;
  if (requestBytes === undefined && isCut(requestBody)) return undefined;
  const own = method === 'GET' ? USUAL_HEADERS : [...USUAL_HEADERS, 'content-type'];
  const absent = own.filter((usual) => !requestHeaders.some(([name]) => name === usual));
  const without = absent.length === 0 ? {} : { without: absent };
  const framing = requestHeaders.some(([name]) => name === 'transfer-encoding') ? { chunked: true } : {};
  const client = isVague(exchange) ? { vague: true } : {};
  // Any other credential that reports can show is not the key.
  return right
    ? { headers, ...without, ...framing, ...client }
    : { headers, ...without, ...framing, credential: { note, standing: 'refused', headers: authorization } };
}

/**
 * A query as the parameters of a list and what else is in it, before or after them: rules judge its parameters next to
 * others. A parameter that is there twice leaves all of it open.
 */
function listOf(query: string): readonly [parameters: ListParameters, more: Pick<CallOptions, 'rawQuery' | 'leadingQuery'>] {
  const pieces = query.split('&');
  const isKnown = (piece: string): boolean => /^(?:limit|status)=/.test(piece);
  const known = [...new URLSearchParams(pieces.filter(isKnown).join('&'))];
  const others = pieces.filter((piece) => !isKnown(piece)).join('&');
  if (new Set(known.map(([name]) => name)).size < known.length) return [{}, { rawQuery: query }];
  const leads = pieces[0] !== undefined && !isKnown(pieces[0]);
  return [Object.fromEntries(known), others === '' ? {} : { [leads && known.length > 0 ? 'leadingQuery' : 'rawQuery']: others }];
}

/** What a NewPet says, and nothing else does. */
const NEW_PET_MEMBERS = ['name', 'categoryId', 'status'];

/** What the document decides about a body: of a NewPet in the usual form everything, unless it was rejected. */
function domainOf(exchange: RedactedExchange, text: string): CreateOptions['domain'] {
  const { requestHeaders, answer: response } = exchange;
  const read = readJson(text);
  const types = requestHeaders.filter(([name]) => name === 'content-type').map(([, type]) => type);
  if (!read.ok || !isJsonObject(read.value) || duplicateMemberOf(read, text) !== undefined || types.join() !== JSON_TYPE) return 'open';
  const { value } = read;
  if (schemaProblems('new-pet', value).length > 0 || !Object.keys(value).every((member) => NEW_PET_MEMBERS.includes(member))) return 'open';
  const isPlain = PLAIN_NAME.test(String(value['name'])) && response.kind === 'answered' && response.status === CREATED;
  return isPlain ? 'plain' : 'unusual';
}

/** Another name in the letter case of the one in whose place it stands. */
function inCaseOf(found: string, name: string): string {
  if (found === found.toUpperCase()) return name.toUpperCase();
  return found === found.toLowerCase() ? name.toLowerCase() : name;
}

/** Sends recorded requests again, with the current key, and with new names of animals. */
export type Resending = {
  /**
   * Resolves to whether it was sent: not if the report lacks a part of it, or if no run sends such a request. Halts if nothing may be created.
   * `atOnce`: together with others.
   */
  send(exchange: RedactedExchange, options?: { readonly atOnce?: boolean }): Promise<boolean>;
  /** Reads the animals that were created since it was called last: they may show what is wrong with a creation. */
  readCreated(): Promise<void>;
};

export function createResending({ api, fixtures }: Session, { baseUrl, prefix }: Recorded): Resending {
  // A name that was used twice is used twice again.
  const names = new Map<string, Promise<string>>();
  const created: bigint[] = [];

  /** The text with names of this run in place of the used ones, whatever else is in them. */
  async function renamed(text: string): Promise<string> {
    for (const used of plainNamesWith(prefix, text)) {
      // A draft is there whatever the service rejects.
      if (!names.has(used))
        names.set(
          used,
          fixtures.draft().then(({ name }) => name),
        );
    }
    let result = text;
    for (const [used, fresh] of names) {
      const name = await fresh;
      result = result.replace(new RegExp(used, 'gi'), (found) => (found === used ? name : inCaseOf(found, name)));
    }
    return result;
  }

  async function sendCreation(exchange: RedactedExchange, options: CallOptions): Promise<void> {
    const { requestBody, requestBytes } = exchange;
    const bytes = requestBytes === undefined ? undefined : Buffer.from(requestBytes, 'base64');
    // One character a byte where they are not text: names of a run are ASCII.
    const coding = bytes === undefined || isUtf8(bytes) ? 'utf8' : 'latin1';
    const text = bytes?.toString(coding) ?? requestBody;
    const body = text === undefined ? undefined : await renamed(text);
    const domain = body === undefined || coding === 'latin1' ? 'open' : domainOf(exchange, body);
    const read = domain === 'open' || body === undefined ? undefined : readJson(body);
    const { outcome } =
      read?.ok === true && body !== undefined
        ? await api.create({ value: read.value }, { ...options, domain, spelling: () => body })
        : await api.create({ raw: body === undefined || coding === 'utf8' ? body : Buffer.from(body, coding) }, { ...options, domain });
    const json = outcome.kind === 'answered' && outcome.answer.status === CREATED ? outcome.answer.json : undefined;
    const pet = json?.ok === true ? createdView(json.value) : undefined;
    if (pet !== undefined) created.push(pet.id);
  }

  return {
    async send(exchange, more = {}) {
      const kept = optionsOf(exchange);
      if (kept === undefined || !exchange.url.startsWith(baseUrl) || foreignPart(exchange, baseUrl) !== undefined) return false;
      const options = { ...kept, ...more };
      const { path, query } = partsOf(exchange, baseUrl);
      switch (exchange.operation) {
        case 'createPet':
          await sendCreation(exchange, options);
          return true;
        case 'getPet': {
          const [, segment] = UNDECODABLE.exec(path) ?? [];
          const id = segment ?? idIn(path);
          if (id === undefined) return false;
          await api.get(id, segment === undefined ? options : { ...options, segment });
          return true;
        }
        case 'listPets': {
          const spelled = exchange.url === `${baseUrl}${EMPTY_QUERY.path}` ? EMPTY_QUERY.path : path;
          const [parameters, beside] = listOf(query);
          const { credential } = options;
          // At another path the document leaves open what a wrong credential gets.
          const left = credential === undefined ? {} : { credential: { ...credential, standing: 'open' as const } };
          await api.list(parameters, { ...options, ...beside, ...(spelled === '/pets' ? {} : { path: spelled, ...left }) });
          return true;
        }
        default:
          return exchange.operation satisfies never;
      }
    },
    async readCreated() {
      for (const id of created.splice(0)) await api.get(id);
    },
  };
}
