import type { CheckId } from '../../../src/clause/clause.ts';
import type { Sent } from '../../../src/judge/judging.ts';
import type { OpenSession } from '../../../src/session/open-session.ts';
import type { SessionOptions } from '../../../src/session/session.ts';
import type { Exchange, ExchangeOutcome, HttpResponse, Intent } from '../../../src/wire/exchange.ts';
import { type Json, type JsonReading, readJson, sameJson } from '../../../src/wire/json.ts';

/**
 * An exchange, and its response as it was read when it was recorded: later responses confirm departures, so an exchange may be read
 * differently once the run is over.
 */
type Recorded = { readonly exchange: Exchange; readonly outcome: ExchangeOutcome; readonly firstTry?: Recorded };

/** The exchange as currently read. */
export function recordNow(exchange: Exchange): Recorded {
  const { outcome, firstTry } = exchange;
  return { exchange, outcome, ...(firstTry === undefined ? {} : { firstTry: recordNow(firstTry) }) };
}

/** JSON values, without loss of digits. */
type Line = { readonly [member: string]: unknown };

/** Numbers that do not fit into a double, spelled so that they are read exactly (src/wire/json.ts). */
function spellNumber(value: number | bigint): unknown {
  if (typeof value === 'bigint') return JSON.rawJSON(String(value));
  if (Number.isNaN(value)) return JSON.rawJSON('1.00000000000000000001');
  if (!Number.isFinite(value)) return JSON.rawJSON(value < 0 ? '-1e999' : '1e999');
  return Object.is(value, -0) ? JSON.rawJSON('-0') : value;
}

const writeExactly = (value: Json): string =>
  JSON.stringify(value, (_member, part: unknown) => (typeof part === 'number' || typeof part === 'bigint' ? spellNumber(part) : part));

const INTEGER = 'integer';

/** The value with its bigints as objects, because JSON has no bigints. */
function packIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return { [INTEGER]: String(value) };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, packIntegers(part)]));
}

function unpackIntegers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (INTEGER in value) return BigInt(String(value[INTEGER]));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unpackIntegers(part)]));
}

/** A body is stored once, before the first line that uses it; shorter ones are inline. */
const LONGEST_INLINE = 80;

/** Converts exchanges to lines. */
export function createExchangeWriter() {
  const lines: string[] = [];
  const places = new Map<string, number>();
  const readings = new Map<string, JsonReading>();

  function placeOf(text: string): number | string {
    if (text.length <= LONGEST_INLINE) return text;
    const known = places.get(text);
    if (known !== undefined) return known;
    lines.push(JSON.stringify({ text }));
    places.set(text, places.size);
    return places.size - 1;
  }

  function readingOf(text: string): JsonReading {
    const known = readings.get(text) ?? readJson(text);
    readings.set(text, known);
    return known;
  }

  /** Empty if reading the text again gives the same result. */
  function jsonLine(text: string | undefined, json: JsonReading): Line {
    const read = text === undefined ? undefined : readingOf(text);
    if (read === json || (read?.ok === true && json.ok && sameJson(read.value, json.value))) return {};
    if (!json.ok) return read?.ok === false && read.problem === json.problem ? {} : { json };
    return { json: { ok: true, text: writeExactly(json.value) } };
  }

  function responseLine({ text, json, ...rest }: HttpResponse): Line {
    return { ...rest, ...(text === undefined ? {} : { text: placeOf(text) }), ...jsonLine(text, json) };
  }

  function outcomeLine(outcome: ExchangeOutcome): Line {
    return outcome.kind === 'failed' ? outcome : { kind: outcome.kind, answer: responseLine(outcome.answer) };
  }

  function requestLine({ body, intent, ...rest }: Exchange['request']): Line {
    const sent = typeof body === 'object' ? { bytes: Buffer.from(body).toString('base64') } : body;
    return { ...rest, body: sent, intent: packIntegers(intent) };
  }

  function exchangeLine({ exchange, outcome, firstTry }: Recorded): Line {
    // As it is read now that the run is over.
    const { outcome: later, received, request, putOff, firstTry: _firstTry, ...rest } = exchange;
    return {
      ...rest,
      request: requestLine(request),
      ...(received === undefined ? {} : { received: outcomeLine(received) }),
      ...(received === outcome ? {} : { outcome: outcomeLine(outcome) }),
      ...(later === outcome ? {} : { later: outcomeLine(later) }),
      ...(putOff === undefined ? {} : { putOff: responseLine(putOff) }),
      ...(firstTry === undefined ? {} : { firstTry: exchangeLine(firstTry) }),
    };
  }

  return {
    lines,
    write(recorded: Recorded): void {
      const exchange = exchangeLine(recorded);
      lines.push(JSON.stringify({ exchange }));
    },
  };
}

