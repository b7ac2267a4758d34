import { expect, test } from 'vitest';
import { codeBlocks, readPage } from './code-blocks.ts';
import { commandsOf } from './command-lines.ts';
import { makeSamples, shownSamples, withoutFigures } from './sample-run.ts';

test('The README shows what a run prints: npm run docs:samples.', async () => {
  const shown = shownSamples();
  const made = await makeSamples();
  expect(made.failure).toContain('FAIL list.limit-maximum');
  expect(withoutFigures(shown.failure)).toBe(withoutFigures(made.failure));
  expect(withoutFigures(shown.ending)).toBe(withoutFigures(made.ending));
});

test('The README names the server that its sample is of.', () => {
  const inline = [...readPage('README.md').matchAll(/`(npm run -s cli -- reference [^`]+)`/g)].map(([, line = '']) => line);
  expect(commandsOf(inline.join('\n')).map((words) => words.slice(words.indexOf('reference')).join(' '))).toEqual([
    'reference --port 4077 --api-key petstore-demo --seed-animals 30 --fault limit-plus-one',
  ]);
  expect(codeBlocks('README.md').filter(({ language }) => language === '')).toHaveLength(2);
});
