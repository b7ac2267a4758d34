import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { CANARY_KEY, sampleRecord } from '../../../test/report/sample-record.ts';
import type { ReportedLife, ReportedSight } from '../../clause/clause-record.ts';
import { lifeView } from './life-picture.ts';

const LIFE = sampleRecord().clauses.find(({ life }) => life !== undefined)?.life;
if (LIFE === undefined) throw new Error('the sample has a life');

const picture = (life: ReportedLife): string => lifeView(life, 'clause-x').toString();
const svgOf = (html: string): string => /<svg height[\s\S]*?<\/svg>\n<ul/.exec(html)?.[0].replace(/\n<ul$/, '') ?? '';

const sight = (place: ReportedSight['place'], at: number, more: Partial<ReportedSight> = {}): ReportedSight => ({
  ...{ place, exchange: at, asked: 'GET /pets', status: 200, at, shows: 'the animal', ...more },
});

describe('lifeView', () => {
  test('has a row for each place, of which it marks the broken one, and a mark for each sight', () => {
    const svg = svgOf(picture(LIFE));
    expect(XMLValidator.validate(svg)).toBe(true);
    const { svg: root } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(svg);
    expect(root.role).toBe('img');
    expect(root.text.map((one: { readonly '#text'?: string } | string) => (typeof one === 'string' ? one : one['#text']))).toEqual([
      'The response to its creation',
      'Lists with a status',
      'Reads: wrong',
      '2.713 s',
      '2.727 s',
      '2.740 s',
    ]);
    expect(root.svg.map(({ title }: { readonly title: string }) => title)).toEqual([
      'no. 201 at 2.713 s, POST /pets: 201 with the animal',
      'no. 202 at 2.727 s, GET /pets?status=pending&limit=100: without the animal',
      'no. 203 at 2.740 s, GET /pets/77: categoryId 9007199254740992, not 9007199254740993',
    ]);
    expect(svg.match(/class="off"/g)).toHaveLength(1);
  });

  test('says in words what each place showed', () => {
    const html = picture(LIFE);
    expect(html).toContain(
      'Animal 77 was created with name &quot;conformanceabcdef&quot;, categoryId 9007199254740993, status &quot;pending&quot;',
    );
    expect(html).toContain('<li>Lists with a status: the only one did not show it.</li>');
    expect(html).toContain('<li>Reads: all 2 showed another value. Wrong: no. 203 at 2.740 s, GET /pets/77');
  });

  test('says that a member is missing', () => {
    const other = { member: 'status', sent: '"sold"', shown: 'none' };
    const html = picture({
      id: '5',
      sights: [sight('read', 10), sight('read', 20, { shows: 'another value', other, isWrong: true })],
      of: 2,
    });
    expect(html).toContain('GET /pets: no status, not &quot;sold&quot;');
  });

  test('counts what each sight stands for, and names three of the wrong ones', () => {
    const wrong = { shows: 'no animal', isWrong: true } as const;
    const sights = [
      sight('list', 10, { times: 7 }),
      ...[20, 30, 40].map((at) => sight('list', at, wrong)),
      sight('list', 50, { ...wrong, times: 3 }),
    ];
    const html = picture({ id: '5', sights, of: 13 });
    expect(html).toContain('Lists: 7 of 13 showed it, 6 did not show it. Wrong: no. 20 at');
    expect(html).toContain('; and 3 more.');
    expect(html).toContain('Animal 5 was there before the run. 5 of the 13 responses that tell of it are drawn, with each change.');
  });

  test('places sights in their order, far enough from each other, and within the picture', () => {
    const sights = [0, 1, 2, 3, 9_000].map((at) => sight('read', at));
    const shares = [...svgOf(picture({ id: '5', sights, of: 5 })).matchAll(/<svg x="([\d.]+)%"/g)].map(([, share]) => Number(share));
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    for (const [index, share] of shares.slice(1).entries()) expect(share - (shares[index] ?? 0)).toBeGreaterThan(5);
    expect([shares[0], shares.at(-1)]).toEqual([3, 97]);
  });

  test('has no key', () => {
    expect(picture(LIFE)).not.toContain(CANARY_KEY);
  });
});
