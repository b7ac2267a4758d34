import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import { EXIT_CODES, type ExitCode, type RunRecord } from '../clause/run-record.ts';
import { renderBadge } from './render-badge.ts';

type Badge = {
  readonly svg: { readonly '@_aria-label': string; readonly title: string; readonly rect: readonly { readonly '@_fill': string }[] };
};

const badge = (record: RunRecord): Badge => new XMLParser({ ignoreAttributes: false }).parse(renderBadge(record)) as Badge;

function green(options: Partial<RunRecord['options']> = {}, exitCode: ExitCode = EXIT_CODES.conformant): RunRecord {
  const record = sampleRecord();
  return {
    ...record,
    clauses: record.clauses.filter(({ verdict }) => verdict === 'pass'),
    options: { ...record.options, only: [], skip: [], readOnly: false, ...options },
    conclusion: { exitCode, headline: 'conformant: 1 of 1 clause judged', reasons: [] },
  };
}

describe('renderBadge', () => {
  test('says how many clauses are broken, in words too', () => {
    expect(badge(sampleRecord()).svg['@_aria-label']).toMatch(/^Pet Store Interface: not conformant: \d+ broken$/);
  });

  test('names the service, the day, and the version in its title', () => {
    const { svg } = badge({
      ...green(),
      target: { baseUrl: 'http://x/v1', reference: false, name: '<b>staging' },
      startedAt: '2026-11-28T10:00:00.000Z',
    });
    expect(svg.title).toMatch(/^Conformant: .* · <b>staging · 2026-11-28 · petstore-conformance /);
  });

  test.each([
    ['conformant', green()],
    ['conformant where judged', green({ only: ['list.*'] })],
    ['conformant where judged', green({ skip: ['list.*'] })],
    ['conformant where judged', green({ readOnly: true })],
    ['not judged', green({}, EXIT_CODES.unjudged)],
    ['not judged', green({}, EXIT_CODES.interrupted)],
    ['not conformant', green({}, EXIT_CODES.broken)],
  ])('says %s, and is green only for a service that was judged as a whole', (words, record) => {
    const { svg } = badge(record);
    expect(svg['@_aria-label']).toBe(`Pet Store Interface: ${words}`);
    expect(svg.rect[1]?.['@_fill'] === '#1a7f37').toBe(words === 'conformant');
  });

  test('loads nothing', () => {
    expect(renderBadge(sampleRecord())).not.toMatch(/href|src=|url\(|<script|<style|<image/);
  });
});
