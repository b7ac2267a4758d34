import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { processorTime } from '../../test/support/program.ts';
import { inertJson, inertMarks, inertText, inertXml } from './inert.ts';

const COMMANDS = [
  '::error::x',
  '  ::add-mask::x',
  '::stop-commands::x',
  ':::set-env name=x::y',
  '##[error]x',
  'a ##[command]x',
  '##vso[task.setvariable variable=PATH]x',
  'a ##VSO[x]',
  "##teamcity[buildStop comment='x']",
  '###teamcity[x]',
  '\\\\##[x] \\::y::',
];
const OBEYED = /^\s*::.*::|##[a-z]*\[/im;

describe('inertText', () => {
  test.each(COMMANDS)('breaks %s at the start of a line, once and for all', (command) => {
    const text = inertText(`before\n${command}\nbehind`);
    expect(text).not.toMatch(OBEYED);
    expect(inertText(text)).toBe(text);
  });

  test.each(['\n', '\r', ' \n', '\u2028', '::', ':: \n'])('is quick for a hundred thousand times %j', (piece) => {
    const text = piece.repeat(100_000);
    expect(processorTime(() => inertText(text))).toBeLessThan(1_000);
  });

  test('leaves other text unchanged', () => {
    const text = 'http://[::1]:8080/v1 a::b::c ## heading [x] C## x\n::\n#[x]';
    expect(inertText(text)).toBe(text);
  });
});

test('inertMarks keeps our own commands', () => {
  expect(inertMarks('::error title=x::a ##vso[y]')).toBe('::error title=x::a #\u266fvso[y]');
});

test.each(COMMANDS)('inertJson breaks %s and changes no value', (command) => {
  const value = { [command]: [command, `\\${command}`, `"${command}`, { 'a:': ':' }] };
  for (const space of [undefined, 2]) {
    const json = inertJson(JSON.stringify(value, undefined, space));
    expect(json).not.toMatch(/::|##[a-z]*\[/i);
    expect(JSON.parse(json)).toEqual(value);
  }
});

test.each(COMMANDS)('inertXml breaks %s and changes no text', (command) => {
  const xml = `<a b="${inertXml(command)}">${inertXml(command)}</a>`;
  expect(xml).not.toMatch(/::|##[a-z]*\[/i);
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', htmlEntities: true, trimValues: false });
  expect(parser.parse(xml)).toEqual({ a: { '@b': command, '#text': command } });
});
