// The report of runs of rows, as a person sees it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { chromium } from 'playwright-core';
import type { RunRecord } from '../src/clause/run-record.ts';
import { diagnose } from '../src/diagnosis/diagnose.ts';
import { renderHtml } from '../src/report/render-html.ts';
import { renderJson } from '../src/report/render-json.ts';
import { leave, readCommandLine } from '../test/support/command-line.ts';
import { type BrowserProgram, setup } from '../test/support/unpack-browser.ts';
import { faultySetting, judgeSetting } from './judge-server.ts';

/** A timeline, a limit, and requests at the same time. */
const FAULTS = ['list-misses-newest', 'limit-plus-one', 'concurrent-names-mixed'];
const WINDOWS = [
  [1280, 800],
  [390, 844],
] as const;

const { words } = readCommandLine({
  usage: `Usage: node proof/pictures.ts FOLDER [NAME...]

Runs rows against the faults with these names (several with + between them are one server's), and writes into the folder the report, and pictures of it at
two widths, in light and dark. What axe finds, and what is wider than the window, is printed. A record that is in the folder is not made anew.`,
  words: 20,
});
const [folder, ...faults] = words;
if (folder === undefined) leave('a folder for the pictures is needed; --help shows the usage');
mkdirSync(folder, { recursive: true });
let program: BrowserProgram | undefined;
await setup({ provide: (_name: string, value: typeof program) => (program = value) } as never);
if (program === undefined) throw new Error('there is no Chromium: apt-get install chromium');
const browser = await chromium.launch({
  executablePath: program.executablePath,
  env: { ...program.env },
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const fault of faults.length > 0 ? faults : FAULTS) {
  const path = join(folder, fault);
  // A record that is there is drawn again.
  const record = existsSync(`${path}.json`)
    ? (JSON.parse(readFileSync(`${path}.json`, 'utf8')) as RunRecord)
    : await judgeSetting(faultySetting(fault.split('+')));
  writeFileSync(`${path}.json`, renderJson(record));
  writeFileSync(`${path}.html`, renderHtml(record, { diagnosis: diagnose(record) }));
  for (const [width, height] of WINDOWS)
    for (const colorScheme of ['light', 'dark'] as const) await photograph(path, { width, height }, colorScheme);
}
await browser.close();

async function photograph(
  path: string,
  viewport: { readonly width: number; readonly height: number },
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme });
  await page.goto(pathToFileURL(`${path}.html`).href);
  const name = `${path}-${viewport.width}-${colorScheme}`;
  await page.screenshot({ path: `${name}.png` });
  for (const item of await page.locator('.item:has(.life) > summary').all()) await item.click();
  for (const [part, place] of [
    ['run', page.locator('#run figure')],
    ['life', page.locator('.life').first()],
  ] as const)
    if (await place.isVisible()) await place.screenshot({ path: `${name}-${part}.png` });
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  for (const { id, nodes } of violations) console.log(`${name}: ${id}: ${nodes[0]?.html}`);
  if (wide > viewport.width) console.log(`${name}: ${wide} wide`);
  await page.close();
}
