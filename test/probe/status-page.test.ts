import { describe, expect, test } from 'vitest';
import { badge } from '../../src/probe/http/badge.ts';
import { statusPage } from '../../src/probe/http/status-page.ts';
import { hostileView } from './hostile-view.ts';

describe('statusPage', () => {
  test('The public page shows no address and no text of an answer.', () => {
    const page = statusPage(hostileView(), { public: true });
    expect(page).not.toContain('petstore.example');
    expect(page).not.toContain('onerror');
    expect(page).toContain('list.success');
  });

  test('It shows what was created at a target, and what may be, and nothing of it at one that is only read.', () => {
    const page = statusPage(hostileView(), { public: true });
    expect(page.match(/<dt>Animals created<\/dt>/g)).toHaveLength(1);
    expect(page).toContain('<dd>5, 1 perhaps, 1 refused</dd>');
    expect(page).toContain('<dd>2 today, 93 of 100 in all</dd>');
  });
});

describe('badge', () => {
  test('It is well-formed whatever the name.', () => {
    expect(badge('<x>&"', 'up')).not.toContain('<x>');
  });
});
