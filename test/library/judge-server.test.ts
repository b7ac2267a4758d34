import { describe, expect, onTestFinished, test } from 'vitest';
import { judgeOptions, targetOptions } from '../../src/cli/options.ts';
import {
  createJudge,
  defineClause,
  failOr,
  judgeServer,
  NothingToJudgeError,
  OwnClauseError,
  pass,
  type ReferenceOptions,
  reporters,
  resolveSessionOptions,
  SESSION_DEFAULTS,
  startReference,
} from '../../src/index.ts';

const KEY = 'lib-7Qw2zX5rB8vN';

async function reference(options: Omit<ReferenceOptions, 'apiKey'> = {}): Promise<string> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, ...options });
  onTestFinished(() => server.close());
  return server.baseUrl;
}

const ownClause = (id: `${string}:${string}.${string}`, evidence = 'seen') =>
  defineClause({
    id,
    section: 'House rules, 1',
    level: 'required',
    requirement: 'The house has rules.',
    likelyCause: 'There are none.',
    checks: [{ id: 'kept', title: 'They are kept', step: 'read', given: [], run: async () => pass(evidence) }],
  });

describe('judgeServer', () => {
  test('gives the record of a conforming server, as the gate does', async () => {
    const record = await judgeServer(await reference(), { apiKey: KEY, depth: 'quick' });
    expect(record.conclusion).toMatchObject({ exitCode: 0 });
    expect(record.clauses.length).toBeGreaterThan(70);
    expect(record.checks.every(({ verdict }) => verdict !== 'fail')).toBe(true);
  });

  test('finds what is broken, and no more', async () => {
    const record = await judgeServer(await reference({ faults: ['limit-plus-one'] }), { apiKey: KEY, only: ['list.*'] });
    expect(record.conclusion.exitCode).toBe(1);
    expect(record.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['list.limit-maximum']);
  });

  test('gives a record that says so when nothing listens', async () => {
    const record = await judgeServer('http://127.0.0.1:9/v1', { apiKey: KEY });
    expect(record.conclusion.exitCode).toBe(3);
    expect(record.checks).toEqual([]);
  });

  test('gives a record that says so when the key is wrong', async () => {
    const record = await judgeServer(await reference(), { apiKey: `${KEY}-not` });
    expect(record.conclusion.exitCode).toBe(1);
  });

  test('judges clauses from outside, which every report shows', async () => {
    const broken = defineClause({
      id: 'acme:list.short',
      section: 'House rules, 2',
      level: 'required',
      requirement: 'The list is short.',
      likelyCause: 'There are many animals.',
      checks: [
        {
          id: 'first',
          title: 'The first list is empty',
          step: 'read',
          given: ['petList'],
          async run(_session, { petList: { exchange } }) {
            return failOr(
              [{ summary: 'GET /pets shows animals', expected: ['none'], received: 'some', exchanges: [exchange] }],
              pass('none'),
            );
          },
        },
      ],
    });
    const record = await judgeServer(await reference(), {
      apiKey: KEY,
      only: ['acme:*', 'list.success'],
      ownClauses: [ownClause('acme:house.rules', 'all of them'), broken],
    });
    expect(record.conclusion).toMatchObject({ exitCode: 1 });
    expect(record.checks.find(({ id }) => id === 'acme:house.rules/kept')).toMatchObject({ verdict: 'pass', note: 'all of them' });
    for (const render of [reporters.junit, reporters.json, reporters.html, reporters.ctrf]) {
      expect(render(record)).toContain('acme:house.rules');
    }
    for (const render of [reporters.terminal, reporters.junit, reporters.json, reporters.html, reporters.markdown, reporters.ctrf]) {
      expect(render(record)).toContain('acme:list.short');
    }
  });
});

describe('createJudge', () => {
  test('rejects each part when nothing listens', async () => {
    const judge = createJudge({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: KEY });
    await expect(judge.parts[0]?.judge()).rejects.toThrow(NothingToJudgeError);
    expect((await judge.finish()).conclusion.exitCode).toBe(3);
  });

  test('judges everything that was selected, whichever part is asked for first', async () => {
    const judge = createJudge({ baseUrl: await reference({ faults: ['limit-plus-one'] }), apiKey: KEY, only: ['list.*'] });
    const part = judge.parts.find(({ id }) => id === 'list.success/without-parameters');
    expect(await part?.judge()).toMatchObject({ verdict: 'pass' });
    const { conclusion, checks } = await judge.finish();
    expect(conclusion.exitCode).toBe(1);
    expect(checks.map(({ id }) => id)).toEqual(judge.parts.map(({ id }) => id));
    expect(await part?.judge()).toEqual(checks.find(({ id }) => id === part?.id));
  });
});

describe('defineClause', () => {
  test.for(['list.success', 'acme:list', 'Acme:list.rule', ':list.rule', 'acme:list.'] as const)('rejects the id %s', (id) => {
    expect(() => ownClause(id as 'a:b.c')).toThrow(OwnClauseError);
  });

  test('does not let two clauses have one id', async () => {
    const ownClauses = [ownClause('acme:house.rules'), ownClause('acme:house.rules')];
    expect(() => createJudge({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: KEY, ownClauses })).toThrow(
      'two clauses with the id acme:house.rules',
    );
  });
});

describe('resolveSessionOptions', () => {
  test('has the defaults of the command line', () => {
    const { readOnly, maxCreates, namePrefix, concurrency, timeout, consistencyWindow, waitForReady, rate } = targetOptions;
    const ofCommandLine = { readOnly, maxCreates, namePrefix, concurrency, timeout, consistencyWindow, waitForReady, rate };
    for (const [name, { fallback }] of Object.entries(ofCommandLine)) expect(SESSION_DEFAULTS, name).toMatchObject({ [name]: fallback });
    expect(SESSION_DEFAULTS.depth).toBe(judgeOptions.depth.fallback);
    expect(SESSION_DEFAULTS.timeBudget).toBe(judgeOptions.timeBudget.fallback * 1000);
  });

  test.for([
    ['not an address', { baseUrl: 'petstore', apiKey: KEY }],
    ['another protocol', { baseUrl: 'ftp://petstore/v1', apiKey: KEY }],
    ['no key', { baseUrl: 'http://127.0.0.1/v1', apiKey: '' }],
    ['a key with a line end', { baseUrl: 'http://127.0.0.1/v1', apiKey: `${KEY}\n` }],
  ] as const)('rejects %s', ([, input]) => {
    expect(() => resolveSessionOptions(input)).toThrow(TypeError);
  });
});
