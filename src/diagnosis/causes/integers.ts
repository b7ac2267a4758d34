// Causes about integers that the stack can't represent.
import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import { adviceFor, type CauseRule, type Failure, type RunView } from '../cause.ts';
import { bodyOf, describeExchange, isBeyondShown, numberOf, statusOf } from '../exchanges.ts';

const INTEGER = /^-?\d+$/;

/** An integer that was not returned as sent. */
type Changed = { readonly sent: string; readonly shown: string };

/** The integer that a request is about: the id in its path, or the categoryId in its body, as spelled. */
function integerSent({ method, url, requestBody }: RedactedExchange): string | undefined {
  const spelled = method === 'GET' ? /\/pets\/(-?\d+)$/.exec(url)?.[1] : numberOf(requestBody, 'categoryId');
  return spelled !== undefined && INTEGER.test(spelled) ? spelled : undefined;
}

/** How the integer of some exchange of the finding changed; undefined if all were returned as sent. */
function changedIn({ finding, exchange: last }: Failure): Changed | undefined {
  const changes = [...finding.exchanges, last].flatMap((exchange): Changed[] => {
    const sent = integerSent(exchange);
    const status = exchange.answer.kind === 'answered' ? exchange.answer.status : 0;
    const shown = numberOf(bodyOf(exchange), exchange.method === 'GET' ? 'id' : 'categoryId');
    const differs = sent !== undefined && shown !== undefined && sent !== shown && status < 300;
    return differs ? [{ sent, shown }] : [];
  });
  return changes[0];
}

const WORST = 2 ** 53;

/** Whether the digits are those that JavaScript and others print for a double, which are not its exact ones. */
function isPrintedDouble(digits: string): boolean {
  const value = Number(digits);
  return String(value) === digits && BigInt(value) !== BigInt(digits);
}

/** Whether a double is spelled this way: its exact digits, or the shortest that JavaScript and others print. */
function isSpelledAsDouble(shown: string): boolean {
  const value = Number(shown);
  return !INTEGER.test(shown) || String(value) === shown || (Number.isFinite(value) && BigInt(value) === BigInt(shown));
}

/** The bounds of int64: an integer clamped to them was not converted to a double. */
const INT64_ENDS: readonly string[] = ['9223372036854775807', '-9223372036854775808'];

/** Whether the integer was returned as a double, a float, or a number of fifteen digits would spell it. */
function isThroughDouble({ sent, shown }: Changed): boolean {
  const value = Number(sent);
  if (Math.abs(value) < 2 ** 24 || (Number.isSafeInteger(value) && value === Number(shown)) || !isSpelledAsDouble(shown)) return false;
  if (INT64_ENDS.includes(shown) && BigInt.asIntN(64, BigInt(sent)) !== BigInt(sent)) return false;
  return [value, Math.fround(value), Number(value.toPrecision(15))].includes(Number(shown));
}

const BITS = [8, 16, 32];

/** The number of bits that an int64 was stored in, if it was returned wrapped or clamped to that; undefined otherwise. */
function bitsOf({ sent, shown }: Changed): number | undefined {
  if (!INTEGER.test(sent) || !INTEGER.test(shown)) return undefined;
  const [value, came] = [BigInt(sent), BigInt(shown)];
  if (BigInt.asIntN(64, value) !== value) return undefined;
  return BITS.find((bits) => {
    const most = 2n ** BigInt(bits - 1) - 1n;
    const clamped = value > most ? most : value < -most - 1n ? -most - 1n : value;
    return [BigInt.asIntN(bits, value), BigInt.asUintN(bits, value), clamped].includes(came);
  });
}

const WIDE = 2n ** 31n;

/** Whether an integer needs more than 32 bits, and more than the 53 of a double. */
function widthOf(spelled: string): 'narrow' | 'beyond-int32' | 'beyond-double' {
  const value = BigInt(spelled);
  const size = value < 0n ? -value : value;
  if (size > BigInt(WORST)) return 'beyond-double';
  return value >= WIDE || value < -WIDE ? 'beyond-int32' : 'narrow';
}

const CLAUSES = [
  ...(['create.category-range', 'create.unusual-categories', 'create.round-trip', 'create.answer'] as const),
  ...(['get.identity', 'get.not-found', 'get.success', 'errors.no-server-error'] as const),
];

function isNarrowed(failure: Failure): boolean {
  const changed = changedIn(failure);
  return changed !== undefined && bitsOf(changed) !== undefined;
}

function isRejectedAsTooWide({ clause, exchange }: Failure): boolean {
  const sent = integerSent(exchange);
  if (sent === undefined || widthOf(sent) === 'narrow') return false;
  return clause.id === 'errors.no-server-error' ? statusOf(exchange) >= 500 : statusOf(exchange) === 400;
}

/** Every finding of the clause must be about such an integer, and at least one about an integer that a double represents exactly. */
function isRejectedThroughout({ clause }: Failure, run: RunView): boolean {
  const all = run.failed(clause.id);
  const sent = all.map(({ exchange }) => integerSent(exchange)).filter((spelled) => spelled !== undefined);
  return all.every(isRejectedAsTooWide) && sent.some((spelled) => widthOf(spelled) === 'beyond-int32');
}

/** Whether every changed integer was stored in that few bits: a float may spell a single one that way by chance. */
function isChangedThroughout(run: RunView): boolean {
  const changes = run
    .failed(...CLAUSES)
    .map(changedIn)
    .filter((changed) => changed !== undefined);
  return changes.every((changed) => bitsOf(changed) !== undefined);
}

