import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { FRESH_STATE } from '../../src/probe/alerts/target-state.ts';
import type { Slice } from '../../src/probe/history/history.ts';
import { badge } from '../../src/probe/http/badge.ts';
import { type StatusPageOptions, statusPage } from '../../src/probe/http/status-page.ts';
import { CONTENT_SECURITY_POLICY } from '../../src/probe/http/style.ts';
import type { MonitorView, TargetView } from '../../src/probe/view.ts';
import { sampleOf } from './sample-of.ts';

const NOW = Date.parse('2026-11-21T12:34:56Z');
const HOUR = 3_600_000;
const HOSTILE = `</style></svg><script>document.title='owned'</script><img src=x onerror="document.title='owned'">"'&{{7*7}}`;

function slices(count: number, step: number): Slice[] {
  return Array.from({ length: count }, (_unused, index): Slice => {
    const fail = index % 11 === 0 ? 20 : index % 7 === 0 ? 2 : 0;
    const from = Math.floor(NOW / step) * step - (count - 1 - index) * step;
    return {
      from,
      counts: { pass: 60 - fail, degraded: 0, fail, unknown: 0 },
      meanDuration: 40 + 10 * Math.sin(index),
      maxDuration: 90 + (index % 5) * 12,
    };
  });
}

function shown(options: StatusPageOptions, of = view()): string {
  return statusPage(of, options) ?? 'no such target';
}

function view(): MonitorView {
  const target = { baseUrl: 'https://petstore.example/v1', interval: 60_000, objective: 0.999, latencyLimit: 2_000 };
  const [hours, days] = [slices(24, HOUR), slices(90, 24 * HOUR)];
  const known = { hours: () => hours, days: () => days, counts: () => ({ pass: 5_000, degraded: 0, fail: 5, unknown: 0 }) };
  const failures = [
    {
      clause: 'list.success' as const,
      level: 'required' as const,
      check: 'list.success/plain',
      reason: 'status' as const,
      summary: HOSTILE,
    },
  ];
  const down: TargetView = {
    target: { ...target, name: 'production' },
    state: { ...FRESH_STATE, health: 'down', window: [true, true, true], downSince: NOW - HOUR, failingSince: NOW - HOUR },
    last: sampleOf({ at: NOW - 5_000, verdict: 'fail', note: HOSTILE, failures }),
    ...known,
  };
  const up: TargetView = {
    target: { ...target, name: 'staging' },
    state: FRESH_STATE,
    last: sampleOf({ target: 'staging', at: NOW - 9_000 }),
    canary: { perDay: 4, lifetime: 100, left: 93, books: { created: 5, refused: 1, ambiguous: 1, today: 2, lastAt: NOW - HOUR } },
    ...known,
  };
  const event = {
    version: 1,
    dedupId: 'x',
    target: 'production',
    clause: 'list.success' as const,
    reason: 'status',
    summary: HOSTILE,
    since: new Date(NOW - HOUR).toISOString(),
    at: new Date(NOW).toISOString(),
    failures: 3,
    total: 5,
    link: null,
  } as const;
  return {
    version: '1.0.0',
    now: NOW,
    startedAt: NOW - 5 * HOUR,
    targets: [up, down],
    alerts: [{ ...event, status: 'firing' }],
    problems: [HOSTILE],
  };
}

