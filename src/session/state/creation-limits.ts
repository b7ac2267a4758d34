import { schemaProblems } from '../../schema/validators.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isJsonObject } from '../../wire/json.ts';

/** Statuses that a quota may answer creations with, an Error body provided; 429 is waited for, and is none of them here. */
const STATUSES: readonly number[] = [403, 413, 507];
const FORBIDDEN = 403;
const CONTENT_TOO_LARGE = 413;
/** Bytes of a body that is not too large for anybody. */
const SMALL = 512;
/** Plain creations that are rejected alike before it is a quota, and how often that is looked into. */
const PROOFS = 2;
const MOST_DOUBTS = 3;

/** Why a creation is undecided that the service rejects whatever it holds. */
export type CreationLimit = { readonly missing: string; readonly cause: 'service' | 'circumstance'; readonly by: 'quota' | 'key' };

/** Tells a service that creates nothing (any more) from one that rejects some creations. */
export type CreationLimits = {
  /** Looks into the response to a creation before anybody judges it. */
  consider(exchange: Exchange): Promise<void>;
  /** What the response says besides what was sent; undefined for one that is to be judged. */
  limitOf(exchange: Exchange): CreationLimit | undefined;
};

export type CreationLimitParts = {
  /** How many animals the service has created in this run. */
  readonly created: () => number;
  /** Whether an earlier run has: what looks like a quota then needs no proof, which would take more creations. */
  readonly createdEarlier: boolean;
  /** Sends one more plain creation; undefined where none may be sent. */
  readonly createPlain: () => Promise<Exchange | undefined>;
  /** Called with each of these creations once it is known what they are. */
  readonly enter: (exchange: Exchange) => void;
};

/** The status of a rejection that may be one of a quota, or of the operation as a whole. */
export function suspectOf({ request, outcome }: Exchange): number | undefined {
  const { intent, body } = request;
  if (outcome.kind === 'failed' || intent.operation !== 'createPet' || intent.credential !== 'valid') return undefined;
  const { status, json } = outcome.answer;
  if (!STATUSES.includes(status) || (status === CONTENT_TOO_LARGE && (body?.length ?? 0) > SMALL)) return undefined;
  return json.ok && isJsonObject(json.value) && schemaProblems('error', json.value).length === 0 ? status : undefined;
}

/**
 * Quotas, and what an API key may be used for, are not shown. A service that has created animals may take no more of them: it then rejects
 * plain creations too, one after the other, as it rejected the one at hand. One that forbids plain creations from the start may do so
 * because of the key.
 */
export function createCreationLimits({ created, createdEarlier, createPlain, enter }: CreationLimitParts): CreationLimits {
  let quota: { readonly status: number; readonly after: number } | undefined;
  let forbidden = false;
  let doubts = 0;
  let looking: Promise<void> | undefined;

  function reach(status: number): void {
    quota = { status, after: created() };
  }

  async function look(suspect: number): Promise<void> {
    doubts += 1;
    const sent: Exchange[] = [];
    let alike = true;
    while (alike && sent.length < PROOFS) {
      const exchange = await createPlain();
      if (exchange !== undefined) sent.push(exchange);
      alike = exchange !== undefined && suspectOf(exchange) === suspect;
    }
    if (alike) reach(suspect);
    for (const exchange of sent) enter(exchange);
  }

  return {
    async consider(exchange) {
      const suspect = suspectOf(exchange);
      if (suspect === undefined || quota !== undefined) return;
      if (createdEarlier) {
        reach(suspect);
        return;
      }
      if (created() === 0) {
        forbidden ||= suspect === FORBIDDEN && exchange.request.intent.body === 'plain';
        return;
      }
      // Many creations may be rejected at the same time: one look is enough for all of them.
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
