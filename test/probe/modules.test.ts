import { describe, expect, onTestFinished, test } from 'vitest';
import { createRotation } from '../../src/probe/rotation/rotation.ts';
import { rotatingChecks } from '../../src/probe/rotation/turns.ts';
import { startReference } from '../../src/reference/server.ts';
import { clauses } from '../../suites/index.ts';
import { ownFolder } from '../support/program.ts';
import { loadText } from './load-text.ts';
import { startMonitor } from './running-monitor.ts';
import { KEY, memoryHistory } from './samples.ts';

const withLines = (lines: string, ofTarget = ''): string =>
  `${lines}targets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n${ofTarget}`;

describe('the checks of a configuration', () => {
  test('A target has its own values or those of the defaults, and a module replaces both.', () => {
    const head =
      'defaults: { only: [list-pets], timeout: 3s, strict: true }\nmodules: { reads: { only: [get-pet], deadline: 4s, rate: 5 }, same: {} }\n';
    const { config, problems } = loadText(withLines(head, '    depth: standard\n    rate: 9\n    budget: 40\n'));
    expect(problems).toBe('');
    const [target] = config?.targets ?? [];
    if (config === undefined || target === undefined) throw new Error('no target');
    expect(target).toMatchObject({
      only: ['list-pets'],
      timeout: 3_000,
      strict: true,
      depth: 'standard',
      rate: 9,
      rotation: { budget: 40 },
    });
    const module = (name: string) => config.modules.get(name)?.(target);
    expect(module('reads')).toMatchObject({ name: 'production', only: ['get-pet'], timeout: 3_000, deadline: 4_000, rate: 5 });
    expect(module('same')).toEqual({ ...target, rotation: { ...target.rotation, budget: 0 } });
  });

  test.for([
    [
      'a pattern of a target that matches nothing',
      withLines('', '    skip: [list.uniq]\n'),
      'FILE:5: targets[0].skip[0]: "list.uniq" matches no chapter, no clause and no check: did you mean list.unique',
    ],
    ['a pattern of the defaults', withLines('defaults: { only: [lists] }\n'), 'FILE:1: defaults.only[0]: "lists" matches no chapter'],
    ['a pattern of a module', withLines('modules: { a: { only: [lists] } }\n'), 'FILE:1: modules.a.only[0]: "lists" matches no chapter'],
    [
      'a selection of nothing that a run of the probe asks',
      withLines('', '    only: [create.name-type]\n'),
      'FILE:5: targets[0].only: selects none of the checks that each run makes',
    ],
    [
      'a module with an interval',
      withLines('modules: { a: { interval: 5s } }\n'),
      'FILE:1: modules.a.interval: not a field of the configuration',
    ],
    [
      'a depth that there is not',
      withLines('', '    depth: deep\n'),
      'FILE:5: targets[0].depth: expected one of quick, standard, thorough, received "deep"',
    ],
    ['waivers that are a number', withLines('', '    waivers: 5\n'), 'FILE:5: targets[0].waivers: expected a list or a text, received 5'],
    [
      'a file of waivers that is not there',
      withLines('', '    waivers: known.yaml\n'),
      'FILE:5: targets[0].waivers: cannot read the waivers from known.yaml: ENOENT',
    ],
  ] as const)('Line and field are named of %s.', ([, text, wanted]) => {
    expect(loadText(text).problems).toContain(wanted);
  });
});

describe('the rotation of a selection', () => {
  const rotation = createRotation({ clauses, history: memoryHistory(), wall: () => 90_000_000 });

  test('Only what a target selects rotates and is counted.', () => {
    const lists = { name: 'production', only: ['list-pets'], skip: [], rotation: { budget: 20, nearMisses: false } };
    const { kinds } = rotation.of(lists);
    const checks = new Map(kinds.map(({ check, clause }) => [check.id, clause]));
    expect(checks.size).toBeGreaterThan(10);
    expect([...checks.values()].every(({ chapter }) => chapter === 'list-pets')).toBe(true);
    const { of, leftOut } = rotation.coverage(lists);
    expect(of + leftOut).toBe([...checks.values()].filter(({ level }) => level !== 'open').length);
    const everything = rotation.of({ name: 'production', rotation: lists.rotation }).kinds;
    expect(new Set(everything.map(({ check }) => check.id)).size).toBe(rotatingChecks(clauses).length);
  });

  test('A single run begins elsewhere each minute, and all minutes together reach every check within the budget.', () => {
    const target = { name: 'production', rotation: { budget: 20, nearMisses: false } };
    const firsts = Array.from({ length: 60 }, (_unused, minute) => {
      const alone = createRotation({ clauses, history: memoryHistory(), wall: () => minute * 60_000 }).alone(target);
      return alone.kinds[0]?.check.id;
    });
    expect(new Set(firsts).size).toBeGreaterThan(20);
  });
});

test('/probe uses a module, reports an unknown one, and sends more only if its budget allows it.', async () => {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 12, faults: ['missing-animal-bad-request'] });
  onTestFinished(() => reference.close());
  const monitor = await startMonitor(
    `server: { port: 0 }
schedule: false
modules: { lists: { only: [list-pets] }, turns: { only: [list-pets], budget: 30 } }
targets: [{ name: production, baseUrl: "${reference.baseUrl}", apiKey: env:KEY, latencyLimit: 10s, deadline: 20s }]
`,
    ownFolder(),
  );
  const probe = async (query: string): Promise<string> => (await fetch(`${monitor.url}/probe?target=production${query}`)).text();
  const passed = (text: string): number => Number(/petstore_probe_clauses\{verdict="pass"\} (\d+)/.exec(text)?.[1]);
  expect(await probe('')).toContain('probe_success 0');
  const lists = await probe('&module=lists');
  expect(lists).toContain('probe_success 1');
  const turns = await probe('&module=turns');
  expect(turns).toContain('probe_success 1');
  expect(passed(turns)).toBeGreaterThanOrEqual(passed(lists));
  const unknown = await fetch(`${monitor.url}/probe?target=production&module=gets`);
  expect([unknown.status, await unknown.text()]).toEqual([400, 'no module with that name is configured\n']);
});
