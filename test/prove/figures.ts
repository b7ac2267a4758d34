// `npm run prove:figures`: docs/internals/proof.md from the results of a whole proof.
import { writeFileSync } from 'node:fs';
import { readCommandLine } from '../support/command-line.ts';
import { DOCUMENT, renderFigures } from './render-figures.ts';
import { readOrLeave } from './result-file.ts';

const USAGE = `Usage: npm run prove:figures -- [FILE]

Writes docs/internals/proof.md from the results of a whole proof (default: reports/proof/results.jsonl).`;
const { words } = readCommandLine({ usage: USAGE, words: 1 });
writeFileSync(DOCUMENT, renderFigures(readOrLeave(words[0] ?? 'reports/proof/results.jsonl')));
