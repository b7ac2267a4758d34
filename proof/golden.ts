// `npm run prove:golden`: holds the verdicts of a whole pass against those kept in golden.json.
import { Command } from 'commander';
import { type Golden, goldenOf, readGolden, writeGolden } from './golden-file.ts';
import { readOrLeave } from './result-file.ts';

type Change = { readonly server: string; readonly clause: string; readonly before: string; readonly after: string };
type GoldenOptions = { readonly from: string; readonly write: boolean; readonly reason?: string };

const MOST_SHOWN = 60;

/** Verdicts that differ on servers and clauses that both passes have. */
function changesBetween(before: Golden, after: Golden): readonly Change[] {
  return after.servers.flatMap((server) =>
    [...new Set([...before.clauses, ...after.clauses])].flatMap((clause) => {
      const [was, is] = [before.verdict(server, clause), after.verdict(server, clause)];
      return was === undefined || is === undefined || was === is ? [] : [{ server, clause, before: was, after: is }];
    }),
  );
}

/** What needs no reason: a conforming server is judged where it was not; a faulty one is judged, whatever the verdict. */
function needsReason({ server, before, after }: Change): boolean {
  if (before !== 'inconclusive' && before !== 'absent') return true;
  return server.startsWith('variant') && !['pass', 'not-applicable', 'observed'].includes(after);
}

const describe = ({ server, clause, before, after }: Change): string => `${server}: ${clause} ${before} -> ${after}`;

function showCounts(changes: readonly Change[]): void {
  const counts = new Map<string, { all: number; unexplained: number }>();
  for (const change of changes) {
    const key = `${change.server.split(' ')[0]}s  ${change.before.padEnd(14)} -> ${change.after}`;
    const count = counts.get(key) ?? { all: 0, unexplained: 0 };
    counts.set(key, { all: count.all + 1, unexplained: count.unexplained + (needsReason(change) ? 1 : 0) });
  }
  console.log('Clauses with another verdict');
  for (const [key, { all, unexplained }] of [...counts].sort(([, a], [, b]) => b.all - a.all))
    console.log(`  ${String(all).padStart(5)}  ${key.padEnd(45)} ${unexplained === 0 ? 'no reason needed' : 'needs a reason'}`);
  if (counts.size === 0) console.log('  none');
}

function showUnexplained(changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const width = Math.max(...changes.map(({ server }) => server.length));
  console.log(`\nChanges that need a reason\n  ${'server'.padEnd(width)}  ${'before'.padEnd(14)}  ${'after'.padEnd(14)}  clause`);
  for (const { server, clause, before, after } of changes.slice(0, MOST_SHOWN))
    console.log(`  ${server.padEnd(width)}  ${before.padEnd(14)}  ${after.padEnd(14)}  ${clause}`);
  if (changes.length > MOST_SHOWN) console.log(`  and ${changes.length - MOST_SHOWN} more`);
}

function showNames(label: string, names: readonly string[]): void {
  if (names.length > 0) console.log(`${names.length} ${label}: ${names.slice(0, MOST_SHOWN).join(', ')}`);
}

function compare({ from, write, reason }: GoldenOptions): number {
  const results = readOrLeave(from);
  const [before, after] = [readGolden(), goldenOf(results)];
  const changes = changesBetween(before, after);
  const unexplained = changes.filter(needsReason);
  showCounts(changes);
  showUnexplained(unexplained);
  showNames(
    'servers are new',
    after.servers.filter((server) => !before.servers.includes(server)),
  );
  showNames(
    'servers were not judged',
    before.servers.filter((server) => !after.servers.includes(server)),
  );
  showNames(
    'clauses are new',
    after.clauses.filter((clause) => !before.clauses.includes(clause)),
  );
  showNames(
    'clauses are gone',
    before.clauses.filter((clause) => !after.clauses.includes(clause)),
  );
  console.log(`\n${changes.length} changes, ${unexplained.length} of them need a reason`);
  if (!write) return unexplained.length === 0 ? 0 : 1;
  if (unexplained.length > 0 && reason === undefined) {
    console.error('error: nothing is written: these changes need a reason; --reason "TEXT" says it');
    return 2;
  }
  writeGolden(results, reason === undefined ? undefined : { reason, changes: unexplained.map(describe) });
  console.log(`golden.json holds ${after.servers.length} servers and ${after.clauses.length} clauses`);
  return 0;
}

const options = new Command('npm run prove:golden --')
  .description('Compares the verdict on every clause for every server with those in proof/golden.json.')
  .option('--from <file>', 'the results of a whole pass, as "npm run prove" writes them', 'reports/proof/results.jsonl')
  .option('--write', 'keep these verdicts from now on', false)
  .option('--reason <text>', 'with --write: why changes are right that need a reason; golden.json keeps it with them')
  .addHelpText(
    'after',
    `
A variant may change from inconclusive to pass, a fault from inconclusive to pass or fail. Any other change needs a reason.
The exit code is 0 when no change needs one, 1 when some do, and 2 for a wrong usage.`,
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<GoldenOptions>();
process.exitCode = compare(options);
