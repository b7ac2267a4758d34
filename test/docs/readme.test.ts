import { expect, test } from 'vitest';
import { codeBlocks, readPage } from './code-blocks.ts';
import { makeSamples, SAMPLE_COMMAND, shownSamples, withoutFigures } from './sample-run.ts';

test('The README shows what a run prints: npm run docs:samples.', async () => {
  const shown = shownSamples();
  const made = await makeSamples();
  expect(made.failure).toContain('FAIL list.limit-maximum');
  expect(withoutFigures(shown.failure)).toBe(withoutFigures(made.failure));
  expect(withoutFigures(shown.ending)).toBe(withoutFigures(made.ending));
});

test('The README names the command that its sample is of.', () => {
  expect(readPage('README.md')).toContain(`\`${SAMPLE_COMMAND}\``);
  expect(codeBlocks('README.md').filter(({ language }) => language === '')).toHaveLength(2);
});
