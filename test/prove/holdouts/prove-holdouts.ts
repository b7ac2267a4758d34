import { UsageError } from '../../../src/cli/usage-error.ts';
import type { Pool } from '../pool.ts';
import type { Verdicts } from '../tables.ts';
import type { Holdout } from './holdout.ts';
import { CORPORA } from './index.ts';
import type { HoldoutResult } from './judge-holdout.ts';

/** Whether it was judged rightly: a fault by any binding clause, a variant by none. */
function isRight({ kind }: Holdout, { red }: HoldoutResult): boolean {
  return red.length > 0 === (kind === 'fault');
}

function showOne({ name, kind, clause }: Holdout, result: HoldoutResult, isRightly: boolean): void {
  const { red, first } = result;
  const other = isRightly && kind === 'fault' && !red.includes(clause ?? '') ? ` (its author expected ${clause})` : '';
  console.log(
    `${isRightly ? 'ok  ' : 'MISS'} ${kind.padEnd(7)} ${name.padEnd(60)} ${red.length === 0 ? 'nothing red' : `red: ${red.join(' ')}`}${other}`,
  );
  if (!isRightly && first !== undefined) console.log(`       ${first}`);
}

/** What the suite says of servers by authors who had not read it, by their themes; with names, of those that hold one of them. */
export async function proveHoldouts(pool: Pool, names: readonly string[]): Promise<Verdicts> {
  let passed = 0;
  let failed = 0;
  for (const [theme, all] of Object.entries(CORPORA)) {
    const chosen = all.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
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
