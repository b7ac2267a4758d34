import { describe, expect, test } from 'vitest';
import { HOSTILE_KEY } from './forward.ts';
import { EVIL_ELEMENT, EVIL_HOST, outputProblems } from './outputs.ts';

describe('outputProblems', () => {
  test.each([
    ['a piece of the key', 'report.json', JSON.stringify({ message: `x${HOSTILE_KEY.slice(0, 8)}` })],
    ['JSON that is none', 'report.har', '{'],
    ['XML that is none', 'junit.xml', '<a><b></a>'],
    ['a control character', 'summary.md', 'a\u001b]8;;b'],
    ['a character that nobody sees', 'report.html', 'a\u{e0041}b'],
    ['a command of GitHub', 'output', 'a\n ::error::b'],
    ['a command of Azure Pipelines', 'output', 'a ##vso[x]b'],
    ['a link of Markdown', 'summary.md', `[a](https://${EVIL_HOST})`],
    ['an address that GitHub would link', 'summary.md', `see https://${EVIL_HOST}/x`],
    ['an image', 'report.html', `<img src="//${EVIL_HOST}/x">`],
    ['an element', 'report.html', `<p><${EVIL_ELEMENT}>`],
    ['an event', 'report.html', '<p onclick="x">'],
  ])('finds %s', (_what, name, text) => {
    expect(outputProblems(name, text)).toHaveLength(1);
  });

  test("accepts what only shows a service's texts", () => {
    expect(outputProblems('report.html', `<p>&lt;${EVIL_ELEMENT}&gt; https://${EVIL_HOST} onclick=x</p>`)).toEqual([]);
    expect(outputProblems('summary.md', `\`https://${EVIL_HOST}\` \\[a](b)`)).toEqual([]);
    expect(outputProblems('output', 'a ::error::b http://[::1]/v1')).toEqual([]);
  });
});
