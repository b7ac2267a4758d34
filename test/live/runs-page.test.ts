import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { compareRuns, renderRunsHtml } from '../../src/report/runs.ts';
import { hostileRecord, sampleRecord } from '../report/sample-record.ts';
import { CHROMIUM, launchBrowser } from '../support/browser.ts';
import { ownFolder } from '../support/program.ts';
import { needs } from '../support/tool.ts';

let browser: Browser | undefined;
beforeEach(async (context) => {
  needs(context, CHROMIUM);
  browser ??= await launchBrowser();
});
afterAll(() => browser?.close());

/** The sample with one clause repaired, and one that was not judged. */
function otherRecord(): RunRecord {
  const record = sampleRecord();
  const [first] = record.clauses;
  const clauses = record.clauses
    .filter(({ id }) => id !== first?.id)
    .map((clause) => (clause.id === 'record.pet' ? { ...clause, verdict: 'pass' as const, musts: [], findings: [] } : clause));
  return { ...record, clauses };
}

const pageOf = (...records: readonly RunRecord[]): string =>
  renderRunsHtml(compareRuns(records.map((record, index) => ({ name: `run ${index + 1}`, record }))));

async function show(text: string, options: { width: number; colorScheme?: 'light' | 'dark' }) {
  if (browser === undefined) throw new Error('the browser was not launched');
  const file = join(ownFolder(), 'matrix.html');
  writeFileSync(file, text);
  const page = await browser.newPage({ viewport: { width: options.width, height: 900 }, colorScheme: options.colorScheme ?? 'light' });
  const seen: string[] = [];
  page.on('request', (request) => seen.push(request.url()));
  page.on('console', (message) => seen.push(message.text()));
  await page.goto(pathToFileURL(file).href);
  return { page, seen };
}

test.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
] as const)('the page of several runs has no axe violation, loads nothing, and fits %i pixels, %s', async (width, colorScheme) => {
  const { page, seen } = await show(pageOf(sampleRecord(), otherRecord(), hostileRecord()), { width, colorScheme });
  expect(seen).toHaveLength(1);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  // The page's policy allows no script, so the test's scripts run outside of it.
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setBypassCSP', { enabled: true });
  await page.reload();
  await page.addScriptTag({ content: axe.source });
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  await page.close();
});

/** The sample without a broken clause. */
function greenRecord(): RunRecord {
  const record = sampleRecord();
  const clauses = record.clauses.map((clause) =>
    clause.verdict === 'fail' ? { ...clause, verdict: 'pass' as const, musts: [], findings: [] } : clause,
  );
  return { ...record, clauses };
}

test('equal rows that are not broken are hidden until a checkbox shows them, without a script', async () => {
  const { page } = await show(pageOf(sampleRecord(), otherRecord()), { width: 1280 });
  const rows = page.locator('#requirements tbody tr:has(th[scope="row"]):visible');
  const shown = (await rows.allTextContents()).join('\n');
  expect(shown).toContain('record.pet');
  expect(shown).toContain('list.limit-maximum');
  expect(await rows.count()).toBe(5);
  await page.getByLabel('Only rows that differ').uncheck();
  expect(await rows.count()).toBeGreaterThan(20);
  expect(await page.locator('script').count()).toBe(0);
  await page.close();
});

test('runs without a difference and without a broken clause show all their rows', async () => {
  const { page } = await show(pageOf(greenRecord(), greenRecord()), { width: 1280 });
  expect(await page.locator('#requirements tbody tr:has(th[scope="row"]):visible').count()).toBeGreaterThan(20);
  await page.close();
});

test.each([1400, 390])('no word of an id or a level is broken at %i pixels', async (width) => {
  const { page } = await show(pageOf(sampleRecord(), otherRecord(), sampleRecord(), otherRecord()), { width });
  await page.getByLabel('Only rows that differ').uncheck();
  // A word in two lines has two rectangles.
  const broken = await page.evaluate(`[...document.querySelectorAll('.runs th[scope=row]')].flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const words = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      for (const match of node.data.matchAll(/[^\\s.-]+/g)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) words.push(match[0]);
      }
    return words;
  })`);
  expect(broken).toEqual([]);
  await page.close();
});
