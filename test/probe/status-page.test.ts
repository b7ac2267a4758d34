import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { FRESH_STATE } from '../../src/probe/alerts/target-state.ts';
import type { Slice } from '../../src/probe/history/history.ts';
import { badge } from '../../src/probe/http/badge.ts';
import { statusPage } from '../../src/probe/http/status-page.ts';
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

function view(): MonitorView {
  const target = { baseUrl: 'https://petstore.example/v1', interval: 60_000, objective: 0.999, latencyLimit: 2_000 };
  const known = { hours: slices(24, HOUR), days: slices(90, 24 * HOUR) };
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
    const page = statusPage(view(), { public: true });
    expect(page).not.toContain('petstore.example');
    expect(page).not.toContain('onerror');
    expect(page).toContain('list.success');
  });

  test('It shows what was created at a target, and what may be, and nothing of it at one that is only read.', () => {
    const page = statusPage(view(), { public: true });
    expect(page.match(/<dt>Animals created<\/dt>/g)).toHaveLength(1);
    expect(page).toContain('<dd>5, 1 perhaps, 1 refused</dd>');
    expect(page).toContain('<dd>2 today, 93 of 100 in all</dd>');
  });

  test('In a browser nothing runs, the policy is in force, and axe finds nothing (Debian package chromium).', {
    timeout: 120_000,
  }, async () => {
    const server = createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONTENT_SECURITY_POLICY })
        .end(statusPage(view(), { public: false }));
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
      expect(await page.title()).toBe('1 of 2 targets down');
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
  });
});

describe('badge', () => {
  test('It is well-formed whatever the name.', () => {
    expect(badge('<x>&"', 'up')).not.toContain('<x>');
  });
});
