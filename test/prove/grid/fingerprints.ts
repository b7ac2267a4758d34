import { hash } from 'node:crypto';
import type { Reply } from '../../../src/reference/core/parts.ts';
import { KINDS, type Kind } from './asked.ts';
import { CONDITIONS } from './conditions.ts';
import { EFFECTS } from './effects.ts';
import { walk } from './walk.ts';

/** What a condition, an effect, or the walk does, in one line: a change of it changes the digest. */
export type Fingerprint = {
  readonly what: 'walk' | 'condition' | 'effect';
  readonly kind?: Kind;
  readonly name: string;
  /** Requests that a condition holds for, an effect changes something for, or the walk has. */
  readonly times: number;
  readonly digest: string;
};

/** With few animals, a store grows through all sizes; with more, pages are long from the start. */
const FEW = 8;
const MORE = 30;
/** This part of the walk shows everything that an effect does. */
const PART_OF_WALK = 500;

const digestOf = (lines: readonly string[]): string => hash('sha1', lines.join('\n')).slice(0, 12);
const lineOf = ({ status, headers, body }: Reply): string => `${status} ${JSON.stringify(headers)} ${String(body)}`;

/** What the conforming server returns to the walk. */
export async function walkFingerprint(): Promise<Fingerprint> {
  const lines: string[] = [];
  await walk(undefined, { seedAnimals: FEW, onReply: (reply) => lines.push(lineOf(reply)) });
  return { what: 'walk', name: `${FEW} animals`, times: lines.length, digest: digestOf(lines) };
}

/** The requests of the walk for which each condition holds. */
export async function conditionFingerprints(): Promise<readonly Fingerprint[]> {
  const met = new Map<string, string[]>();
  await walk(undefined, {
    seedAnimals: FEW,
    watch: (asked) => {
      for (const [name, holds] of Object.entries(CONDITIONS[asked.kind])) {
        const key = `${asked.kind} ${name}`;
        if (holds(asked)) met.set(key, [...(met.get(key) ?? []), String(asked.number)]);
      }
    },
  });
  return KINDS.flatMap((kind) =>
    Object.keys(CONDITIONS[kind]).map((name) => {
      const numbers = met.get(`${kind} ${name}`) ?? [];
      return { what: 'condition' as const, kind, name, times: numbers.length, digest: digestOf(numbers) };
    }),
  );
}

/** How an effect changes the first part of the walk if it applies to each request of its kind. */
export async function effectFingerprints(kind: Kind): Promise<readonly Fingerprint[]> {
  const prints: Fingerprint[] = [];
  for (const [name, effect] of Object.entries(EFFECTS[kind])) {
    const lines: string[] = [];
    const options = { seedAnimals: MORE, length: PART_OF_WALK, onReply: (reply: Reply) => lines.push(lineOf(reply)) };
    const times = await walk({ kind, condition: () => true, effect }, options);
    prints.push({ what: 'effect', kind, name, times, digest: digestOf(lines) });
  }
  return prints;
}
