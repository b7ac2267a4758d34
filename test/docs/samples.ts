// `npm run docs:samples`: updates the README's samples from a real run.
import { writeFileSync } from 'node:fs';
import { readPage } from './pages.ts';
import { makeSamples, shownSamples } from './sample-run.ts';

const shown = shownSamples();
const made = await makeSamples();
const page = readPage('README.md')
  .replace(shown.failure, () => made.failure)
  .replace(shown.ending, () => made.ending);
writeFileSync(new URL('../../README.md', import.meta.url), page);
