import { type Command, Option } from 'commander';
import { EXIT_CODES } from '../../clause/run-record.ts';
import { exit, print, terminalWidth } from '../output.ts';
import { SUMMARIES } from '../summaries.ts';

const FORMATS = ['text', 'json', 'markdown'] as const;
type CompareFlags = { readonly format: (typeof FORMATS)[number] };

async function compare(before: string, after: string, { format }: CompareFlags): Promise<void> {
  const [{ readProfile }, { compareProfiles }, render] = await Promise.all([
    import('../earlier-runs.ts'),
    import('../../report/comparison.ts'),
    import('../../report/comparison.ts'),
  ]);
  const comparison = compareProfiles(await readProfile(before), await readProfile(after));
  const renderers: Readonly<Record<CompareFlags['format'], () => string>> = {
    text: () => render.renderComparisonText(comparison, { width: terminalWidth() }),
    json: () => render.renderComparisonJson(comparison),
    markdown: () => render.renderComparisonMarkdown(comparison),
  };
  print(renderers[format]());
  await exit(comparison.worse ? EXIT_CODES.broken : EXIT_CODES.conformant);
}

export function addCompare(program: Command): void {
  program
    .command('compare')
    .description(SUMMARIES.compare)
    .argument('<before>', 'behavior.json or report.json of one run')
    .argument('<after>', 'the same of another')
    .addOption(new Option('--format <name>', 'what is printed').choices(FORMATS).default('text'))
    .addHelpText('after', '\nExit codes: 0 not worse, 1 the second breaks a clause that passed in the first, 2 usage.')
    .action(compare);
}
