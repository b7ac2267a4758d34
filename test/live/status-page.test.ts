import { createServer } from 'node:http';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { CONTENT_SECURITY_POLICY, statusPage } from '../../src/probe/http/status-page.ts';
import { hostileView, ofMany } from '../probe/hostile-view.ts';
import { listening, startMonitor, startTarget, until } from '../probe/running-monitor.ts';
import { KEY, SECRET } from '../probe/samples.ts';
import { CHROMIUM, launchBrowser } from '../support/browser.ts';
import { ownFolder } from '../support/program.ts';
import { needs } from '../support/tool.ts';

const PAGES = [
  { what: 'two targets', of: hostileView, options: { public: false }, title: '1 of 2 targets down' },
  { what: 'one target with its runs', of: hostileView, options: { public: false, target: 'production' }, title: 'production: Down' },
  { what: 'a thousand targets', of: () => ofMany(1_000), options: { public: false }, title: '333 of 1,000 targets down' },
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
    // A folder for pictures of the pages, for those who want to look at them.
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, `status-${title.replaceAll(/\W+/g, '-')}.png`), fullPage: true });
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  },
);

/** What is wrong with a page. */
async function complaintsOf(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`), ...(wide ? ['wider than the window'] : [])];
}

test('The page of a running monitor with a healthy, a failing and an unknown target, in Chromium: wide, narrow, dark, public.', async (context) => {
  needs(context, CHROMIUM);
  const [well, broken] = [await startTarget(), await startTarget()];
  broken.set('nonsense');
  const monitor = await startMonitor(
    `server: { port: 0 }
data: { folder: data }
dnsCanary: canary.invalid
defaults: { interval: 1s, latencyLimit: 10s }
targets:
  - { name: healthy, baseUrl: "${well.baseUrl}", apiKey: env:KEY, interval: 4s }
  - { name: failing, baseUrl: "${broken.baseUrl}", apiKey: env:KEY }
  - { name: unknown, baseUrl: "http://petstore.invalid/v1", apiKey: env:KEY }
`,
    ownFolder(),
  );
  const details = monitor.output;
  const wanted = { healthy: 'up', failing: 'down', unknown: 'unknown' };
  const now = async (): Promise<unknown> => Object.fromEntries((await monitor.status()).targets.map(({ name, health }) => [name, health]));
  await until('each is what it is', async () => JSON.stringify(await now()) === JSON.stringify(wanted), { details });

  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  for (const [width, colorScheme, query] of [
    [1280, 'light', ''],
    [1280, 'dark', '?target=failing'],
    [390, 'dark', ''],
    [390, 'light', '?target=failing'],
    [390, 'light', '?public'],
  ] as const) {
    // axe is injected from outside, which the policy of the page would not allow.
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const response = await page.goto(`${monitor.url}/${query}`);
    expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
    expect(requests).toEqual([`${monitor.url}/${query}`]);
    const ofTarget = query.startsWith('?target');
    const title = ofTarget ? 'failing: Down' : '1 of 3 targets down, 1 not known';
    expect(await page.title()).toBe(title);
    expect(await page.locator('script, img, iframe, link, object').count()).toBe(0);
    // The policy allows the page's own style, and no other.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius")).not.toBe('0px');
    expect(said).toEqual([]);
    const text = await page.locator('body').textContent();
    // Effects of a broken resolver do not count against the target.
    expect(text).not.toContain('errors.answers');
    const words = ofTarget
      ? ['Down since', 'record.pets (invalid body)', 'Trycurl -sS', 'GET /v1/pets', 'oops', 'Last runs']
      : ['Nothing is known about the target: the probe itself has a problem', 'healthy', 'Up since', 'Down since', 'Unknown'];
    for (const word of words) expect(text).toContain(word);
    expect(/127\.0\.0\.1|petstore\.invalid/.test(text ?? '')).toBe(query !== '?public');
    for (const secret of [KEY, SECRET]) expect(await page.content()).not.toContain(secret);
    await page.evaluate(axe.source);
    expect(await complaintsOf(page)).toEqual([]);
    // The browser blocks an inline script: it says so in its console, and does not run it.
    await page.evaluate("document.body.append(Object.assign(document.createElement('script'), { textContent: 'document.title = 1' }))");
    expect(said.join('\n')).toContain('Content Security Policy');
    expect(await page.title()).toBe(title);
    // A folder for pictures of the pages, for those who want to look at them.
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined)
      await page.screenshot({ path: join(folder, `${width}-${colorScheme}${query.replace('?', '-')}.png`), fullPage: true });
    await page.close();
  }
});

test('Chromium asks for the token as a password, and shows the page with it.', async (context) => {
  needs(context, CHROMIUM);
  const target = await startTarget();
  const monitor = await startMonitor(
    `server: { port: 0, tokens: { read: env:TOKEN } }\ntargets: [{ name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY }]\n`,
    ownFolder(),
    [],
    { env: { TOKEN: 'the-reader-4Tz8' } },
  );
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const statusWith = async (password: string): Promise<number | undefined> => {
    const page = await browser.newPage({ httpCredentials: { username: 'anybody', password } });
    return (await page.goto(monitor.url))?.status();
  };
  expect(await statusWith('the-reader-4Tz8')).toBe(200);
  expect(await statusWith('the-stranger')).toBe(401);
});