type ResponseLine = Omit<HttpResponse, 'text' | 'json'> & {
  readonly text?: string | number;
  readonly json?: { readonly ok: false; readonly problem: string } | { readonly ok: true; readonly text: string };
};
type OutcomeLine = Extract<ExchangeOutcome, { kind: 'failed' }> | { readonly kind: 'answered'; readonly answer: ResponseLine };
type ExchangeLine = Omit<Exchange, 'request' | 'outcome' | 'received' | 'putOff' | 'firstTry'> & {
  readonly request: Omit<Exchange['request'], 'body' | 'intent'> & {
    readonly body?: string | { readonly bytes: string };
    readonly intent: unknown;
  };
  readonly received?: OutcomeLine;
  readonly outcome?: OutcomeLine;
  readonly later?: OutcomeLine;
  readonly putOff?: ResponseLine;
  readonly firstTry?: ExchangeLine;
};

/** JSON leaves out undefined values. */
const NOTHING = { bodyClause: undefined, petId: undefined } as const;

/** A parsed line with a body or an exchange. */
export type ExchangeFileLine = { readonly text: string } | { readonly exchange: ExchangeLine };

/** Converts lines to exchanges. `isOver`: whether they are read as at the end of the run, instead of as when they were recorded. */
export function createExchangeReader(isOver: () => boolean) {
  const texts: string[] = [];
  // Equal bodies are read once, and only on demand.
  const readings = new Map<string, JsonReading>();

  function readingOf(text: string): JsonReading {
    const known = readings.get(text) ?? readJson(text);
    readings.set(text, known);
    return known;
  }

  function responseOf({ text: place, json, ...rest }: ResponseLine): HttpResponse {
    const text = typeof place === 'number' ? texts[place] : place;
    if (typeof place === 'number' && text === undefined) throw new Error(`there is no body ${place}`);
    if (json?.ok === false) return { ...rest, text, json };
    const read = json === undefined ? (text ?? '') : json.text;
    return {
      ...rest,
      text,
      get json() {
        return readingOf(read);
      },
    };
  }

  const outcomeOf = (line: OutcomeLine): ExchangeOutcome =>
    line.kind === 'failed' ? line : { kind: 'answered', answer: responseOf(line.answer) };

  function requestOf({ body, intent, ...rest }: ExchangeLine['request']): Exchange['request'] {
    const sent = typeof body === 'object' ? new Uint8Array(Buffer.from(body.bytes, 'base64')) : body;
    // Written as an intent: the version of the file is that of this program.
    return { ...rest, body: sent, intent: { ...NOTHING, ...(unpackIntegers(intent) as Intent) } };
  }

  function exchangeOf(line: ExchangeLine): Exchange {
    const { request, received: receivedLine, outcome: outcomeLine, later: laterLine, putOff, firstTry, ...rest } = line;
    const received = receivedLine === undefined ? undefined : outcomeOf(receivedLine);
    const first = outcomeLine === undefined ? received : outcomeOf(outcomeLine);
    if (first === undefined) throw new Error(`exchange ${rest.number} has no outcome`);
    const later = laterLine === undefined ? first : outcomeOf(laterLine);
    return {
      ...rest,
      request: requestOf(request),
      ...(received === undefined ? {} : { received }),
      ...(putOff === undefined ? {} : { putOff: responseOf(putOff) }),
      ...(firstTry === undefined ? {} : { firstTry: exchangeOf(firstTry) }),
      get outcome() {
        return isOver() ? later : first;
      },
    };
  }

  return (line: ExchangeFileLine): Exchange | undefined => {
    if ('exchange' in line) return exchangeOf(line.exchange);
    texts.push(line.text);
    return undefined;
  };
}

/** The results of a run that its exchanges do not contain. */
export type RunFacts = {
  readonly options: SessionOptions;
  /** Exchanges before the judging began. */
  readonly before: number;
  /** The results of the checks that only send. */
  readonly sent: ReadonlyMap<CheckId, Sent>;
};

/** A run as it was recorded. */
export type RunHistory = { readonly facts: RunFacts; readonly exchanges: readonly Recorded[] };

/** Keeps every exchange of a session from now on. `begin`: the judging begins. */
export function keepHistory(open: OpenSession) {
  const exchanges: Recorded[] = [];
  let before = 0;
  // The history of the session leaves out large bodies once there are many; a listener gets all of each exchange when it is recorded.
  open.recorder.onEveryExchange((exchange) => exchanges.push(recordNow(exchange)));
  return {
    begin(): void {
      before = exchanges.length;
    },
    end(sent: RunFacts['sent']): RunHistory {
      return { facts: { options: open.session.options, before, sent }, exchanges };
    },
  };
}
