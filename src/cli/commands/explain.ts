import type { Command } from 'commander';
import type { SuiteClause } from '../../../suites/define.ts';
import { SelectionError, selectClauses } from '../../judge/select.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import { print } from '../output.ts';
import { UsageError } from '../usage-error.ts';

function explain(id: string, { clauses, faults }: { clauses: readonly SuiteClause[]; faults: readonly Fault[] }): string {
  const clause = clauses.find(
    (candidate) => candidate.id === id || [...candidate.checks, ...candidate.invariants].some((part) => part.id === id),
  );
  if (clause === undefined) {
    try {
      selectClauses(clauses, { only: [id], skip: [], sweeps: true });
    } catch (error) {
      if (error instanceof SelectionError) throw new UsageError(error.message);
      throw error;
    }
    throw new UsageError(`"${id}" is a pattern; explain takes the id of one clause or check`);
  }
  const derived = clause.level === 'implied' ? [`Follows from:  ${clause.derivation}`] : [];
  const brokenBy = ({ fault }: { readonly fault?: string }): string => (fault === undefined ? '' : `; broken by --fault ${fault}`);
  const checks = clause.checks.map((check) => `  ${check.id}  (${check.step}, ${check.effect}${brokenBy(check)})\n      ${check.title}`);
  const invariants = clause.invariants.map(
    (invariant) => `  ${invariant.id}  (every exchange${brokenBy(invariant)})\n      ${invariant.title}`,
  );
  const broken = faults.filter((fault) => fault.clause === clause.id).map(({ name, summary }) => `  ${name}: ${summary}`);
  return [
    `${clause.id}  (${clause.level})`,
    '',
    `Requirement:   ${clause.requirement}`,
    `Section:       ${clause.section}`,
    ...(clause.quote ?? []).map((sentence) => `Quote:         ${sentence}`),
    ...derived,
    `Likely cause:  ${clause.likelyCause}`,
    '',
    'Judged by',
    ...checks,
    ...invariants,
    ...(broken.length === 0 ? [] : ['', 'Faults of the reference server that break it', ...broken]),
  ].join('\n');
}

export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('show what a clause requires, where it comes from, how it is judged, and what breaks it')
    .argument('<id>', 'a clause or check, as in reports')
    .action(async (id: string) => {
      const [{ clauses }, { faults }] = await Promise.all([import('../../../suites/index.ts'), import('../../reference/faults/index.ts')]);
      print(explain(id, { clauses, faults }));
    });
}
