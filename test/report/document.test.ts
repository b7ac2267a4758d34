import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { cellsOf, INTERFACE_DOCUMENT, SENTENCES } from '../../src/clause/interface-document.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { judgeSentences } from '../../src/report/document-verdicts.ts';
import { renderDocumentHtml } from '../../src/report/render-document-html.ts';
import { renderDocumentMarkdown } from '../../src/report/render-document-markdown.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { CANARY_KEY, hostileRecord, sampleRecord } from './sample-record.ts';

/** What a reader sees of a piece of HTML. */
function shown(html: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return html
    .replaceAll(/<!--.*?-->|<[^>]*>/g, '')
    .replaceAll(/&(?:#(\d+)|(\w+));/g, (_all, code: string | undefined, name = '') =>
      code === undefined ? (entities[name] ?? '?') : String.fromCodePoint(Number(code)),
    )
    .trim();
}

const every = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** HTML as GitHub generates it, with raw HTML allowed. */
const toHtml = (markdown: string): string =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

const plain = (text: string): string => text.replaceAll('`', '');
const isRow = (text: string): boolean => text.startsWith('| ');
const PROSE = SENTENCES.filter(({ text }) => !isRow(text)).map(({ text }) => plain(text));
const ROWS = SENTENCES.filter(({ text }) => isRow(text)).map(({ text }) => cellsOf(plain(text)));
const HEADINGS = INTERFACE_DOCUMENT.flatMap((block) => (block.kind === 'heading' ? [block.text] : []));

const RECORDS: readonly (readonly [name: string, record: RunRecord])[] = [
  ['a rich run', sampleRecord()],
  ['a run that judged nothing', sampleRecord({ clauses: [], operations: [] })],
  ['a hostile service', hostileRecord()],
];

describe.each(RECORDS)('document.html of %s', (_name, record) => {
  const page = renderDocumentHtml(record, ['report.html']);

  test('has the headings, sentences, and rows of the document, in its order', () => {
    expect(every(page, /<h[123](?: id="section[^"]*")?>(.*?)<\/h[123]>/g).map(shown)).toEqual(HEADINGS);
    expect(every(page, /<p class="said">(.*?)<\/p>/g).map(shown)).toEqual(PROSE);
    const rows = every(page, /<tr class="sentence [^>]*>(.*?)<td class="judged">/g);
    expect(rows.map((row) => every(row, /<td[^>]*>(.*?)<\/td>/g).map(shown))).toEqual(ROWS);
  });

  test('has at each anchor the verdict on its sentence', () => {
    const judged = [...judgeSentences(record).values()];
    expect([...page.matchAll(/class="sentence ([\w-]+)" id="([\w-]+)"/g)].map(([, verdict, id]) => [id, verdict])).toEqual(
      judged.map(({ sentence, verdict }) => [sentence.id, verdict]),
    );
    expect(every(page, /<td class="judged">|<div class="judged">/g)).toHaveLength(judged.length);
  });

  test('links to anchors in itself, and to clauses that report.html has', () => {
    const ids = new Set(every(page, / id="([^"]+)"/g));
    const links = every(page, / href="([^"]+)"/g);
    expect(links.filter((link) => link.startsWith('#') && !ids.has(link.slice(1)))).toEqual([]);
    const report = new Set(every(renderHtml(record), / id="([^"]+)"/g));
    const others = links.filter((link) => !link.startsWith('#') && link !== 'report.html');
    expect(others.filter((link) => !report.has(link.replace(/^report\.html#/, '')))).toEqual([]);
    expect(others.length > 10).toBe(record.clauses.length > 0);
  });

  test('links to nothing else without any other file', () => {
    expect(every(renderDocumentHtml(record), / href="([^#"][^"]*)"/g)).toEqual([]);
  });
});

describe.each(RECORDS)('document.md of %s', (_name, record) => {
  const html = toHtml(renderDocumentMarkdown(record, ['report.html']));

  test('has the headings, sentences, and rows of the document, in its order', () => {
    expect(every(html, /<h[123]>(.*?)<\/h[123]>/g).map(shown)).toEqual(HEADINGS);
    expect(every(html, /<blockquote>\n<p>(.*?)<\/p>\n<\/blockquote>/g).map(shown)).toEqual(PROSE);
    const rows = every(html, /<tr>\n(<td[\s\S]*?)<\/tr>/g).map((row) => every(row, /<td[^>]*>(.*?)<\/td>/g).map(shown));
    expect(rows.map((cells) => cells.slice(0, -1))).toEqual(ROWS);
  });

  test('has a verdict in words for each sentence', () => {
    const words = every(
      html,
      /(?:<p>|<td align="left">)(?:\S+ <strong>(?:passed|failed|warning|waived|observed|not applicable|undecided)<\/strong>|nothing to judge: )/g,
    );
    expect(words).toHaveLength(SENTENCES.length);
  });

  test('has only its own elements, and links to nothing but report.html', () => {
    const ours =
      /^<\/?(?:h1|h2|h3|p|ul|li|strong|code|table|thead|tbody|tr|th|td|blockquote)>$|^<(?:!-- --|t[hd] align="left"|\/?a(?: href="report\.html#clause-[\w.-]+")?)>$/;
    expect((html.match(/<[^>]*>/g) ?? []).filter((tag) => !ours.test(tag))).toEqual([]);
  });
});

describe('both pages', () => {
  test('say the finding of what is broken', () => {
    const record = sampleRecord();
    const [found] = judgeSentences(record).get('list-limit')?.telling ?? [];
    expect(found).toMatchObject({
      id: 'list.limit-maximum',
      status: 'failed',
      note: expect.stringContaining('a limit of 5 returned 6 animals'),
    });
    for (const text of [renderDocumentHtml(record), toHtml(renderDocumentMarkdown(record))]) expect(shown(text)).toContain(found?.note);
  });

  test('name a broken clause of the user, which no sentence has', () => {
    const record = sampleRecord();
    const id = 'acme:list.newest-first' as const;
    const run = {
      ...record,
      clauses: record.clauses.filter((clause) => clause.id === 'record.pet').map((clause) => ({ ...clause, id })),
    };
    expect(shown(renderDocumentHtml(run))).toContain('Not in the document: acme:list.newest-first failed: ');
    expect(renderDocumentMarkdown(run)).toContain('- not in the document: `acme:list.newest-first` failed: ');
  });

  test('have no key, are the same bytes each time, and stay small whatever a service returns', () => {
    for (const render of [renderDocumentHtml, renderDocumentMarkdown]) {
      expect(render(sampleRecord())).not.toContain(CANARY_KEY);
      expect(render(sampleRecord())).toBe(render(sampleRecord()));
      expect(render(hostileRecord('&'.repeat(5_000_000))).length).toBeLessThan(500_000);
    }
  });
});