export const integersTooNarrow: CauseRule = {
  id: 'integers-too-narrow',
  title: 'Integers are kept in 32 bits or fewer',
  advice: 'Declare id and categoryId as 64-bit integers everywhere: in the model (long, int64), the path parameter and the column (BIGINT)',
  clauses: CLAUSES,
  sign: (failure, run) =>
    (isNarrowed(failure) && isChangedThroughout(run)) || (isRejectedAsTooWide(failure) && isRejectedThroughout(failure, run))
      ? describeExchange(failure.exchange)
      : undefined,
};

const JAVASCRIPT =
  'Read and write JSON with exact digits, as BigInt (lossless-json, json-bigint, or from Node 22 on a reviver with context.source and JSON.rawJSON), check for int64 by code of your own, as validators of integers take no BigInt, and take an id of the path for one too';

/** What res.json of Express (and so of NestJS) needs. */
const REPLACER = 'with context.source, and JSON.rawJSON in the setting "json replacer"';

const EXPRESS = `Parse bodies to BigInt and reject what is outside int64: from Node 22 on by express.json({ reviver }) ${REPLACER}, else by lossless-json after express.text, which lets null and texts through, and in place of res.json, which takes no BigInt`;

const NESTJS = `Parse bodies to BigInt: from Node 22 on by app.useBodyParser('json', { reviver }) ${REPLACER}, else by lossless-json in a pipe and an interceptor. Check categoryId for int64 by ValidateBy, as @IsInt rejects every BigInt`;

const HONO =
  'With Zod, take petId as z.coerce.bigint(), as int() rejects integers beyond 2^53, and categoryId as z.int64() from a body that lossless-json or json-bigint parsed, and write with that too: c.req.json rounds, and c.json takes no BigInt';

const FASTIFY =
  'Parse bodies with exact digits (addContentTypeParser with lossless-json or json-bigint), and check that categoryId is an int64 by a keyword of your own (ajv.customOptions.keywords), as Ajv takes no BigInt for an integer; fast-json-stringify writes one';

const ADVICE: Readonly<Record<string, string>> = {
  Fastify: FASTIFY,
  NestJS: NESTJS,
  Express: EXPRESS,
  hapi: JAVASCRIPT,
  Hono: HONO,
};

/** An integer of a Pet that only a double is spelled as: digits that were rounded away, outside int64. */
const ROUNDED = /"(?:id|categoryId)"\s*:\s*-?(?:\d+(?:\.\d+)?e\+?\d+|9223372036854776000|18446744073709552000)\b/i;

function isShown({ exchange, finding }: Failure): boolean {
  return /\/(?:id|categoryId)$/.test(finding.pointer ?? '') && ROUNDED.test(bodyOf(exchange));
}

function isRounded(failure: Failure): boolean {
  const changed = changedIn(failure);
  return changed !== undefined && isThroughDouble(changed);
}

/** Whether every wrongly rejected id, existing or not, is one that a double can't represent, and not only the maximum of int64. */
function isRejectedBeyondDouble({ clause, exchange }: Failure, run: RunView): boolean {
  if (clause.id !== 'get.not-found' || statusOf(exchange) !== 400) return false;
  const existing = run.failed('get.success').filter((failure) => statusOf(failure.exchange) === 400);
  const sent = [...run.failed(clause.id), ...existing].map((failure) => integerSent(failure.exchange));
  return sent.every((id) => id !== undefined && widthOf(id) === 'beyond-double') && sent.some((id) => !INT64_ENDS.includes(id ?? ''));
}

/** Whether several animals have one id, spelled as a double beyond its exact range is printed. */
function isShared({ clause, exchange, finding }: Failure): boolean {
  if (clause.id !== 'create.id-assigned' && clause.id !== 'list.unique') return false;
  const id = /\b\d{16,19}\b/.exec(finding.summary)?.[0];
  return id !== undefined && bodyOf(exchange).includes(id) && widthOf(id) === 'beyond-double' && isPrintedDouble(id);
}

/** A record further down a long list than the report shows, broken in the same member. */
function isFurtherDown(failure: Failure): boolean {
  return /\/(?:id|categoryId)$/.test(failure.finding.pointer ?? '') && isBeyondShown(failure);
}

export const integersThroughDouble: CauseRule = {
  id: 'integers-through-double',
  title: 'Integers pass through a floating-point number and lose digits',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      ADVICE,
      `Keep id and categoryId in a 64-bit integer from the JSON parser to the database and back. JavaScript: ${JAVASCRIPT}`,
    ),
  clauses: [
    ...([
      'create.id-assigned',
      'list.unique',
      'create.category-range',
      'create.unusual-categories',
      'create.round-trip',
      'create.answer',
    ] as const),
    ...(['record.pet', 'record.pets', 'record.same-animal', 'get.identity', 'get.not-found', 'get.success'] as const),
  ],
  sign: (failure, run) =>
    isRounded(failure) || isRejectedBeyondDouble(failure, run) || isShared(failure) || isShown(failure) || isFurtherDown(failure)
      ? describeExchange(failure.exchange, ROUNDED)
      : undefined,
  suffices: (signs, run) => signs.some(({ failure }) => isRounded(failure) || isRejectedBeyondDouble(failure, run) || isShared(failure)),
};

export const integersAsText: CauseRule = {
  id: 'integers-as-text',
  title: '64-bit integers are written as JSON strings',
  advice:
    'Write id and categoryId as JSON numbers (Jackson: no ToStringSerializer; protobuf JSON: a mapping of your own, as int64 is a string there)',
  clauses: ['record.pet', 'record.pets'],
  sign: ({ exchange, finding }) => {
    const member = /\/(id|categoryId)$/.exec(finding.pointer ?? '')?.[1];
    const written = new RegExp(`"${member}"\\s*:\\s*"-?\\d+"`);
    return member !== undefined && written.test(bodyOf(exchange)) ? describeExchange(exchange, written) : undefined;
  },
};
