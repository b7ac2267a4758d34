import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { CANARY_KEY, sampleRecord } from '../../../test/report/sample-record.ts';
import type { RunRecord, RunTimeline } from '../../clause/run-record.ts';
import { brokenClauses } from '../broken-clauses.ts';
import { runView } from './run-picture.ts';

const picture = (record: RunRecord): string => runView(record, brokenClauses(record)).toString();

function timelineWith(changes: Partial<RunTimeline>): RunRecord {
  const record = sampleRecord();
  if (record.timeline === undefined) throw new Error('the sample has a timeline');
  return { ...record, timeline: { ...record.timeline, ...changes } };
}

type Node = { readonly name: string; readonly attributes: Readonly<Record<string, string>>; readonly text: string };

/** The elements of a piece of XML, in its order. */
function nodesIn(xml: string): readonly Node[] {
  expect(XMLValidator.validate(`<root>${xml}</root>`)).toBe(true);
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', preserveOrder: true, parseAttributeValue: false });
  const textOf = (children: readonly Record<string, unknown>[]): string =>
    children.map((one) => ('#text' in one ? String(one['#text']) : '')).join('');
  const walk = (children: readonly Record<string, unknown>[]): readonly Node[] =>
    children.flatMap((one) => {
      const name = Object.keys(one).find((key) => key !== ':@' && key !== '#text');
      if (name === undefined) return [];
      const inside = one[name] as readonly Record<string, unknown>[];
      return [{ name, attributes: (one[':@'] ?? {}) as Record<string, string>, text: textOf(inside) }, ...walk(inside)];
    });
  return walk(parser.parse(`<root>${xml}</root>`));
}

const barsIn = (html: string, look: string): number =>
  nodesIn(html)
    .filter(({ name, attributes }) => name === 'path' && attributes['class'] === look && attributes['d'] !== 'M2 7h20')
    .flatMap(({ attributes }) => attributes['d']?.match(/M/g) ?? []).length;

describe('runView', () => {
  test('draws each request once, and those that break a requirement in a form of their own', () => {
    const html = picture(sampleRecord());
    const looks = ['listPets', 'createPet', 'getPet'].flatMap((name) => ['taken', 'rejected', 'failed'].map((how) => `${name} ${how}`));
    expect(looks.map((look) => barsIn(html, look)).reduce((sum, bars) => sum + bars, 0)).toBe(56);
    expect(barsIn(html, 'wrong')).toBe(4);
  });

  test('leads from when a clause was broken to its block', () => {
    const links = nodesIn(picture(sampleRecord())).filter(({ name }) => name === 'a');
    expect(links.map(({ attributes }) => attributes['href'])).toEqual(['#clause-list.limit-maximum', '#clause-errors.answers']);
    expect(picture(sampleRecord())).toContain('601 requests, from 1.0 s to 2.4 s');
    expect(barsIn(picture(sampleRecord()), 'tick')).toBe(4);
  });

  test('says in words what it shows', () => {
    const words = nodesIn(picture(sampleRecord())).find(({ attributes }) => attributes['id'] === 'run-words')?.text;
    expect(words).toBe(
      '843 requests in 4.8 s, 60 of which are drawn, at most 3 in flight at once. More than 4 of them break a requirement: the first was sent at 1.0 s, the last at 4.6 s.',
    );
  });

  test('names the phases that have room, and lists all', () => {
    const nodes = nodesIn(picture(sampleRecord()));
    expect(nodes.filter(({ name }) => name === 'tspan').map(({ text }) => text.trim())).toEqual(['a small store']);
    expect(nodes.filter(({ name, attributes }) => name === 'rect' && attributes['class']?.startsWith('band'))).toHaveLength(3);
    expect(picture(sampleRecord())).toContain('<li>the end <span class="aside">from 4.6 s</span></li>');
  });

  test('marks nothing that is not broken in the record, such as what is waived', () => {
    const html = picture(timelineWith({ broken: [{ clause: 'list.success', places: [1, 2] }] }));
    expect(barsIn(html, 'wrong')).toBe(0);
    expect(html).not.toContain('break');
  });

  test('draws what can be drawn of a timeline that contradicts itself', () => {
    const html = picture(timelineWith({ durations: [], lanes: [], classes: [9], broken: [{ clause: 'errors.answers', places: [5_000] }] }));
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('is not there without a timeline', () => {
    const { timeline: _none, ...record } = sampleRecord();
    expect(picture(record)).toBe('');
  });

  test('stays small for the most requests that a record has, and has no key', () => {
    const places = Array.from({ length: 3_000 }, (_unused, place) => place);
    const html = picture(
      timelineWith({ starts: places.map((place) => place * 7), durations: places, lanes: places.map((place) => place % 16) }),
    );
    expect(html.length).toBeLessThan(60_000);
    expect(html).not.toContain(CANARY_KEY);
  });
});
