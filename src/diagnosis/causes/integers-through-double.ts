import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure, RunView } from '../run-view.ts';
import { adviceFor } from './advice-for.ts';
import { changedIn, INT64_ENDS, integerSent, isPrintedDouble, isThroughDouble, widthOf } from './exact-integers.ts';
import { bodyOf, isBeyondShown, statusOf } from './reads.ts';

const JAVASCRIPT =
  'Read and write JSON with exact digits, as BigInt (lossless-json, json-bigint, or from Node 22 on a reviver with context.source and JSON.rawJSON), check for int64 by code of your own, as validators of integers take no BigInt, and take an id of the path for one too';

/** What res.json of Express, and so that of NestJS, takes. */
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

/** An integer of a Pet that only a double spells so: digits that were rounded away, outside int64. */
const ROUNDED = /"(?:id|categoryId)"\s*:\s*-?(?:\d+(?:\.\d+)?e\+?\d+|9223372036854776000|18446744073709552000)\b/i;

function isShown({ exchange, finding }: Failure): boolean {
  return /\/(?:id|categoryId)$/.test(finding.pointer ?? '') && ROUNDED.test(bodyOf(exchange));
}

function isChanged(failure: Failure): boolean {
  const changed = changedIn(failure);
  return changed !== undefined && isThroughDouble(changed);
}

/** Whether every id that is wrongly rejected, of an animal or of none, is one that a double cannot hold, and not the last of int64 alone. */
function isRefused({ clause, exchange }: Failure, run: RunView): boolean {
  if (clause.id !== 'get.not-found' || statusOf(exchange) !== 400) return false;
  const existing = run.failed('get.success').filter((failure) => statusOf(failure.exchange) === 400);
  const sent = [...run.failed(clause.id), ...existing].map((failure) => integerSent(failure.exchange));
  return sent.every((id) => id !== undefined && widthOf(id) === 'beyond-double') && sent.some((id) => !INT64_ENDS.includes(id ?? ''));
}

/** Whether several animals have one id, which is as a double beyond its exact range is printed. */
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
    isChanged(failure) || isRefused(failure, run) || isShared(failure) || isShown(failure) || isFurtherDown(failure)
      ? describeExchange(failure.exchange, ROUNDED)
      : undefined,
  suffices: (signs, run) => signs.some(({ failure }) => isChanged(failure) || isRefused(failure, run) || isShared(failure)),
};
