import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { brokenClauses } from '../../src/report/broken-clauses.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { hostileRecord, sampleRecord } from '../report/sample-record.ts';
import { CHROMIUM, launchBrowser } from '../support/browser.ts';
import { needs } from '../support/tool.ts';

const WIDTHS = [320, 390, 768, 1280] as const;

/** Runs in the page: the number of parts that could act, or lead out of it. */
const STRAY_PARTS = `({
  scripts: document.querySelectorAll('script').length,
  active: document.querySelectorAll('img, iframe, object, embed, form, base, link, foreignObject, textarea').length,
  handlers: [...document.querySelectorAll('*')].filter((one) => [...one.attributes].some(({ name }) => name.startsWith('on') || name === 'style')).length,
  addresses: [...document.querySelectorAll('a')].filter((one) => !one.getAttribute('href').startsWith('#')).length,
})`;

/** Runs in the page: links to places that do not exist in it. */
const LOST_LINKS = `[...document.querySelectorAll('a')].map((one) => one.getAttribute('href').slice(1)).filter((id) => !document.getElementById(id))`;

const AXE_RUN = "axe.run({ resultTypes: ['violations'] })";

type Seen = { readonly page: Page; readonly requests: readonly string[]; readonly complaints: readonly string[] };

describe('renderHtml in Chromium', () => {
  let browser: Browser | undefined;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'report-html-'));
  });
  beforeEach(async (context) => {
    needs(context, CHROMIUM);
    browser ??= await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Opens an HTML text as a file, as a person would, and records its requests and the browser's complaints. */
  async function open(html: string, options: { width?: number; scheme?: 'light' | 'dark' } = {}): Promise<Seen> {
    const path = join(directory, `${crypto.randomUUID()}.html`);
    await writeFile(path, html);
    if (browser === undefined) throw new Error('the browser is launched before each test');
    const page = await browser.newPage({ viewport: { width: options.width ?? 1280, height: 900 }, colorScheme: options.scheme ?? 'light' });
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(pathToFileURL(path).href);
    return { page, requests: requests.filter((url) => url !== pathToFileURL(path).href), complaints };
  }

  const RECORDS: readonly (readonly [name: string, record: RunRecord])[] = [
    ['a rich run', sampleRecord()],
    ['a hostile service', hostileRecord()],
    ['5 MB without a space', hostileRecord('W'.repeat(5_000_000))],
    ['5 MB of markup', hostileRecord('<script>alert(1)</script><img src=x onerror=alert(1)>'.repeat(95_000))],
    ['right to left throughout', hostileRecord('\u202Eשלום \u2067مرحبا\u061C '.repeat(50))],
    ['combining marks', hostileRecord(`a${'\u0301'.repeat(2_000)}`)],
  ];

  test.each(RECORDS)(
    'loads nothing, runs only its own script, has only its own elements, and fits every window: %s',
    async (_name, record) => {
      const { page, requests, complaints } = await open(renderHtml(record));
      expect(await page.evaluate(STRAY_PARTS)).toEqual({ scripts: 1, active: 0, handlers: 0, addresses: 0 });
      expect(await page.title()).toMatch(/^Not conformant/);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
      expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
      await page.close();
    },
  );

  test('has a policy that keeps an injected script from running', async () => {
    const breakIn = (html: string): string =>
      html.replace('</main>', '<script>document.title = "run"</script><p onclick="1" style="color:red">x</p></main>');
    const guarded = await open(breakIn(renderHtml(sampleRecord())));
    expect(await guarded.page.title()).toMatch(/^Not conformant/);
    expect(guarded.complaints.length).toBeGreaterThan(0);
    const unguarded = await open(breakIn(renderHtml(sampleRecord()).replace(/<meta http-equiv[^>]*>/, '')));
    expect(await unguarded.page.title()).toBe('run');
    await Promise.all([guarded.page.close(), unguarded.page.close()]);
  });

  test.each([
    { scheme: 'light', width: 1280 },
    { scheme: 'dark', width: 390 },
  ] as const)('is accessible by the judgement of axe: $scheme, $width wide', async ({ scheme, width }) => {
    const { page } = await open(renderHtml(sampleRecord()), { scheme, width });
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate(AXE_RUN)) as AxeResults;
    expect(violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`)).toEqual([]);
    await page.close();
  });

  test('states the verdict in words at the top and shows every clause in the matrix, linked to its details', async () => {
    const record = sampleRecord();
    const { page } = await open(renderHtml(record));
    expect(await page.locator('h1').textContent()).toBe('Not conformant');
    expect(await page.locator('.verdict').textContent()).toContain('https://staging.pets.example/v1');
    expect(await page.locator('.matrix .tile').count()).toBe(record.clauses.length);
    const lost = (await page.evaluate(LOST_LINKS)) as string[];
    expect(lost).toEqual([]);
    await page.close();
  });

  test('marks the broken part of a response and shows the sequence that leads to it', async () => {
    const { page } = await open(renderHtml(sampleRecord()));
    const broken = page.locator('[id="clause-create.round-trip"]');
    expect(await broken.locator('mark').textContent()).toBe('9007199254740992');
    expect(await broken.locator('.sequence li').count()).toBe(3);
    expect(await broken.locator('.command pre').first().textContent()).toBe(
      `curl -sS -i -H "authorization: Bearer $PETSTORE_API_KEY" -H 'accept: application/json' 'https://staging.pets.example/v1/pets/77'`,
    );
    // The read alone shows nothing: the creation comes first.
    expect(await broken.locator('.command pre').last().textContent()).toMatch(/^id=\$\(curl -sS -X POST /);
    await page.close();
  });

  test('draws the run in the width of the window, and the life of an animal in the block of its clause', async () => {
    const { page } = await open(renderHtml(sampleRecord()), { width: 390 });
    const widthOf = async (place: string): Promise<number> => (await page.locator(place).first().boundingBox())?.width ?? 0;
    expect(await widthOf('#run svg[role="img"]')).toBeGreaterThan(300);
    await page.click('[id="clause-create.round-trip"] > summary');
    const life = page.locator('[id="clause-create.round-trip"] .life svg[role="img"]');
    const within = await life.boundingBox();
    for (const mark of await life.locator('svg > :last-child').all()) {
      const { x = 0, width = 0 } = (await mark.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(within?.x ?? 0);
      expect(x + width).toBeLessThanOrEqual((within?.x ?? 0) + (within?.width ?? 0));
    }
    await page.close();
  });

  test('follows the color scheme of the reader, and prints dark ink on white with nothing collapsed', async () => {
    const { page } = await open(renderHtml(sampleRecord()), { scheme: 'dark' });
    const paper = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await paper()).toBe('rgb(20, 23, 27)');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await paper()).toBe('rgb(251, 251, 249)');
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    expect(await paper()).toBe('rgb(255, 255, 255)');
    expect((await page.locator('.animals li').first().boundingBox())?.height).toBeGreaterThan(5);
    await page.close();
  });
});

/** Runs in the page: the clauses that can be seen. */
const SHOWN = `[...document.querySelectorAll('.item')].filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).map((one) => one.id.replace('clause-', ''))`;

describe('the report page in Chromium', () => {
  let browser: Browser | undefined;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'report-filter-'));
  });
  beforeEach(async (context) => {
    needs(context, CHROMIUM);
    browser ??= await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function open(
    options: { readonly script?: boolean; readonly hash?: string; readonly record?: ReturnType<typeof sampleRecord> } = {},
  ): Promise<Page> {
    const path = join(directory, `${crypto.randomUUID()}.html`);
    await writeFile(path, renderHtml(options.record ?? sampleRecord()));
    if (browser === undefined) throw new Error('the browser is launched before each test');
    const page = await browser.newPage({ javaScriptEnabled: options.script ?? true, viewport: { width: 1400, height: 900 } });
    await page.goto(`${pathToFileURL(path).href}${options.hash ?? ''}`);
    return page;
  }

  const broken = brokenClauses(sampleRecord()).map(({ clause }) => clause.id);

  test('shows what is broken, in the order of repair, and collapses everything else', async () => {
    const page = await open();
    expect(await page.evaluate(SHOWN)).toEqual(broken);
    expect(await page.locator('.item[open], .case[open]').count()).toBe(0);
    await page.close();
  });

  test('filters by status and chapter, and opens the chapters that match', async () => {
    const page = await open();
    await page.selectOption('#status', 'inconclusive');
    expect(await page.evaluate(SHOWN)).toEqual(['auth.header-only', 'list.filter-complete']);
    expect(await page.locator('.chapter:visible').count()).toBe(2);
    await page.selectOption('#chapter', 'list-pets');
    expect(await page.evaluate(SHOWN)).toEqual(['list.filter-complete']);
    expect(await page.locator('#matches').textContent()).toBe('1 of 28 requirements');
    await page.selectOption('#status', 'waived');
    expect(await page.evaluate(SHOWN)).toEqual([]);
    expect(await page.locator('#nothing').isVisible()).toBe(true);
    await page.close();
  });

  test('filters without its script', async () => {
    const page = await open({ script: false });
    expect(await page.locator('#search').isVisible()).toBe(false);
    await page.selectOption('#status', 'warning');
    expect(await page.locator('[id="clause-auth.challenge"]').isVisible()).toBe(true);
    expect(await page.locator('[id="clause-record.pet"]').isVisible()).toBe(false);
    await page.selectOption('#status', 'observed');
    expect(await page.locator('[id="clause-list.order"]').isVisible()).toBe(true);
    await page.close();
  });

  test('searches ids, texts and bodies, every word of the search', async () => {
    const page = await open();
    await page.fill('#search', 'round-trip 42424242');
    expect(await page.evaluate(SHOWN)).toEqual([]);
    await page.fill('#search', 'round-trip 9007199254740993');
    expect(await page.evaluate(SHOWN)).toEqual(['create.round-trip']);
    await page.fill('#search', 'limit');
    const found = (await page.evaluate(SHOWN)) as string[];
    expect(found).toEqual(expect.arrayContaining(['list.limit-maximum', 'list.limit-default']));
    await page.fill('#search', '');
    expect(await page.evaluate(SHOWN)).toEqual(broken);
    await page.close();
  });

  test('opens what a link leads to', async () => {
    const page = await open({ hash: '#clause-list.limit-default' });
    expect(await page.locator('[id="clause-list.limit-default"] .inside').isVisible()).toBe(true);
    for (const link of await page.locator(':is(.verdict, .tracks) a').all()) {
      const id = (await link.getAttribute('href'))?.slice(1);
      await link.click();
      expect(await page.locator(`[id="${id}"] .inside`).isVisible()).toBe(true);
    }
    await page.close();
  });

  test('prints what is broken with one exchange each, and no controls', async () => {
    const page = await open();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.toolbar, main > nav, .skip, .top').filter({ visible: true }).count()).toBe(0);
    const cases = page.locator('[id="clause-list.limit-maximum"] .case');
    expect(await cases.first().locator('.exchange').isVisible()).toBe(true);
    expect(await cases.last().locator('.exchange').isVisible()).toBe(false);
    await page.close();
  });

  test('begins with a link that skips to what is broken, and ends with one back to the top', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#requirements');
    expect(await page.locator('.top a').getAttribute('href')).toBe('#top');
    await page.close();
  });

  test('stays short where much is broken', async () => {
    const record = sampleRecord();
    const broken = record.clauses.find(({ id }) => id === 'list.limit-maximum');
    if (broken === undefined) throw new Error('the sample has no such clause');
    const page = await open({ record: { ...record, clauses: record.clauses.map(({ id, chapter }) => ({ ...broken, id, chapter })) } });
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(6_000);
    await page.close();
  });
});
