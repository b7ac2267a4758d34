import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { COMMENT_LIMIT, renderMarkdown } from '../../src/report/render-markdown.ts';
import { CANARY_KEY, HOSTILE_TEXT, hostileRecord, sampleRecord } from './sample-record.ts';

/** HTML as GitHub generates it, with raw HTML allowed. */
function toHtml(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** The elements of an HTML text that are not ours: anything but structure, and any attribute. */
function strayTags(html: string): readonly string[] {
  const ours = /^<\/?(h2|h3|p|ul|ol|li|strong|code|pre|table|thead|tbody|tr|th|td|details|summary)>$/;
  const known = /^<(code class="language-(http|sh)"|!-- --|t[hd] align="left")>$/;
  return (html.match(/<[^>]*>/g) ?? []).filter((tag) => !ours.test(tag) && !known.test(tag));
}

describe('renderMarkdown', () => {
  test('states the verdict first, then the failures, then the chapters', () => {
    const text = renderMarkdown(sampleRecord());
    const places = [
      '## ❌ Not conformant: 4 requirements broken, 1 warning\n',
      '### ❌ `record.pet`',
      '### ❌ `list.limit-maximum`',
      '### ⚠️ `auth.challenge`',
      '| requirements |',
    ];
    expect(places.map((place) => text.indexOf(place)).toSorted((a, b) => a - b)).toEqual(places.map((place) => text.indexOf(place)));
    expect(text.indexOf(places[0] ?? '')).toBe(0);
  });

  test.each([
    ['a rich run', sampleRecord()],
    ['a hostile service', hostileRecord()],
    ['5 MB of backticks', hostileRecord('`'.repeat(5_000_000))],
    ['5 MB of pipes and line breaks', hostileRecord('|\n# x\n- ['.repeat(600_000))],
  ])('has only its own elements, links, and headings on GitHub, within the size of a comment: %s', (_name, record) => {
    const text = renderMarkdown(record);
    const html = toHtml(text);
    expect(strayTags(html)).toEqual([]);
    expect(html.match(/<h[1-6]>/g)).toHaveLength(html.match(/<h2>[❌✅]|<h3>(❌|⚠️) <code>/g)?.length ?? 0);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMMENT_LIMIT);
  });

  test.each([
    '@everyone',
    'see #12',
    'https://evil.example/x',
    'www.evil.example',
    '[a](b)',
    '![a](b)',
    '$x$',
    '*a* _b_ ~~c~~',
    '- a',
    '1. a',
    '# a',
    '> a',
    '|a|',
    '&lt;',
  ])('shows the text %s as it is, without a link', (text) => {
    const html = toHtml(renderMarkdown(sampleRecord({ notices: [text] })));
    const shown = html.slice(html.lastIndexOf('<li>') + 4, html.lastIndexOf('</li>'));
    expect(shown.replaceAll('<!-- -->', '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(text);
  });

  test.each([2_000, 8_000, 30_000])('keeps within %i bytes, and still names every failure in short', (limit) => {
    const text = renderMarkdown(sampleRecord(), { limit });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(text.match(/^### /gm)).toHaveLength(5);
  });

  test('has one heading per clause, with the verdict on each of its situations, and stays within the limit', () => {
    const text = renderMarkdown(sampleRecord());
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(text.match(/^### .*/gm)).toHaveLength(5);
    expect(text).toContain(
      '<details><summary>situations</summary>\n\n- ❌ A list never has more animals than its limit (sample)\n- ✅ the rest\n',
    );
  });

  test('counts what is left out of a clause with many cases, and collapses cases and exchange', () => {
    const text = renderMarkdown(sampleRecord());
    expect(text).toContain('**3 of 412 responses: the request without a key returned 400, not 401**');
    expect(text).toContain('<details><summary>cases</summary>\n\n- `GET /pets?limit=5` → 200 `item 5: {');
    expect(text).toContain('<details><summary>an exchange, and how to send it again</summary>');
  });

  test('names likely causes before the clauses that they explain', () => {
    const cause = {
      id: 'doubles',
      title: 'integers pass through a double',
      explains: ['create.round-trip'],
      waiting: 3,
      evidence: [],
    } as const;
    const text = renderMarkdown(sampleRecord(), { diagnosis: { causes: [{ ...cause, advice: 'Parse integers without loss.' }] } });
    expect(text).toContain('1. **integers pass through a double** (`create.round-trip`, 3 situations wait): Parse integers without loss.');
    expect(text.indexOf('likely cause')).toBeLessThan(text.indexOf('### '));
  });

  test('does not show the key, and is the same bytes each time', () => {
    expect(renderMarkdown(sampleRecord())).not.toContain(CANARY_KEY);
    expect(renderMarkdown(hostileRecord(HOSTILE_TEXT))).toBe(renderMarkdown(hostileRecord(HOSTILE_TEXT)));
  });
});
