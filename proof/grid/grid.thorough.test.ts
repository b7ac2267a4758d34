import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../src/reference/core/parts.ts';
import { KINDS, type Kind } from './asked.ts';
import { CONDITIONS } from './conditions.ts';
import { defectCalled, drawDefects, judgeBroken, judgeDefect } from './defects.ts';
import { EFFECTS } from './effects.ts';
import { readFigures } from './figures.ts';
import { walk } from './walk.ts';

/** What a condition, an effect, or the walk does, in one line: a change of it changes the digest. */
type Fingerprint = {
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
async function walkFingerprint(): Promise<Fingerprint> {
  const lines: string[] = [];
  await walk(undefined, { seedAnimals: FEW, onReply: (reply) => lines.push(lineOf(reply)) });
  return { what: 'walk', name: `${FEW} animals`, times: lines.length, digest: digestOf(lines) };
}

/** The requests of the walk for which each condition holds. */
async function conditionFingerprints(): Promise<readonly Fingerprint[]> {
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
async function effectFingerprints(kind: Kind): Promise<readonly Fingerprint[]> {
  const prints: Fingerprint[] = [];
  for (const [name, effect] of Object.entries(EFFECTS[kind])) {
    const lines: string[] = [];
    const options = { seedAnimals: MORE, length: PART_OF_WALK, onReply: (reply: Reply) => lines.push(lineOf(reply)) };
    const times = await walk({ kind, condition: () => true, effect }, options);
    prints.push({ what: 'effect', kind, name, times, digest: digestOf(lines) });
  }
  return prints;
}

/** What conditions, effects, and the walk did when they were written: new ones may be added, but existing ones don't change. */
const recorded = readFileSync(new URL('./fingerprints.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Fingerprint);

const recordedOf = (what: Fingerprint['what'], kind?: string) => recorded.filter((one) => one.what === what && one.kind === kind);

describe('the grid is what it was when its fingerprints were recorded:', () => {
  test('the walk', async () => {
    expect([await walkFingerprint()]).toEqual(recordedOf('walk'));
  });

  test.each(KINDS)('the conditions of %s, each of which is met', async (kind) => {
    const prints = (await conditionFingerprints()).filter((one) => one.kind === kind);
    expect(prints).toEqual(expect.arrayContaining(recordedOf('condition', kind)));
    expect(prints.filter(({ times }) => times === 0)).toEqual([]);
  });

  test.each(KINDS)('the effects of %s, each of which changes something', async (kind) => {
    const prints = await effectFingerprints(kind);
    expect(prints).toEqual(expect.arrayContaining(recordedOf('effect', kind)));
    expect(prints.filter(({ times }) => times === 0)).toEqual([]);
  });
});

describe('a drawing', () => {
  test('is the same for the same seed, and differs for another', () => {
    const names = (seed: number) => drawDefects(seed).map(({ name }) => name);
    expect(names(7)).toEqual(names(7));
    expect(names(8).slice(0, 20)).not.toEqual(names(7).slice(0, 20));
    expect(names(8).toSorted()).toEqual(names(7).toSorted());
  });

  test('includes all conditions with all effects of their kind', () => {
    const counts = KINDS.map((kind) => Object.keys(CONDITIONS[kind]).length * Object.keys(EFFECTS[kind]).length);
    expect(drawDefects(1).length).toBe(counts.reduce((sum, count) => sum + count, 0));
  });

  test('does not count a defect that changes nothing in the walk', async () => {
    const { kind, condition } = defectCalled('list: is empty (a page with room)');
    expect(await walk({ kind, condition, effect: ({ right }) => right() }, { seedAnimals: 8 })).toBe(0);
    const full = defectCalled('list: is empty (a full page)');
    expect(await walk(full, { seedAnimals: 8 })).toBe(0);
  });
});

describe('the server of the grid', () => {
  test('is conformant without a defect', async () => {
    const { record, applied } = await judgeBroken(undefined);
    expect(record.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id, note }) => `${id}: ${note}`)).toEqual([]);
    expect(applied).toBe(0);
  });

  test.each([
    ['list: ignores the limit (always)', 'list.limit-maximum'],
    ['create: stores nothing (status sold)', 'list.complete'],
    ['get: the animal has another id (always)', 'get.identity'],
    ['reject: is accepted (no name)', 'create.name-required'],
    ['reject: ends in the middle (a 404)', 'errors.answers'],
  ])('is broken by %s', async (name, clause) => {
    const { red, applied } = await judgeDefect(name);
    expect(red).toContain(clause);
    expect(applied).toBeGreaterThan(0);
  });
});

test('Each figure that is kept counts what it says', () => {
  for (const { all, kinds, missed } of readFigures()) {
    expect(all[1] - all[0]).toBe(missed.length);
    const pairs = Object.values(kinds);
    expect([0, 1].map((at) => pairs.reduce((sum, pair) => sum + (pair[at] ?? 0), 0))).toEqual([...all]);
  }
});
