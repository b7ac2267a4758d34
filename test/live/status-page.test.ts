import { createServer } from 'node:http';
import axe, { type AxeResults } from 'axe-core';
import { expect, onTestFinished, test } from 'vitest';
import { statusPage } from '../../src/probe/http/status-page.ts';
import { CONTENT_SECURITY_POLICY } from '../../src/probe/http/style.ts';
import { hostileView } from '../probe/hostile-view.ts';
import { listening } from '../probe/running-monitor.ts';
import { CHROMIUM, launchBrowser } from '../support/browser.ts';
import { needs } from '../support/tool.ts';

test('In a browser nothing of a hostile target runs, the policy is in force, and axe finds nothing.', {
  timeout: 120_000,
}, async (context) => {
  needs(context, CHROMIUM);
  const port = await listening(
    createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONTENT_SECURITY_POLICY })
        .end(statusPage(hostileView(), { public: false }));
    }),
  );
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 390, height: 900 } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(`http://127.0.0.1:${port}/`);
  expect(await page.title()).toBe('1 of 2 targets down');
  expect(complaints).toEqual([]);
  expect(await page.locator('script, img').count()).toBe(0);
  // The style is the allowed one: a page without it has a white body.
  expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius")).not.toBe('0px');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});
