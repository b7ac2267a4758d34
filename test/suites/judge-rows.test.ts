import { describe, expect, it } from 'vitest';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { combineRows, judgeRow } from '../../suites/judging/judge-rows.ts';

const finding = (summary: string): Finding => ({ summary, expected: [], received: '', exchanges: [] });
const blocked = judgeRow(async () => haltInconclusive('stopped', 'errors.answers'));

describe('judgeRow', () => {
  it('keeps a halt with its row', async () => {
    expect(await blocked).toEqual({
      findings: [],
      halted: { kind: 'inconclusive', missing: 'stopped', why: 'waits', blockedBy: 'errors.answers' },
    });
  });

  it('lets an error of our own code through', async () => {
    await expect(judgeRow(async () => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours');
  });

  it('takes one finding, several, and none', async () => {
    expect((await judgeRow(async () => finding('a'))).findings).toHaveLength(1);
    expect((await judgeRow(async () => [finding('a'), undefined, finding('b')])).findings).toHaveLength(2);
    expect((await judgeRow(async () => undefined)).findings).toEqual([]);
  });
});

describe('combineRows', () => {
  it('lets a failure win over a row that is stopped', async () => {
    const outcome = combineRows([await blocked, await judgeRow(async () => finding('a'))], 'fine');
    expect(outcome).toMatchObject({ kind: 'fail', findings: [{ summary: 'a' }] });
  });

  it('lets a stopped row win over those that hold', async () => {
    const outcome = combineRows([await judgeRow(async () => undefined), await blocked], 'fine');
    expect(outcome).toEqual({ kind: 'inconclusive', missing: '1 of 2: stopped', why: 'waits', blockedBy: 'errors.answers' });
  });

  it('passes with the evidence when every row holds', async () => {
    expect(combineRows([await judgeRow(async () => undefined)], 'fine')).toEqual({ kind: 'pass', evidence: 'fine' });
  });

  it('does not pass on no row at all', () => {
    expect(combineRows([], 'fine')).toMatchObject({ kind: 'inconclusive' });
  });

  it('keeps every finding: reports bound what they show', async () => {
    const rows = await Promise.all(Array.from({ length: 13 }, (_unused, index) => judgeRow(async () => finding(`f${index}`))));
    const outcome = combineRows(rows, 'fine');
    expect(outcome).toMatchObject({ kind: 'fail', findings: { length: 13, 12: { summary: 'f12' } } });
  });
});
