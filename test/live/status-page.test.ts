import { createServer } from 'node:http';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { expect, onTestFinished, test } from 'vitest';
import { CONTENT_SECURITY_POLICY, statusPage } from '../../src/probe/http/status-page.ts';
import { hostileView, ofMany } from '../probe/hostile-view.ts';
import { listening } from '../probe/running-monitor.ts';
import { CHROMIUM, launchBrowser } from '../support/browser.ts';
import { needs } from '../support/tool.ts';

const PAGES = [
  { what: 'two targets', of: hostileView, options: { public: false }, title: '1 of 2 targets down' },
  { what: 'one target with incidents', of: hostileView, options: { public: false, target: 'production' }, title: 'production: Down' },
  { what: 'a thousand targets', of: () => ofMany(1_000), options: { public: false }, title: '333 of 1000 targets down' },
  { what: 'a list of many', of: () => ofMany(250), options: { public: false }, title: '83 of 250 targets down' },
  { what: 'one target of them', of: () => ofMany(250), options: { public: false, target: 'target-2' }, title: 'target-2: Down' },
] as const;

test.for(PAGES)(
  'In a browser nothing runs on the page of $what, the policy is in force, and axe finds nothing.',
  async ({ of, options, title }, context) => {
    needs(context, CHROMIUM);
    const port = await listening(
      createServer((_request, response) => {
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONTENT_SECURITY_POLICY })
          .end(statusPage(of(), options));
      }),
    );
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 390, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`http://127.0.0.1:${port}/`);
    expect(await page.title()).toBe(title);
    expect(complaints).toEqual([]);
    expect(await page.locator('script, img').count()).toBe(0);
    // The allowed style is applied: a page without it has a white body.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius")).not.toBe('0px');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    for (const details of await page.locator('details').all()) await details.click();
    // A folder for pictures of the pages, for those who want to look at them.
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, `status-${title.replaceAll(/\W+/g, '-')}.png`), fullPage: true });
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  },
);
