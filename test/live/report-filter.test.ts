import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brokenClauses } from '../../src/report/broken-clauses.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { sampleRecord } from '../report/sample-record.ts';
import { CHROMIUM, launchBrowser } from '../support/browser.ts';
import { needs } from '../support/tool.ts';

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
    await page.click('.verdict a[href="#clause-record.pet"]');
    expect(await page.locator('[id="clause-record.pet"] .inside').isVisible()).toBe(true);
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
    const [check] = record.checks.filter(({ id }) => id === 'list.limit-maximum/sample');
    if (check === undefined) throw new Error('the sample has no such check');
    const clauses = record.clauses.map((clause) => ({ ...clause, verdict: 'fail' as const, level: 'required' as const }));
    const page = await open({ record: { ...record, clauses, checks: clauses.map(({ id }) => ({ ...check, clause: id })) } });
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(6_000);
    await page.close();
  });

  test('draws no plot of a handful of requests, and none larger than necessary', async () => {
    const record = sampleRecord();
    const [operation] = record.operations;
    if (operation === undefined) throw new Error('the sample has operations');
    const few = await open({ record: { ...record, operations: [{ ...operation, durations: [1, 2, 3] }] } });
    expect(await few.locator('.plot svg').count()).toBe(0);
    const one = await open({ record: { ...record, operations: [operation] } });
    expect((await one.locator('.plot svg').boundingBox())?.width).toBeLessThan(430);
    await Promise.all([few.close(), one.close()]);
  });
});
