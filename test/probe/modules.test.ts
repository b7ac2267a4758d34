import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../proof/server.ts';
import { NO_CLAUSES, suiteWith } from '../../src/probe/suite.ts';
import { TurnKeeping } from '../../src/probe/turn-keeping.ts';
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
    const { config, problems } = loadText(withLines(head, '    rate: 9\n    budget: 40\n'));
    expect(problems).toBe('');
    const [target] = config?.targets ?? [];
    if (config === undefined || target === undefined) throw new Error('no target');
    expect(target).toMatchObject({
      only: ['list-pets'],
      timeout: 3_000,
      strict: true,
      rate: 9,
      turns: { budget: 40 },
    });
    const module = (name: string) => config.modules.get(name)?.(target);
    expect(module('reads')).toMatchObject({ name: 'production', only: ['get-pet'], timeout: 3_000, deadline: 4_000, rate: 5 });
    expect(module('same')).toEqual({ ...target, turns: { ...target.turns, budget: 0 } });
  });

  test.for([
    [
      'a pattern of a target that matches nothing',
      withLines('', '    skip: [list.uniq]\n'),
      'FILE:5: targets[0].skip[0]: "list.uniq" matches no chapter and no clause: did you mean list.unique',
    ],
    ['a pattern of the defaults', withLines('defaults: { only: [lists] }\n'), 'FILE:1: defaults.only[0]: "lists" matches no chapter'],
    ['a pattern of a module', withLines('modules: { a: { only: [lists] } }\n'), 'FILE:1: modules.a.only[0]: "lists" matches no chapter'],
    [
      'a selection of nothing that a run of the probe asks',
      withLines('', '    only: [create.name-type]\n'),
      'FILE:5: targets[0].only: selects none of the clauses that each run judges',
    ],
    [
      'a module with an interval',
      withLines('modules: { a: { interval: 5s } }\n'),
      'FILE:1: modules.a.interval: not a field of the configuration',
    ],
    [
      'a kind of changes that there is not',
      withLines('', '    alertOnChanges: [weather]\n'),
      'FILE:5: targets[0].alertOnChanges[0]: expected one of behavior, animal, list, deprecation, received "weather"',
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

describe('the plan of a selection', () => {
  const { planOf, selected } = suiteWith(NO_CLAUSES);
  const target = { name: 'production', budget: 20, nearMisses: false };
  const keepingAt = (wall: number) => new TurnKeeping({ planOf, history: memoryHistory(), wall: () => wall });

  test('Only what is sent for the sake of selected clauses is in it, and counted.', () => {
    const only = selected({ only: ['list-pets'], skip: [] });
    if (only === undefined) throw new Error('a selection is needed');
    const keeping = keepingAt(90_000_000);
    const lists = keeping.coverage({ ...target, only });
    expect(lists.of).toBeGreaterThan(100);
    expect(lists.of).toBeLessThan(keeping.coverage(target).of);
    expect(selected({ only: ['list-pets'], skip: [] })).toBe(only);
  });

  test('A single run begins elsewhere each minute.', () => {
    const firsts = Array.from({ length: 60 }, (_unused, minute) => keepingAt(minute * 60_000).alone(target)?.planned.rows[0]);
    expect(new Set(firsts).size).toBeGreaterThan(50);
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
