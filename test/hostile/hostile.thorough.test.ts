import { describe, expect, test } from 'vitest';
import { oneOfEach } from '../../proof/spread.ts';
import { needs } from '../support/tool.ts';
import { attacks, complaints, runAgainst } from './attack-run.ts';
import { HOSTILE_KEY } from './attacker.ts';
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

test('attacks have unique names', () => {
  expect(attacks.length).toBeGreaterThan(50);
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
});

// A sample that runs in minutes at each change; `npm run hostile` runs all of them, as a table with time and memory.
const EVERY_ATTACK = 5;
const someAttacks = oneOfEach(attacks, EVERY_ATTACK);

describe('the gate', () => {
  test.for(someAttacks)('stands a server that $does', async (attack, context) => {
    needs(context, ...(attack.needs ?? []));
    const ended = await runAgainst(attack);
    expect(complaints(attack, ended), ended.output).toEqual([]);
  });
});
