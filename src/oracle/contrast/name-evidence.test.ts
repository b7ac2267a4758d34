import { describe, expect, test } from 'vitest';
import { knowledgeOf, posted, read } from '../../../test/support/exchange-samples.ts';
import type { BlamedCase } from '../blame.ts';
import { eventOf, worldOf } from '../world.ts';
import { FOLLOW_UP } from './follow-up-evidence.ts';
import { contrastOfNames, isRefutedByNames } from './name-evidence.ts';

let created = 0;

/** A name of the run, unique by its last letters. */
const plain = (): string => {
  created += 1;
  const letter = (number: number): string => String.fromCharCode('a'.charCodeAt(0) + (number % 26));
  return `conformanceTestsAa${letter(Math.floor(created / 26))}${letter(created)}`;
};

type Named = { readonly name: string; readonly broken?: boolean; readonly asked?: boolean };

/** The cases of creations with these names, in this order, and their run. */
function historyOf(all: readonly Named[]) {
  const events = all.map(({ name, asked = false }, index) => {
    const sent = { name, categoryId: 1n };
    const exchange = posted(sent, { status: 201, body: { id: BigInt(index), ...sent } }, { domain: 'unusual' });
    return eventOf({ ...exchange, number: index + 1, request: { ...exchange.request, ...(asked ? { asker: FOLLOW_UP.name } : {}) } });
  });
  const cases = events.map((event, index) => {
    const breach = all[index]?.broken === true ? { summary: 'changed', expected: [], received: '' } : undefined;
    return { event, rule: {}, ...(breach && { breach }) } as unknown as BlamedCase;
  });
  return { cases, events };
}

/** What is said about creations with these names, in this order. */
function contrastOf(all: readonly Named[]) {
  const { cases, events } = historyOf(all);
  return contrastOfNames(cases, worldOf(events, knowledgeOf()));
}

/** Whether these creations refute that their names are the reason; those that were asked for are read. */
function isRefuted(all: readonly Named[], isRead = true): boolean {
  const { cases, events } = historyOf(all);
  const reads = events.flatMap(({ pet, asker }) => {
    if (!isRead || pet === undefined || asker !== FOLLOW_UP.name) return [];
    const body = { id: pet.id, name: 'x', categoryId: 1n };
    const exchange = read(pet.id, { status: 200, body });
    return [eventOf({ ...exchange, number: 100 + Number(pet.id), request: { ...exchange.request, asker } })];
  });
  return isRefutedByNames(cases, worldOf([...events, ...reads], knowledgeOf()));
}

const asked = (name: string, broken: boolean): Named => ({ name, broken, asked: true });

describe('parts of a name show which characters matter', () => {
  test('at the end of a name', () => {
    const contrast = contrastOf([
      { name: plain() },
      { name: `_${plain()}\ttab\t`, broken: true },
      asked(`_${plain()}`, false),
      asked(`${plain()}\t`, true),
      asked(`${plain()}\t${plain()}`, false),
    ]);
    expect(contrast).toMatchObject({
      when: 'with a name that ends with a tab',
      there: { broken: 2, of: 2 },
      elsewhere: { broken: 0, of: 3 },
    });
    expect(contrast?.broken.intent.sent?.name).toMatch(/[a-z]\t$/);
    expect(contrast?.twin?.intent.sent?.name).toMatch(/^_/);
  });

  test('anywhere, if they do so between two names', () => {
    const between = plain();
    const all = [{ name: `:${plain()}\u200b b`, broken: true }, asked(`${plain()}\u200b`, true), asked(`${between}\u200b${between}`, true)];
    expect(contrastOf([{ name: plain() }, ...all])?.when).toBe('with U+200B in the name');
  });

  test('at both ends', () => {
    const all = [{ name: `{${plain()} a }`, broken: true }, asked(`{${plain()}}`, true), asked(`{${plain()}`, false)];
    expect(contrastOf(all)?.when).toBe('with a name that begins with `{` and ends with `}`');
  });

  test.each<[string, readonly Named[]]>([
    ['no part is broken', [{ name: `:${plain()}!`, broken: true }, asked(`:${plain()}`, false), asked(`${plain()}!`, false)]],
    [
      'another name of the run with them is right',
      [{ name: `:${plain()}!`, broken: true }, { name: `:${plain()}` }, asked(`:${plain()}`, true)],
    ],
    [
      'another broken name lacks them',
      [{ name: `:${plain()}!`, broken: true }, { name: `?${plain()}`, broken: true }, asked(`:${plain()}`, true)],
    ],
    ['too many characters are left', [{ name: `123456789${plain()}!`, broken: true }, asked(`123456789${plain()}`, true)]],
  ])('nothing is said if %s', (_case, all) => {
    expect(contrastOf(all)).toBeUndefined();
  });
});

describe('a name is not the reason', () => {
  test('if two animals with all of its characters are right', () => {
    const again = [asked(`:${plain()}!`, false), asked(`:${plain()}!`, false)];
    expect(isRefuted([{ name: `:${plain()}!`, broken: true }, ...again])).toBe(true);
  });

  test.each<[string, readonly Named[], boolean]>([
    [
      'one of them is broken',
      [{ name: `:${plain()}!`, broken: true }, ...[true, false, false].map((is) => asked(`:${plain()}!`, is))],
      true,
    ],
    ['there is only one', [{ name: `:${plain()}!`, broken: true }, asked(`:${plain()}!`, false)], true],
    ['only a part of it is right', [{ name: `:${plain()}!`, broken: true }, ...[1, 2].map(() => asked(`:${plain()}`, false))], true],
    ['nobody has read them', [{ name: `:${plain()}!`, broken: true }, ...[1, 2].map(() => asked(`:${plain()}!`, false))], false],
  ])('is not known if %s', (_case, all, isRead) => {
    expect(isRefuted(all, isRead)).toBe(false);
  });
});
