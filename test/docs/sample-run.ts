import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../support/program.ts';
import { codeBlocks } from './pages.ts';

/** The command that the README asks its reader to run. */
const FAULT = ['--fault', 'limit-plus-one'] as const;
export const SAMPLE_COMMAND = `npm start -- ${FAULT.join(' ')}`;
const PORT = '4077';

/** The parts of a run in the README. */
export type Samples = { readonly failure: string; readonly ending: string };

/** The samples in the README. */
export function shownSamples(): Samples {
  const [failure = '', ending = ''] = codeBlocks('README.md').flatMap(({ language, text }) => (language === '' ? [text] : []));
  return { failure, ending };
}

/** The same parts of the output with that fault. */
export async function makeSamples(): Promise<Samples> {
  const cwd = mkdtempSync(join(tmpdir(), 'petstore-samples-'));
  const { stdout } = await runProgram(['run', '--reference', ...FAULT, '--seed', '1'], {
    cwd,
    // As in a clone, which the reader has.
    env: { npm_config_user_agent: 'npm/11' },
    patience: 300_000,
  });
  rmSync(cwd, { recursive: true, force: true });
  // The reader's command has no seed.
  const text = stdout.replaceAll(/127\.0\.0\.1:\d+/g, `127.0.0.1:${PORT}`).replaceAll(' --seed 1 ', ' ');
  const [failure = ''] = /^FAIL [\s\S]*?\n(?=\n)/m.exec(text) ?? [];
  const [ending = ''] = /^Not conformant: [\s\S]*/m.exec(text) ?? [];
  return { failure, ending: `${ending.trimEnd()}\n` };
}

/**
 * A sample without what differs from one run to the next: how many requests some checks needed, how long that took, what came too late, and
 * which of the concurrent requests are shown first.
 */
export function withoutFigures(sample: string): string {
  return sample
    .replaceAll(/\b\d+ of \d+ responses/g, '# of # responses')
    .replaceAll(/limit=\d+(?:&\w+=\w*)?/g, 'limit=#')
    .replaceAll(/returned \d+ animals; expected at most \d+/g, 'returned # animals; expected at most #')
    .replaceAll(/\d+ of (\d+ (?:clauses|checks))/g, '# of $1')
    .replaceAll(/[\d,]+ requests in (?:\d+ min )?[\d.]+ s, \d+ animals/g, '# requests in # s, # animals')
    .replaceAll(/ {2,}/g, '  ');
}
