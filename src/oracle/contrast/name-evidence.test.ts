import { describe, expect, test } from 'vitest';
import { knowledgeOf, posted } from '../../../test/support/exchange-samples.ts';
import type { BlamedCase } from '../blame.ts';
import { eventOf, worldOf } from '../world.ts';
import { FOLLOW_UP } from './follow-up-evidence.ts';
import { contrastOfNames } from './name-evidence.ts';

let created = 0;

/** A name of the run, unique by its last letters. */
const plain = (): string => {
  created += 1;
  return `conformanceTestsAaa${String.fromCharCode('a'.charCodeAt(0) + created)}`;
};

type Named = { readonly name: string; readonly broken?: boolean; readonly asked?: boolean };

/** What is said about creations with these names, in this order. */
function contrastOf(all: readonly Named[]) {
  const events = all.map(({ name, asked = false }, index) => {
    const sent = { name, categoryId: 1n };
    const exchange = posted(sent, { status: 201, body: { id: BigInt(index), ...sent } }, { domain: 'unusual' });
    return eventOf({ ...exchange, number: index + 1, request: { ...exchange.request, ...(asked ? { asker: FOLLOW_UP.name } : {}) } });
  });
  const cases = events.map((event, index) => {
    const breach = all[index]?.broken === true ? { summary: 'changed', expected: [], received: '' } : undefined;
    return { event, rule: {}, ...(breach && { breach }) } as unknown as BlamedCase;
  });
  return contrastOfNames(cases, worldOf(events, knowledgeOf()));
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
    expect(contrast?.broken.intent.sent?.name).toMatch(/a.\t$/);
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
