import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faults } from './faults/index.ts';
import { readFigures } from './grid/figures.ts';
import { DOCUMENT, renderFigures, renderGrid } from './render-figures.ts';
import type { Result } from './result.ts';

const page = readFileSync(DOCUMENT, 'utf8');
const figures = page.slice(page.indexOf('## Figures'));

/** A result with these lines and causes, of the first fault of a clause. */
function sample(clause: string, lines: number, causes: Result['causes']): Result {
  const name = faults.find((fault) => fault.clause === clause)?.name ?? '';
  const nothing = {
    clauses: {},
    situations: {},
    notes: {},
    departures: [],
    requestsUntilFound: 1,
    requests: 9,
    created: 0,
    milliseconds: 1,
    when: '',
  };
  return { kind: 'fault', name, red: [clause], advised: [], causes, lines, exitCode: 1, headline: '', ...nothing };
}

/** A page without what differs from one proof to the next: figures, and the names of faults and areas. */
function formOf(text: string): string {
  const lines = text.split('\n').map((line) =>
    line
      .replaceAll(/`[\w.-]+`/g, '`name`')
      .replaceAll(/\b\d+(?= |%| \|)(?! of 100)/g, '#')
      .replaceAll(/ +/g, ' ')
      .replaceAll(/-{3,}/g, '---'),
  );
  return lines.filter((line, index) => line === '' || line !== lines[index - 1]).join('\n');
}

test('The figures in docs/internals/proof.md have the form that `npm run prove:figures` writes.', () => {
  const made = renderFigures([sample('list.success', 20, []), sample('get.success', 30, [])]);
  expect(formOf(figures)).toBe(formOf(made));
});

test('docs/internals/proof.md is of a proof in which every server was as it should be, and no first cause was wrong.', () => {
  const rows = [...page.matchAll(/^\| (?:faults|variants): .*?\| (\d+) +\| (\d+) +\|$/gm)];
  expect(rows.length).toBe(2);
  for (const [, judged, right] of rows) expect(right).toBe(judged);
  expect(page).toMatch(/^\| wrong +\| 0 +\| 0% /m);
  expect(page).toMatch(/^\| several +\| 0 +\| 0% /m);
});

test('The figures are those of the results.', () => {
  const right = [{ id: 'wrong-scheme', clauses: ['list.success'] }];
  const wrong = [{ id: 'wrong-scheme', clauses: ['get.identity'] }];
  const made = renderFigures([
    sample('list.success', 20, right),
    sample('get.success', 30, wrong),
    sample('get.not-found', 40, []),
    sample('list.unique', 90, [...right, ...wrong]),
  ]);
  expect(made).toContain('A run prints 40 lines for one defect (the median), 90 for 95 of 100, and 90 for `');
  expect(made).toMatch(/^\| right +\| 1 +\| 25% /m);
  expect(made).toMatch(/^\| none +\| 1 +\| 25% /m);
  expect(made).toMatch(/^\| wrong +\| 2 +\| 50% /m);
});

test('What reports say of when a clause is broken is counted.', () => {
  const said = { ...sample('list.success', 20, []), when: 'only with limit=13: 3 of 3 responses; otherwise 0 of 57' };
  const explained = sample('get.success', 30, [{ id: 'wrong-scheme', clauses: ['get.success'] }]);
  const made = renderFigures([said, explained, sample('get.not-found', 40, [])]);
  for (const what of ['says when its clause is broken', 'names the cause only', 'shows the findings alone'])
    expect(made).toMatch(new RegExp(`^\\| ${what} +\\| 1 +\\| 33% `, 'm'));
});

test('docs/internals/proof.md has the last figures of the grid that are kept.', () => {
  const kept = readFigures();
  expect(kept.length).toBeGreaterThan(0);
  expect(page.endsWith(`\n\n${renderGrid(kept)}`)).toBe(true);
});
