import { CORPORA, type HoldoutResult } from '../corpora/holdouts/corpora.ts';
import type { Holdout } from '../corpora/holdouts/holdout.ts';
import { UsageError } from '../src/cli/option-spec.ts';
import type { Pool } from './pool.ts';
import type { Verdicts } from './tables.ts';

/**
 * Whether it was judged correctly: a fault by any binding clause or the advised one that its author expected, a variant by no binding one.
 */
export function isRight({ kind, clause = '' }: Holdout, { red, advised }: Pick<HoldoutResult, 'red' | 'advised'>): boolean {
  return kind === 'fault' ? red.length > 0 || advised.includes(clause) : red.length === 0;
}

function showOne({ name, kind, clause }: Holdout, result: HoldoutResult, isRightly: boolean): void {
  const { red, advised, first } = result;
  const said = [...red, ...(advised.length === 0 ? [] : [`(${advised.join(' ')})`])];
  const isExpected = [...red, ...advised].includes(clause ?? '');
  const other = isRightly && kind === 'fault' && !isExpected ? ` (its author expected ${clause})` : '';
  console.log(
    `${isRightly ? 'ok  ' : 'MISS'} ${kind.padEnd(7)} ${name.padEnd(60)} ${said.length === 0 ? 'nothing red' : `red: ${said.join(' ')}`}${other}`,
  );
  if (!isRightly && first !== undefined) console.log(`       ${first}`);
}

/**
 * The suite's results for servers by authors who had not read it, by theme; with names, for those with such a theme or containing one of
 * them.
 */
export async function proveHoldouts(pool: Pool, names: readonly string[]): Promise<Verdicts> {
  let passed = 0;
  let failed = 0;
  for (const [theme, all] of Object.entries(CORPORA)) {
    const chosen = all.filter(({ name }) => names.length === 0 || names.includes(theme) || names.some((part) => name.includes(part)));
    const judged = await Promise.all(
      chosen.map(async (holdout) => {
        const result = await pool.ask({ kind: 'holdout', name: holdout.name });
        const isRightly = isRight(holdout, result);
        showOne(holdout, result, isRightly);
        return { kind: holdout.kind, isRightly };
      }),
    );
    const count = (of: Holdout['kind']): string =>
      `${judged.filter(({ kind, isRightly }) => kind === of && isRightly).length} of ${judged.filter(({ kind }) => kind === of).length}`;
    if (judged.length > 0) console.log(`     ${theme}: ${count('fault')} faults found, ${count('variant')} variants green\n`);
    passed += judged.filter(({ isRightly }) => isRightly).length;
    failed += judged.filter(({ isRightly }) => !isRightly).length;
  }
  if (passed + failed === 0) throw new UsageError(`no hold-out has ${names.map((name) => `"${name}"`).join(' or ')} in its name`);
  return { passed, failed };
}
