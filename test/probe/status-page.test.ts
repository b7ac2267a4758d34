import { describe, expect, test } from 'vitest';
import { badge } from '../../src/probe/http/badge.ts';
import { type StatusPageOptions, statusPage } from '../../src/probe/http/status-page.ts';
import { hostileView, ofMany } from './hostile-view.ts';

function shown(options: StatusPageOptions, of = hostileView()): string {
  return statusPage(of, options) ?? 'no such target';
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
    expect(page.match(/<section class="card"/g)).toHaveLength(4);
    expect(page).toContain('animal 17 changed');
    expect(page).toContain('<a href="?public=">All targets</a>');
    expect(statusPage(hostileView(), { public: false, target: 'nobody' })).toBeUndefined();
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

describe('badge', () => {
  test('It is well-formed whatever the name.', () => {
    expect(badge('<x>&"', 'up')).not.toContain('<x>');
  });
});
