// What a service rejects although it may reject only some of it is asked in halves: a rejection answers for none of several values.

import { isPack } from '../session/compose.ts';
import type { ValueName, Vector } from '../session/vector.ts';
import { LEAST_ERROR, UNAUTHORIZED } from '../wire/statuses.ts';

/** So many requests a run asks in halves. */
const MOST_REQUESTS = 60;
const ONE_BY_ONE_BELOW = 3;

/** Dimensions whose values a service may reject, one by one. All others are harmless, or rejected for good. */
const REJECTABLE_DIMENSIONS = ['name', 'category', 'members', 'client', 'credential'] as const;

type RejectableValue = { readonly dimension: string; readonly values: readonly string[] };

const namesOf = (named: ValueName): readonly string[] => (isPack(named) ? named : [String(named)]);

const valueIn = (vector: Vector, dimension: string): ValueName | undefined =>
  Object.entries(vector).find(([one]) => one === dimension)?.[1];
const keyOf = ({ op }: Vector, dimension: string, value: string): string => `${op} ${dimension}=${value}`;

/** The values that a rejection may be about; a number is none, such as a plain name that two rows share: those of packs, an unusual name with an unusual category, and those that were in a pack before. */
function rejectableValuesOf(vector: Vector, wasPacked: (key: string) => boolean = () => false): readonly RejectableValue[] {
  const named = REJECTABLE_DIMENSIONS.flatMap((dimension) => {
    const value = valueIn(vector, dimension);
    return value === undefined || typeof value === 'number' ? [] : [{ dimension, value }];
  });
  const areBeside = named.filter(({ dimension, value }) => isPack(value) || dimension === 'name' || dimension === 'category').length > 1;
  return named.flatMap(({ dimension, value }): RejectableValue[] => {
    const isBeside = areBeside && (dimension === 'name' || dimension === 'category');
    const isOwn = isPack(value) || isBeside || wasPacked(keyOf(vector, dimension, String(value)));
    return isOwn ? [{ dimension, values: namesOf(value) }] : [];
  });
}

function withOnly(vector: Vector, own: readonly RejectableValue[], kept: readonly RejectableValue[]): Vector {
  const left = Object.entries(vector).filter(([dimension]) => !own.some((one) => one.dimension === dimension));
  const some = kept.map(({ dimension, values }) => [dimension, values.length === 1 ? values[0] : values]);
  return Object.fromEntries([...left, ...some]) as Vector;
}

/** Two rows that have the values of one between them: its dimensions apart, or one of them in halves. Undefined for a row with one value. */
export function halvesOf(vector: Vector): readonly [Vector, Vector] | undefined {
  const own = rejectableValuesOf(vector);
  const [first, ...others] = own;
  if (first === undefined) return undefined;
  if (others.length > 0) return [withOnly(vector, own, [first]), withOnly(vector, own, others)];
  const { dimension, values } = first;
  if (values.length < 2) return undefined;
  const middle = values.length >> 1;
  const half = (some: readonly string[]): Vector => withOnly(vector, own, [{ dimension, values: some }]);
  return [half(values.slice(0, middle)), half(values.slice(middle))];
}

type Answer = 'answered' | 'rejected';

/** What a response says about the values of a row: without the key, only 401 answers. Undefined where it says nothing about the request. */
function answerOf({ credential = 'valid' }: Vector, status: number | undefined): Answer | undefined {
  if (status === undefined || status >= 500 || status === 408 || status === 429) return undefined;
  if (credential !== 'valid') return status === UNAUTHORIZED ? 'answered' : 'rejected';
  if (status === UNAUTHORIZED) return undefined;
  return status < LEAST_ERROR ? 'answered' : 'rejected';
}

/** Knows of each value that travels with others whether it was answered, in whatever company, or alone. */
export function createSplitter(most = MOST_REQUESTS) {
  const answered = new Set<string>();
  const open = new Map<string, Vector>();
  let left = most;

  function partsOf(rest: Vector, asked: readonly RejectableValue[]): readonly Vector[] {
    const [only, ...others] = asked;
    const isFew = only !== undefined && others.length === 0 && only.values.length <= ONE_BY_ONE_BELOW;
    if (isFew) return only.values.map((value) => withOnly(rest, asked, [{ dimension: only.dimension, values: [value] }]));
    return halvesOf(rest) ?? [];
  }

  return {
    /** What is to be sent next, after a row with that response. */
    after(vector: Vector, status: number | undefined): readonly Vector[] {
      const answer = answerOf(vector, status);
      if (answer === undefined) return [];
      const own = rejectableValuesOf(vector, (key) => open.has(key));
      const isAlone = own.length === 1 && own[0]?.values.length === 1;
      for (const { dimension, values } of own) {
        for (const value of values) {
          const key = keyOf(vector, dimension, value);
          if (answer === 'answered' || isAlone) answered.add(key);
          else if (!answered.has(key)) open.set(key, withOnly(vector, own, [{ dimension, values: [value] }]));
          if (answered.has(key)) open.delete(key);
        }
      }
      if (answer === 'answered' || isAlone) return [];
      const asked = own.flatMap(({ dimension, values }): RejectableValue[] => {
        const some = values.filter((value) => open.has(keyOf(vector, dimension, value)));
        return some.length === 0 ? [] : [{ dimension, values: some }];
      });
      // Where some were answered elsewhere, what is left is asked as it is.
      const isLess = asked.length < own.length || asked.some(({ values }, index) => values.length < (own[index]?.values.length ?? 0));
      const rest = withOnly(vector, own, asked);
      const next = asked.length === 0 ? [] : isLess ? [rest] : partsOf(rest, asked);
      const sent = next.slice(0, left);
      left -= sent.length;
      return sent;
    },
    /** For each value that no request has answered, the row that would. */
    unanswered: (): readonly Vector[] => [...open.values()],
  };
}
