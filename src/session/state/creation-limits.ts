import { schemaProblems } from '../../schema/validators.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isJsonObject } from '../../wire/json.ts';
import { CONTENT_TOO_LARGE, FORBIDDEN } from '../../wire/statuses.ts';

/** Statuses that a quota may return for creations, with an Error body; 429 is waited for, and not included. */
const STATUSES: readonly number[] = [403, 413, 507];
/** Bytes of a body that is too large for no service. */
const SMALL = 512;
/** The number of plain creations that must be rejected in the same way to prove a quota, and how often that is tested. */
const PROOFS = 2;
const MOST_DOUBTS = 3;

/** Why a creation that the service rejects whatever its body is undecided. */
export type CreationLimit = { readonly missing: string; readonly cause: 'service' | 'circumstance'; readonly by: 'quota' | 'key' };

/** Distinguishes a service that creates nothing (any more) from one that rejects some creations. */
export type CreationLimits = {
  consider(exchange: Exchange): Promise<void>;
  /** What limits the creation, whatever was sent; undefined if its response is to be judged. */
  limitOf(exchange: Exchange): CreationLimit | undefined;
};

export type CreationLimitParts = {
  readonly created: () => number;
  /** Sends one more plain creation; undefined if none may be sent. */
  readonly createPlain: () => Promise<Exchange | undefined>;
  /** Called with each of these creations once it is known what they are. */
  readonly enter: (exchange: Exchange) => void;
};

/** Whether a body was rejected as too large that may be: the document sets no limit to sizes. */
export function isTooLarge({ request: { body }, outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && outcome.answer.status === CONTENT_TOO_LARGE && (body?.length ?? 0) > SMALL;
}

/** The status of a rejection that may be due to a quota, or apply to the operation as a whole. */
function suspectOf(exchange: Exchange): number | undefined {
  const { intent } = exchange.request;
  if (exchange.outcome.kind === 'failed' || intent.operation !== 'createPet' || intent.credential !== 'valid') return undefined;
  const { status, json } = exchange.outcome.answer;
  if (!STATUSES.includes(status) || isTooLarge(exchange)) return undefined;
  return json.ok && isJsonObject(json.value) && schemaProblems('error', json.value).length === 0 ? status : undefined;
}

/**
 * The document mentions neither quotas nor what an API key may be used for. A service that has created animals may accept no more of them:
 * it then rejects plain creations too, one after the other, like the current one. A service that forbids plain creations from the start may
 * do so because of the key.
 */
export function createCreationLimits({ created, createPlain, enter }: CreationLimitParts): CreationLimits {
  let quota: { readonly status: number; readonly after: number } | undefined;
  let forbidden = false;
  let doubts = 0;
  let looking: Promise<void> | undefined;

  async function look(suspect: number): Promise<void> {
    doubts += 1;
    const sent: Exchange[] = [];
    let alike = true;
    while (alike && sent.length < PROOFS) {
      const exchange = await createPlain();
      if (exchange !== undefined) sent.push(exchange);
      alike = exchange !== undefined && suspectOf(exchange) === suspect;
    }
    if (alike) quota = { status: suspect, after: created() };
    for (const exchange of sent) enter(exchange);
  }

  return {
    async consider(exchange) {
      const suspect = suspectOf(exchange);
      // A gateway that accepts no chunks says nothing about a quota; where there is one, it applies to chunks as well.
      if (suspect === undefined || quota !== undefined || exchange.request.chunked === true) return;
      if (created() === 0) {
        forbidden ||= suspect === FORBIDDEN && exchange.request.intent.body === 'plain';
        return;
      }
      // Many creations may be rejected at the same time: one test is enough for all of them.
      await looking;
      if (quota !== undefined || doubts >= MOST_DOUBTS) return;
      looking ??= look(suspect).finally(() => {
        looking = undefined;
      });
      await looking;
    },
    limitOf(exchange) {
      const suspect = suspectOf(exchange);
      if (suspect === undefined) return undefined;
      if (suspect === quota?.status)
        return {
          missing: `the service accepts no more creations after ${quota.after} (${quota.status})`,
          cause: 'circumstance',
          by: 'quota',
        };
      if (!forbidden || created() > 0 || suspect !== FORBIDDEN) return undefined;
      return { missing: 'the service forbids every creation (403): the API key may be read-only', cause: 'service', by: 'key' };
    },
  };
}
