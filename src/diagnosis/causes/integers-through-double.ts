import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure, RunView } from '../run-view.ts';
import { adviceFor } from './advice-for.ts';
import { changedIn, INT64_ENDS, integerSent, isPrintedDouble, isThroughDouble, widthOf } from './exact-integers.ts';
import { bodyOf, isBeyondShown, statusOf } from './reads.ts';

const JAVASCRIPT =
  'Read and write JSON with exact digits (BigInt: json-bigint, lossless-json, or JSON.parse with a reviver that looks at context.source), and reject what is outside int64';

const ADVICE: Readonly<Record<string, string>> = {
  Fastify: JAVASCRIPT,
  NestJS: JAVASCRIPT,
  Express: JAVASCRIPT,
  Koa: JAVASCRIPT,
  hapi: JAVASCRIPT,
  Hono: JAVASCRIPT,
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

/** Whether every id that is wrongly rejected is one that a double cannot hold, and not the last of int64 alone. */
function isRefused({ clause, exchange }: Failure, run: RunView): boolean {
  if (clause.id !== 'get.not-found' || statusOf(exchange) !== 400) return false;
  const sent = run.failed(clause.id).map((failure) => integerSent(failure.exchange));
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
      'Keep id and categoryId in a 64-bit integer from the JSON parser to the database and back (JavaScript: BigInt)',
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
