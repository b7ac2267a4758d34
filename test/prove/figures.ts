// `npm run prove:figures`: docs/proof.md from the results of a whole proof.
import { writeFileSync } from 'node:fs';
import { DOCUMENT, renderFigures } from './render-figures.ts';
import { readResults } from './result-file.ts';

const [file = 'reports/proof/results.jsonl'] = process.argv.slice(2);
writeFileSync(DOCUMENT, renderFigures(readResults(file)));
