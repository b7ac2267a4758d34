import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { changeWaivers, parseWaivers } from './waiver-file.ts';

const schema = ajvFormats
  .default(new Ajv2020({ strict: false }), ['date'])
  .compile(JSON.parse(readFileSync(new URL('../../schemas/waivers.schema.json', import.meta.url), 'utf8')));
const entry = 'id: list.success\n    reason: known\n    expires: 2027-01-31';
const file = (text: string) => `waivers:\n  - ${text}\n`;

test('parseWaivers reads YAML and JSON alike, and the schema for editors accepts both', () => {
  const wanted = [{ id: 'list.success', reason: 'known', ticket: 'OPS-1', expires: '2027-01-31' }];
  const yaml = file(`${entry}\n    ticket: OPS-1`);
  const json = JSON.stringify({ $schema: './waivers.schema.json', waivers: wanted });
  expect(parseWaivers(yaml, 'w.yaml')).toEqual(wanted);
  expect(parseWaivers(json, 'w.json')).toEqual(wanted);
  expect([schema(parse(yaml)), schema(JSON.parse(json))]).toEqual([true, true]);
});

test('parseWaivers reads a list that has no entries yet', () => {
  expect(parseWaivers('waivers: []', 'w.yaml')).toEqual([]);
  expect(parseWaivers('waivers:\n# none left\n', 'w.yaml')).toEqual([]);
});

test.each([
  ['text that is no YAML', 'waivers: [', 'w.yaml is neither YAML nor JSON'],
  ['another document', 'name: x', 'has no list "waivers"'],
  ['an empty file', '', 'has no list "waivers"'],
  ['a member beside the list', `${file(entry)}waiver: []`, 'unknown field "waiver"'],
  ['an entry that is a text', file('list.success'), 'waiver 1 is not an object'],
  ['no id', file('reason: known\n    expires: 2027-01-31'), 'has no "id"'],
  ['no reason', file('id: list.success\n    expires: 2027-01-31'), 'waiver 1 (list.success) has no "reason"'],
  ['an empty reason', file('id: list.success\n    reason: " "\n    expires: 2027-01-31'), 'has no "reason"'],
  ['no expiry', file('id: list.success\n    reason: known'), 'has no "expires"'],
  [
    'an expiry that is no day',
    file('id: list.success\n    reason: known\n    expires: 2027-02-30'),
    'expires "2027-02-30", which is not a date',
  ],
  ['an expiry that is a word', file('id: list.success\n    reason: known\n    expires: soon'), 'expires "soon", which is not a date'],
  [
    'an expiry that is a month',
    file('id: list.success\n    reason: known\n    expires: 2027-01'),
    'expires "2027-01", which is not a date',
  ],
  ['a misspelt member', file(`${entry}\n    expiry: 2027-01-31`), 'unknown field "expiry"'],
])('parseWaivers rejects %s in one sentence', (_case, text, sentence) => {
  expect(() => parseWaivers(text, 'w.yaml')).toThrow(sentence);
});

test('parseWaivers says in one line what is wrong with YAML', () => {
  expect(() => parseWaivers('waivers: [', 'w.yaml')).toThrow(/^w\.yaml is neither YAML nor JSON: \w.*$/);
});

test('parseWaivers ignores blanks around a text', () => {
  const [read] = parseWaivers(file('id: " list.success"\n    reason: " known "\n    expires: 2027-01-31'), 'w.yaml');
  expect(read).toEqual({ id: 'list.success', reason: 'known', expires: '2027-01-31' });
});