describe('statusPage', () => {
  test('The public page shows no address and no text of an answer.', () => {
    const page = shown({ public: true });
    expect(page).not.toContain('petstore.example');
    expect(page).not.toContain('onerror');
    expect(page).toContain('list.success');
  });

  test('It shows what was created at a target, and what may be, and nothing of it at one that is only read.', () => {
    const page = shown({ public: true });
    expect(page.match(/<dt>Animals created<\/dt>/g)).toHaveLength(1);
    expect(page).toContain('<dd>5, 1 perhaps, 1 refused</dd>');
    expect(page).toContain('<dd>2 today, 93 of 100 in all</dd>');
  });

  test('A target alone is shown with all that is known of it, and one that there is not is none.', () => {
    const page = shown({ public: true, target: 'staging' });
    expect(page).toContain('<title>staging: Up</title>');
    expect(page.match(/<section class="card"/g)).toHaveLength(2);
    expect(page).not.toContain('production');
    expect(page).toContain('<a href="?public=">All targets</a>');
    expect(statusPage(view(), { public: false, target: 'nobody' })).toBeUndefined();
  });

  const ofMany = (count: number): MonitorView => {
    const [up, down] = view().targets;
    if (up === undefined || down === undefined) throw new Error('two targets are needed');
    const failures = Array.from({ length: 27 }, () => down.last?.failures[0] ?? []).flat();
    const last = sampleOf({ verdict: 'fail', failures: failures.map((one) => ({ ...one, summary: HOSTILE.repeat(200) })) });
    const named = (index: number): TargetView => {
      const failing = index % 3 === 2;
      const target = { ...up.target, name: `target-${index}`, baseUrl: `https://${'long.'.repeat(100)}example/v1` };
      return { ...up, target, ...(failing ? { state: down.state, last } : {}) };
    };
    return { ...view(), targets: Array.from({ length: count }, (_unused, index) => named(index)), problems: Array(1_000).fill(HOSTILE) };
  };
  const namesOn = (page: string): string[] => [...page.matchAll(/<a href="\?target=[^"]*">([^<]*)</g)].map(([, name = '']) => name);

  test('Of many targets a page shows a hundred, failing ones first, each on one page, with links to the others and to each target.', () => {
    const many = ofMany(1_000);
    const pages = Array.from({ length: 10 }, (_unused, index) => shown({ public: false, page: index + 1 }, many));
    const names = pages.flatMap(namesOn);
    expect(names).toHaveLength(1_000);
    expect(new Set(names).size).toBe(1_000);
    expect(names.slice(0, 333).every((name) => Number(name.slice('target-'.length)) % 3 === 2)).toBe(true);
    expect(pages[0]).toContain('Targets 1 to 100 of 1000, failing ones first. <a href="?page=2">Next</a>');
    expect(pages[9]).toContain('Targets 901 to 1000 of 1000, failing ones first. <a href="?page=9">Previous</a></p>');
    expect(shown({ public: false, page: 5_000 }, many)).toBe(pages[9]);
    expect(shown({ public: true, page: 2 }, many)).toContain('<a href="?page=3&amp;public=">Next</a>');
  });

  test('Its size has a bound, whatever services say, however many targets fail and however long their addresses are.', () => {
    const sizes = [10, 11, 100, 1_000].map((count) => Buffer.byteLength(shown({ public: false }, ofMany(count))));
    expect(Math.max(...sizes)).toBeLessThan(1_000_000);
    expect(sizes[3]).toBeLessThan(300_000);
  });

  test.for([
    ['two targets', view, '1 of 2 targets down'],
    ['a list of many', () => ofMany(250), '83 of 250 targets down'],
    ['one target of them', () => ofMany(250), 'target-2: Down'],
  ] as const)(
    'In a browser nothing runs on the page of %s, the policy is in force, and axe finds nothing (Debian package chromium).',
    {
      timeout: 120_000,
    },
    async ([what, of, title]) => {
      const options = { public: false, ...(what === 'one target of them' ? { target: 'target-2' } : {}) };
      const server = createServer((_request, response) => {
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONTENT_SECURITY_POLICY })
          .end(shown(options, of()));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }).catch((cause: unknown) => {
        throw new Error('a browser is missing: apt-get install chromium', { cause });
      });
      try {
        const page = await browser.newPage({ viewport: { width: 390, height: 900 } });
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        expect(await page.title()).toBe(title);
        expect(complaints).toEqual([]);
        expect(await page.locator('script, img').count()).toBe(0);
        // The style is the allowed one: a page without it has a white body.
        expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius")).not.toBe('0px');
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
        const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>('axe.run()');
        expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
      } finally {
        await browser.close();
        server.close();
      }
    },
  );
});

describe('badge', () => {
  test('It is well-formed whatever the name.', () => {
    expect(badge('<x>&"', 'up')).not.toContain('<x>');
  });
});
