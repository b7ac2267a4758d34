import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';
import type { Tool } from './tool.ts';

export const CHROMIUM: Tool = { name: 'chromium', remedy: 'apt-get install chromium', isThere: () => inject('browser') !== undefined };

/** Without fonts text takes no room, and every page would fit every window. */
async function expectFonts(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  await page.setContent('<p>text</p>');
  const height = (await page.locator('p').boundingBox())?.height ?? 0;
  await page.close();
  if (height < 5) throw new Error('Chromium finds no fonts: apt-get install fonts-dejavu-core');
}

/** A headless Chromium that sends no requests by itself. */
export async function launchBrowser(): Promise<Browser> {
  const browser = inject('browser');
  if (browser === undefined) throw new Error('there is no Chromium: a test asks for CHROMIUM before it launches one');
  const launched = await chromium.launch({
    executablePath: browser.executablePath,
    env: { ...browser.env },
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  await expectFonts(launched);
  return launched;
}