const kind = { operation: 'listPets', place: 'HTTP status', expected: '200', received: '5xx' } as const;
const found = { kind, comment: 'found' } as const;
const NOTHING = { file: 'w.yaml', added: [], bound: new Map(), removed: new Set<number>() };
const filledIn = (text: string): string =>
  text.replace(/(?<=reason"?: ).*TO BE.*\?"?/g, '"known"').replace(/(?<=expires"?: )"TO BE.*"/g, '"2027-01-31"');

test('changeWaivers keeps comments and entries, and what it adds is rejected until a reason and a day are written', () => {
  const added = changeWaivers(`# ours\n${file(`${entry} # until the move`)}`, { ...NOTHING, added: [{ id: 'get.success', ...found }] });
  expect(added).toContain('# ours');
  expect(added).toContain('# until the move');
  expect(() => parseWaivers(added, 'w.yaml')).toThrow('waiver 2 (get.success) still has no reason');
  const reasoned = added.replace(/"TO BE WRITTEN: why.*"/, 'the gateway');
  expect(() => parseWaivers(reasoned, 'w.yaml')).toThrow(
    'waiver 2 (get.success) still has no expiry date: write the last day on which the failure is accepted, such as 2027-01-31',
  );
  expect(parseWaivers(filledIn(added), 'w.yaml')[1]).toEqual({ id: 'get.success', ...kind, reason: 'known', expires: '2027-01-31' });
});

test('changeWaivers writes one block per entry, and leaves long lines as they are', () => {
  const reason = 'the gateway of the old data centre answers so until it is moved, which the team of the platform plans for winter';
  const added = changeWaivers(file(`id: a.b\n    reason: ${reason}\n    expires: 2027-01-31`), {
    ...NOTHING,
    added: [{ id: 'c.d', ...found }],
  });
  expect(added).toContain(`    reason: ${reason}\n`);
  const condition = 'only with limit=37';
  expect(changeWaivers('waivers: []', { ...NOTHING, added: [{ id: 'c.d', ...found, condition, flaky: true }] })).toBe(
    `waivers:
  # found
  - id: c.d
    operation: listPets
    place: HTTP status
    expected: "200"
    received: 5xx
    condition: only with limit=37
    reason: "TO BE WRITTEN: why is this accepted for now?"
    expires: "TO BE WRITTEN: the last day, such as 2027-01-31"
    flaky: true
`,
  );
});

test('changeWaivers treats an empty file as missing, and another document as a mistake', () => {
  const add = (text: string) => changeWaivers(text, { ...NOTHING, added: [{ id: 'a.b', ...found }] });
  for (const empty of ['', ' \n']) expect(add(empty)).toMatch(/^# Known failures[\s\S]*\nwaivers:\n {2}# found\n {2}- id: a\.b\n/);
  expect(add('# ours\nwaivers:\n')).toMatch(/^# ours\nwaivers:\n {2}# found\n {2}- id: a\.b\n/);
  for (const other of ['name: x', 'waivers: none']) expect(() => add(other)).toThrow('w.yaml has no list "waivers" at the top level');
});

test('changeWaivers writes JSON into a JSON file', () => {
  const text = changeWaivers('{"waivers":[]}', { ...NOTHING, file: 'w.json', added: [{ id: 'a.b', ...found }] });
  expect(JSON.parse(text)).toMatchObject({ waivers: [{ id: 'a.b', ...kind }] });
});

test('changeWaivers creates a missing file, in YAML or in JSON, whose entries satisfy the schema once they are filled in', () => {
  for (const name of ['w.yaml', 'w.json']) {
    const text = changeWaivers(undefined, {
      ...{ ...NOTHING, file: name },
      added: [
        { id: 'a.b', ...found },
        { id: 'c.d', ...found, flaky: true },
      ],
    });
    expect(schema(parse(text))).toBe(false);
    expect(schema(parse(filledIn(text)))).toBe(true);
    expect(parseWaivers(filledIn(text), name).map(({ id, flaky }) => [id, flaky])).toEqual([
      ['a.b', undefined],
      ['c.d', true],
    ]);
  }
});

test('changeWaivers says above each entry what was found, in one line, and takes others out with their comments', () => {
  const text = changeWaivers(
    'waivers:\n  # ours\n  - id: a.b\n    reason: x\n    expires: 2027-01-31\n  # old\n  - {id: c.d, reason: y, expires: 2027-01-31}\n',
    {
      ...NOTHING,
      added: [{ id: 'e.f', kind, comment: `GET /pets\nreturned 500 ${'x'.repeat(300)}` }],
      removed: new Set([1]),
    },
  );
  expect(text).toContain('# ours');
  expect(text).not.toContain('c.d');
  expect(text).toMatch(/\n {2}# GET \/pets returned 500 x{136}…\n {2}- id: e\.f\n/);
});

test('changeWaivers turns an entry for every failure into one for each kind, with its reason, day, ticket, and comments', () => {
  const text =
    'waivers:\n  # the move\n  - id: a.b # old\n    reason: x # really\n    ticket: T-1\n    expires: 2027-01-31\n  - id: c.d\n    reason: y\n    expires: 2027-01-31\n';
  const other = { ...kind, received: '4xx' };
  const bound = new Map([[0, [found, { kind: other, condition: 'only alone', comment: 'another' }]]]);
  const changed = changeWaivers(text, { ...NOTHING, bound });
  const rest = { reason: 'x', ticket: 'T-1', expires: '2027-01-31' };
  expect(parseWaivers(changed, 'w.yaml')).toEqual([
    { id: 'a.b', ...kind, ...rest },
    { id: 'a.b', ...other, condition: 'only alone', ...rest },
    { id: 'c.d', reason: 'y', expires: '2027-01-31' },
  ]);
  for (const comment of ['# the move', '# old', '# really', '  # another\n  - id: a.b']) expect(changed).toContain(comment);
});

test.each([
  ['an operation that there is not', 'operation: lists', 'has operation: lists; expected listPets, createPet, getPet'],
  ['flaky as a text', 'flaky: sometimes', 'has flaky: "sometimes"; write true if the failure comes and goes, or leave it out'],
  ['an empty place', 'place: ""', 'has no "place"'],
])('parseWaivers rejects %s', (_case, line, sentence) => {
  expect(() => parseWaivers(file(`${entry}\n    ${line}`), 'w.yaml')).toThrow(sentence);
});
