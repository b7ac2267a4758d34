// `npm run prove`: what the suite says about every fault and variant of the reference server.
import { enableCompileCache } from 'node:module';
import { Command, Option } from 'commander';
import { wholeNumber } from '../test/support/whole-number.ts';

/** What the command was told. */
export type ProveOptions = {
  readonly swift: boolean;
  readonly combine?: number;
  readonly usedStore: boolean;
  readonly grid: boolean;
  readonly pairs: boolean;
  readonly holdouts: boolean;
  readonly count: number;
  readonly keep: boolean;
  readonly sets: number;
  readonly seed?: number;
  readonly from?: string;
  readonly out?: string;
  readonly upon: readonly string[];
};

const EXAMPLES = `
NAME is a fault, a variant (npm run prove:serve -- --list names them), a clause (all of its faults), or a part of a name; without one, all
servers are judged.

Examples:
  npm run prove -- limit-ignored                 one fault
  npm run prove -- list.limit-maximum            all faults of a clause
  npm run prove -- --out pass.jsonl              the whole proof, its results in a file
  npm run prove -- --from pass.jsonl             the tables of that file again
  npm run prove -- --combine 4 --sets 150        150 servers with four faults each
  npm run prove -- --grid --keep                 100 defects of the grid, drawn anew
  npm run prove -- --grid --pairs --seed 7       100 defects that take two conditions at once
  npm run prove -- list.filter-complete --upon list-newest-first
                                                 whether it finds them where lists begin with the newest animal

The last line is "N passed, N failed"; the exit code is 0 when nothing failed, 1 when something did, and 2 for a wrong usage.`;

// Loading the suite takes about as long as judging a server: what was compiled once is kept for the next time.
enableCompileCache();

const program = new Command('npm run prove --')
  .description('Judges servers of the reference registry: each fault must turn its clause red, each variant none.')
  .argument('[NAME...]', 'which faults and variants')
  .option('--swift', 'judge a fault by its own clause where that shows it; no figures of the whole', false)
  .option('--combine <size>', 'judge servers with so many faults at once', wholeNumber)
  .option('--sets <count>', 'with --combine: how many servers', wholeNumber, 50)
  .option('--grid', 'judge servers with one defect each that nobody chose: a condition and an effect, drawn by the seed', false)
  .addOption(new Option('--pairs', 'with --grid: defects that take two conditions at once').default(false).conflicts('keep'))
  .option('--holdouts', 'judge servers by authors who had not read the suite; a NAME is a theme or a part of their names', false)
  .option('--count <number>', 'with --grid: how many defects', wholeNumber, 100)
  .option('--keep', 'with --grid: docs/internals/proof.md shows the figures', false)
  .option(
    '--seed <number>',
    'of the runs; with --combine or --grid: the same seed draws the same faults or defects; a grid without it draws others',
    wholeNumber,
  )
  .option('--used-store', 'judge, after each fault that stores something, the repaired build on the same store', false)
  .option('--from <file>', 'take results from this file; with --combine: what each fault breaks alone')
  .option('--out <file>', 'where results are kept, a line each (default: reports/proof/results.jsonl)')
  .addOption(
    new Option('--upon <variants...>', 'judge faults only, each on a server that also makes these choices')
      .default([])
      .conflicts(['combine', 'grid', 'usedStore', 'from', 'holdouts']),
  )
  .addHelpText('after', EXAMPLES)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async (names: readonly string[], options: ProveOptions) => {
    const { prove } = await import('./prove.ts');
    try {
      const { passed, failed } = await prove(names, options);
      console.log(`${passed} passed, ${failed} failed`);
      process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'UsageError') throw error;
      program.error(`error: ${error.message}`, { exitCode: 2 });
    }
  });
await program.parseAsync();
