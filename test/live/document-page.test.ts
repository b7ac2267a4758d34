import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { SENTENCES } from '../../src/clause/interface-document.ts';
import { renderDocumentHtml } from '../../src/report/render-document-html.ts';
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

/** Opens an HTML text as a file, as a person would. */
async function open(text: string, { width = 1280, scheme = 'light' as 'light' | 'dark', hash = '' } = {}): Promise<Page> {
  const path = join(ownFolder(), 'document.html');
  writeFileSync(path, text);
  if (browser === undefined) throw new Error('the browser is launched before each test');
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  onTestFinished(() => page.close());
  await page.goto(pathToFileURL(path).href + hash);
  return page;
}

/** Runs in the page: the number of parts that could act. */
const STRAY_PARTS = `({
  active: document.querySelectorAll('script, img, iframe, object, embed, form, base, link, textarea').length,
  handlers: [...document.querySelectorAll('*')].filter((one) => [...one.attributes].some(({ name }) => name.startsWith('on') || name === 'style')).length,
})`;

test.each([
  ['a rich run', sampleRecord()],
  ['a hostile service', hostileRecord()],
  ['5 MB without a space', hostileRecord('W'.repeat(5_000_000))],
] as const)('document.html of %s has nothing active, loads nothing, and fits every window', async (_name, record) => {
  const page = await open(renderDocumentHtml(record, ['report.html']));
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  expect(await page.evaluate(STRAY_PARTS)).toEqual({ active: 0, handlers: 0 });
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  expect(requests).toEqual([]);
});

test.each([
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
] as const)('document.html is accessible by the judgement of axe: $scheme, $width wide', async ({ scheme, width }) => {
  const page = await open(renderDocumentHtml(sampleRecord(), ['report.html']), { scheme, width });
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  expect(violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`)).toEqual([]);
});

/** Runs in the page: where the sentences and their verdicts are. */
const PLACES = `[...document.querySelectorAll('div.sentence')].map((one) => {
  const [said, judged] = [...one.children].map((child) => child.getBoundingClientRect());
  return { isBeside: judged.left >= said.right, isBelow: judged.top >= said.bottom };
})`;
type Place = { readonly isBeside: boolean; readonly isBelow: boolean };

test('document.html has the verdict beside each sentence, on a narrow screen below it, and on paper beside it', async () => {
  const page = await open(renderDocumentHtml(sampleRecord()));
  const places = async (): Promise<readonly Place[]> => (await page.evaluate(PLACES)) as Place[];
  expect((await places()).length).toBe(SENTENCES.filter(({ text }) => !text.startsWith('| ')).length);
  expect((await places()).every(({ isBeside }) => isBeside)).toBe(true);
  await page.setViewportSize({ width: 390, height: 900 });
  expect((await places()).every(({ isBelow }) => isBelow)).toBe(true);
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.emulateMedia({ media: 'print' });
  expect((await places()).every(({ isBeside }) => isBeside)).toBe(true);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.locator('main > nav, .skip, .top').filter({ visible: true }).count()).toBe(0);
});

test('a link of explain opens the page at its sentence', async () => {
  const page = await open(renderDocumentHtml(sampleRecord()), { hash: '#list-limit' });
  const top = (await page.locator('#list-limit').boundingBox())?.y ?? -1;
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(900);
  expect(await page.locator('#list-limit .judged').textContent()).toContain('list.limit-maximum');
});
