import { describe, expect, test } from 'vitest';
import { statusJson } from '../../src/probe/http/status-json.ts';
import { type StatusPageOptions, statusPage } from '../../src/probe/http/status-page.ts';
import { healthOf } from '../../src/probe/monitor-view.ts';
import { hostileView, ofMany } from './hostile-view.ts';
import { sampleOf } from './samples.ts';

function shown(options: StatusPageOptions, of = hostileView()): string {
  return statusPage(of, options) ?? 'no such target';
}

describe('statusPage', () => {
  test('The public page shows no address and no text of a response.', () => {
    const page = shown({ public: true });
    expect(page).not.toContain('petstore.example');
    expect(page).not.toContain('onerror');
    expect(page).toContain('list.success');
  });

  test('It shows windows of maintenance with their reasons, on the page of a target those of that one, and they have no markup of their own.', () => {
    const shownWindow =
      '<b>production</b> until <time datetime="2026-11-21T13:34:56Z">2026-11-21 13:34:56 UTC</time>: database upgrade &lt;b&gt;';
    expect(shown({ public: true })).toContain(`${shownWindow}</p>`);
    // The id ends it early.
    expect(shown({ public: false, target: 'production' })).toContain(`${shownWindow}</p>`);
    expect(shown({ public: false, target: 'staging' })).not.toContain('database upgrade');
  });

  test('A target alone is shown with all that is known of it, and one that there is not is none.', () => {
    const page = shown({ public: true, target: 'staging' });
    expect(page).toContain('<title>staging: Up</title>');
    const sections = [...page.matchAll(/<section class="card" aria-label="([^"]*)"/g)].map(([, label]) => label);
    expect(sections).toEqual(['Target staging', 'Last failure', 'Last runs', 'Failed runs before them', 'Last changes']);
    expect(page).toContain('animal 17 changed');
    expect(page).toContain('<a href="?public=">All targets</a>');
    expect(statusPage(hostileView(), { public: false, target: 'nobody' })).toBeUndefined();
  });

  test('It says since when a target is what it is, and what its last runs were.', () => {
    const page = shown({ public: false });
    expect(page).toContain('<span class="pill down">Down</span> <span class="soft">since <time datetime="2026-11-21T11:34:56Z">');
    expect(page).toContain('UTC</time> (1 h 0 min)</span>');
    expect(page).toContain('aria-label="Last 4 runs: 1 fail, 1 degraded, 1 unknown, 1 pass"');
    // Without a script the page is read from top to bottom: the worst comes first.
    expect(page.indexOf('>production<')).toBeLessThan(page.indexOf('>staging<'));
  });

  test('A run says that it is a confirmation, and a text that stands above is not repeated, not even by the first run.', () => {
    const [, down] = hostileView().targets;
    if (down === undefined) throw new Error('a target is needed');
    const run = { verdict: 'fail', duration: 9, reason: 'status', clause: 'list.success' } as const;
    const runs = ['GET /pets returned 500', 'confirmation: GET /pets returned 500', 'GET /pets returned 500', 'GET /pets returned 502'].map(
      (note, index) => ({ ...run, note, at: down.state.downSince ?? index }),
    );
    const last = sampleOf({ verdict: 'fail', note: 'GET /pets returned 500' });
    const page = shown({ public: false, target: 'production' }, { ...hostileView(), targets: [{ ...down, last, runs: () => runs }] });
    const list = page.slice(page.indexOf('aria-label="Last runs"'), page.indexOf('aria-label="Failed runs before them"'));
    expect([...list.matchAll(/returned 50\d/g)].map(String)).toEqual(['returned 502']);
    expect([...list.matchAll(/confirmation, 9 ms/g)]).toHaveLength(1);
  });

  test('What many targets share is said before them, in public too, and on the page of each.', () => {
    const cause = { cause: 'connect', since: Date.parse('2026-11-21T12:30:00Z'), dedupId: 'x', targets: ['a', 'b', 'c'], of: 4 } as const;
    const view = { ...hostileView(), causes: [cause] };
    for (const options of [{ public: false }, { public: true }, { public: false, target: 'staging' }]) {
      const page = shown(options, view);
      expect(page).toContain('3 of 4 targets cannot be connected to: a, b, c</p><p>since <time datetime="2026-11-21T12:30:00Z">');
      expect(page.indexOf('3 of 4 targets')).toBeLessThan(page.indexOf('<section class="card"'));
    }
    expect(shown({ public: false })).not.toContain('One cause');
  });

  test('The page of a target leads to a run with all of its requests, and the public one does not.', () => {
    const link = '<a href="probe?target=production&amp;debug=true">';
    expect(shown({ public: false, target: 'production' })).toContain(link);
    expect(shown({ public: true, target: 'production' })).not.toContain(link);
  });

  test('The page of a target has the exchange of the last failure, its condition, and the command, also after it, and not in public.', () => {
    for (const [target, section] of [
      ['production', 'Failing'],
      ['staging', 'Last failure'],
    ] as const) {
      const [own = '', open = ''] = [false, true].map((hidden) => {
        const page = shown({ public: hidden, target });
        const [from, to] = [page.indexOf(`aria-label="${section}"`), page.indexOf('aria-label="Last runs"')];
        expect(from).toBeGreaterThan(0);
        return page.slice(from, to);
      });
      expect(own).toContain('<code>list.success</code> (wrong status)');
      expect(own).toContain('<b>When</b> only with &lt;/style&gt;');
      expect(own).toMatch(/<h3>Try<\/h3><pre>curl -sS -i &#39;https:/);
      expect(own).toMatch(/<h3>Request and response<\/h3><pre>GET \/v1\/pets\n\n500/);
      expect(open).toContain('<code>list.success</code> (wrong status)');
      for (const word of ['When', 'Try', 'GET /v1', 'owned']) expect(open).not.toContain(word);
    }
  });

  test('The API has the same, without texts in public.', () => {
    const [staging, production] = statusJson(hostileView(), { public: false }).targets;
    expect([staging?.since, production?.since]).toEqual(['2026-11-21T10:34:56.000Z', '2026-11-21T11:34:56.000Z']);
    expect(production?.failures[0]).toMatchObject({
      clause: 'list.success',
      when: expect.stringMatching(/^only with /),
      try: expect.stringMatching(/^curl /),
      exchange: expect.stringMatching(/^GET /),
    });
    const hidden = statusJson(hostileView(), { public: true }).targets[1]?.failures[0];
    expect([hidden?.summary, hidden?.when, hidden?.try, hidden?.exchange]).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('The page of a target lists its last runs; the public one without what the service said.', () => {
    const item = `<li><time datetime="2026-11-21T12:34:51Z">2026-11-21 12:34:51 UTC</time> <span class="pill down">fail</span> 41 ms <code>list.success</code> (wrong status)`;
    const [own, open] = [false, true].map((hidden) => shown({ public: hidden, target: 'production' }));
    // Its text stands above.
    for (const page of [own, open]) expect(page).toContain(`${item}</li>`);
    expect(own).toContain('<code>the probe itself</code><br><span class="text">&lt;/style&gt;');
    expect(own).toContain('<span class="pill degraded">degraded</span> 2345 ms<br><span class="text">a response took 2040 ms');
    expect(own).toContain('<span class="pill up">pass</span> 38 ms</li>');
  });

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
});

describe('A target whose last run passed with a warning', () => {
  const [up] = hostileView().targets;
  if (up?.last === undefined) throw new Error('a target with a run is needed');
  const warning = { clause: 'deprecation.announced', level: 'advised', check: 'deprecation.announced/header' } as const;
  const failures = [{ ...warning, reason: 'assertion' as const, summary: 'getPet has no Deprecation header' }];
  const warned = { ...hostileView(), targets: [{ ...up, last: { ...up.last, failures } }] };

  test('It is up with a note, on the page and in the API.', () => {
    const page = shown({ public: false }, warned);
    expect(page).toContain('<title>The target is up</title>');
    expect(page).toContain('<span class="pill up">Up, 1 warning</span>');
    expect(page).toContain('<ul class="findings"><li class="advised"><code>deprecation.announced</code> (wrong content)');
    const [told] = statusJson(warned, { public: false }).targets;
    expect(page.match(/<li class="advised">/g)).toHaveLength(1);
    expect(told?.warnings).toHaveLength(1);
    expect(told).toMatchObject({ health: 'up', failures: [], warnings: [{ clause: 'deprecation.announced', level: 'advised' }] });
    expect(healthOf({ state: up.state, last: up.last })).toBe('up');
  });

  test('One that is also slow is degraded, and says why.', () => {
    const slow = { ...up.last, verdict: 'degraded', note: 'a response took 3000 ms, more than 2000 ms', failures } as const;
    const page = shown({ public: false }, { ...warned, targets: [{ ...up, last: { ...sampleOf({}), ...slow } }] });
    expect(page).toContain('<span class="pill degraded">Degraded</span>');
    expect(page).toMatch(/<code>latency or evidence<\/code> <span class="text">.*took 3000 ms.*<code>deprecation\.announced<\/code>/);
  });
});

test('A consequence of another clause is shown as such.', () => {
  const [up] = hostileView().targets.filter(({ state }) => state.health === 'up');
  if (up?.last === undefined) throw new Error('a target with a run is needed');
  const failure = {
    level: 'required',
    reason: 'schema',
    summary: 'text/plain',
    check: 'media.json/every-body',
    clause: 'media.json',
  } as const;
  const last = { ...sampleOf({ verdict: 'fail', failures: [{ ...failure, consequenceOf: 'errors.no-server-error' }] }) };
  const view = { ...hostileView(), targets: [{ ...up, last }] };
  expect(shown({ public: true, target: 'staging' }, view)).toContain(
    '<code>media.json</code> (invalid body), consequence of <code>errors.no-server-error</code>',
  );
  expect(statusJson(view, { public: true }).targets[0]?.failures).toMatchObject([{ consequenceOf: 'errors.no-server-error' }]);
});

test('A target that cannot be reached is shown with the reason of its incident, and no clause is blamed.', () => {
  const [down] = hostileView().targets;
  if (down === undefined) throw new Error('a target is needed');
  const { clause: _clause, ...last } = sampleOf({ verdict: 'fail', reason: 'connect', note: 'cannot reach petstore.example port 443' });
  const state = { ...down.state, failingSince: Date.parse('2026-11-21T12:30:00Z') };
  const page = shown({ public: false, target: down.target.name }, { ...hostileView(), targets: [{ ...down, last, state }] });
  expect(page).toContain('<h2>Failing <span class="soft">since <time datetime="2026-11-21T12:30:00Z">');
  expect(page).toContain('<li class="required"><code>no connection</code><p class="text">cannot reach');
});
