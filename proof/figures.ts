// `npm run prove:figures`: the figures in docs/internals/proof.md from the results of a whole proof.
import { readCommandLine } from '../test/support/command-line.ts';
import { renewFigures } from './render-figures.ts';
import { readOrLeave } from './result-file.ts';

const USAGE = `Usage: npm run prove:figures -- [FILE]

Writes the figures in docs/internals/proof.md from the results of a whole proof (default: reports/proof/results.jsonl).`;
const { words } = readCommandLine({ usage: USAGE, words: 1 });
renewFigures(readOrLeave(words[0] ?? 'reports/proof/results.jsonl'));
