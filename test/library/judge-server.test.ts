import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference as startDeviating } from '../../proof/server.ts';
import { judgeOptions, targetOptions } from '../../src/cli/options.ts';
import {
  createJudge,
  defineClause,
  judgeServer,
  NothingToJudgeError,
  OwnClauseError,
  petsOf,
  type ReferenceOptions,
  type ReferenceServer,
  reporters,
  resolveSessionOptions,
  SESSION_DEFAULTS,
  startReference,
  statusOf,
} from '../../src/index.ts';

const KEY = 'lib-7Qw2zX5rB8vN';

async function served(starting: Promise<ReferenceServer>): Promise<string> {
  const server = await starting;
  onTestFinished(() => server.close());
  return server.baseUrl;
}

const reference = (options: Omit<ReferenceOptions, 'apiKey'> = {}) => served(startReference({ apiKey: KEY, seedAnimals: 7, ...options }));
const variant = (name: string) => served(startDeviating({ apiKey: KEY, seedAnimals: 7, variants: [name] }));

const ownClause = (id: `${string}:${string}.${string}`) =>
  defineClause({
    id,
    section: 'House rules, 1',
    level: 'required',
    requirement: 'The house has rules.',
    likelyCause: 'There are none.',
    rules: [{ layer: 'values', judge: ({ status }) => (status === 200 ? 'holds' : 'not-applicable') }],
    rows: [{ op: 'list' }],
  });

describe('judgeServer', () => {
  test('gives the record of a conforming server, as the gate does', async () => {
    const record = await judgeServer(await reference(), { apiKey: KEY, depth: 'quick' });
    expect(record.conclusion).toMatchObject({ exitCode: 0 });
    expect(record.clauses.length).toBeGreaterThan(70);
    expect(record.clauses.every(({ verdict }) => verdict !== 'fail')).toBe(true);
  });

  test('finds what is broken, and nothing else', async () => {
    const record = await judgeServer(await reference({ faults: ['limit-plus-one'] }), { apiKey: KEY, only: ['list.*'] });
    expect(record.conclusion.exitCode).toBe(1);
    expect(record.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['list.limit-maximum']);
  });

  test('says after a run on an empty store how many animals a next one creates, which fills it no more', async () => {
    const address = await reference({ seedAnimals: 0 });
    const options = { apiKey: KEY, depth: 'quick', only: ['list.*'], seed: 4 } as const;
    const { animals: first } = await judgeServer(address, options);
    expect(first.created.length).toBeGreaterThan(10);
    const record = await judgeServer(address, options);
    const { animals: next } = record;
    expect(next.nextRun).toBeUndefined();
    expect(Math.abs((first.nextRun ?? 0) - next.created.length)).toBeLessThanOrEqual(5);
    expect(reporters.terminal({ ...record, animals: first }).replaceAll(/\s+/g, ' ')).toContain(
      `(a next run creates about ${first.nextRun})`,
    );
  });

  test('returns a record that says so when nothing listens', async () => {
    const record = await judgeServer('http://127.0.0.1:9/v1', { apiKey: KEY });
    expect(record.conclusion.exitCode).toBe(3);
    expect(record.clauses).toEqual([]);
  });

  test('returns a record that says so when the key is wrong', async () => {
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
      rules: [
        {
          layer: 'values',
          judge({ pets }) {
            if (pets === undefined) return 'not-applicable';
            return pets.length === 0 ? 'holds' : { summary: 'GET /pets shows animals', expected: ['none'], received: 'some' };
          },
        },
      ],
      rows: [{ op: 'list' }],
    });
    const record = await judgeServer(await reference(), {
      apiKey: KEY,
      only: ['acme:*', 'list.success'],
      ownClauses: [ownClause('acme:house.rules'), broken],
    });
    expect(record.conclusion).toMatchObject({ exitCode: 1 });
    expect(record.clauses.find(({ id }) => id === 'acme:house.rules')).toMatchObject({ verdict: 'pass' });
    for (const render of [reporters.junit, reporters.json, reporters.html]) {
      expect(render(record)).toContain('acme:house.rules');
    }
    for (const render of [reporters.terminal, reporters.junit, reporters.json, reporters.html, reporters.markdown]) {
      expect(render(record)).toContain('acme:list.short');
    }
  });
});

describe('a rule without requests of its own', () => {
  const uniqueNames = defineClause({
    id: 'acme:create.unique-names',
    section: 'House rules, 3',
    level: 'required',
    requirement: 'A name that an animal has is not given to another one.',
    likelyCause: 'There is no unique index.',
    rules: [
      {
        layer: 'history',
        judge({ intent, sent, status }, { known }) {
          const owner = known.created.values().find((animal) => animal.sent.name === intent.sent?.name && animal.createdAt < sent);
          if (owner === undefined || status === undefined) return 'not-applicable';
          return status === 201 ? { summary: 'a name was given twice', expected: ['a rejection'], received: '201' } : 'holds';
        },
      },
    ],
  });
  const verdictFor = async (baseUrl: string) => {
    const { clauses } = await judgeServer(baseUrl, { apiKey: KEY, ownClauses: [uniqueNames] });
    return clauses.find(({ id }) => id === uniqueNames.id)?.verdict;
  };

  test('judges what the suite sends', async () => {
    expect(await verdictFor(await reference())).toBe('fail');
    expect(await verdictFor(await variant('name-unique-409'))).toBe('pass');
  });
});

describe('clauses from outside', () => {
  test('have invariants that run as those for version 1 did', async () => {
    const invariants = defineClause({
      id: 'acme:list.ids',
      section: 'House rules, 4',
      level: 'required',
      requirement: 'Ids are positive.',
      likelyCause: 'They are hashes.',
      invariants: [
        {
          id: 'every-list',
          title: 'Lists show positive ids',
          judge(exchange, { seen }) {
            if (exchange.request.intent.operation !== 'listPets' || statusOf(exchange) !== 200 || seen.size === 0) return 'not-applicable';
            const wrong = petsOf(exchange).find(({ id }) => id <= 0n);
            return wrong === undefined ? 'holds' : { summary: 'an id is not positive', expected: ['1'], received: String(wrong.id) };
          },
        },
      ],
    });
    for (const [baseUrl, verdict] of [
      [await reference(), 'pass'],
      [await variant('ids-negative'), 'fail'],
    ] as const) {
      const record = await judgeServer(baseUrl, {
        apiKey: KEY,
        only: ['acme:*', 'list.success'],
        ownClauses: [invariants],
      });
      expect(record.clauses.find(({ id }) => id === 'acme:list.ids')).toMatchObject({ verdict });
    }
  });

  test('that throw are reported, and the verdicts on all others stay', async () => {
    const thrower = defineClause({
      id: 'acme:list.thrower',
      section: 'House rules, 5',
      level: 'required',
      requirement: 'It throws.',
      likelyCause: 'A typing error.',
      rules: [
        {
          layer: 'values',
          judge: () => {
            throw new Error('not today');
          },
        },
      ],
    });
    const ownClauses = [thrower, ownClause('acme:house.rules')];
    const { conclusion, clauses } = await judgeServer(await reference(), { apiKey: KEY, only: ['acme:*', 'list.success'], ownClauses });
    expect(conclusion).toMatchObject({
      exitCode: 3,
      reasons: [expect.stringContaining('acme:list.thrower threw an error instead of judging')],
    });
    expect(clauses.find(({ id }) => id === 'acme:house.rules')).toMatchObject({ verdict: 'pass' });
  });
});

describe('createJudge', () => {
  test('rejects each clause when nothing listens', async () => {
    const judge = createJudge({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: KEY });
    await expect(judge.clauses[0]?.judge()).rejects.toThrow(NothingToJudgeError);
    expect((await judge.finish()).conclusion.exitCode).toBe(3);
  });

  test('judges everything that was selected, whichever clause is judged first', async () => {
    const judge = createJudge({ baseUrl: await reference({ faults: ['limit-plus-one'] }), apiKey: KEY, only: ['list.*'] });
    const clause = judge.clauses.find(({ id }) => id === 'list.success');
    expect(await clause?.judge()).toMatchObject({ verdict: 'pass' });
    const { conclusion, clauses } = await judge.finish();
    expect(conclusion.exitCode).toBe(1);
    expect(clauses.map(({ id }) => id)).toEqual(judge.clauses.map(({ id }) => id));
    expect(await clause?.judge()).toEqual(clauses.find(({ id }) => id === clause?.id));
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
    const { readOnly, maxCreates, concurrency, timeout, consistencyWindow, waitForReady, rate } = targetOptions;
    const ofCommandLine = { readOnly, maxCreates, concurrency, timeout, consistencyWindow, waitForReady, rate };
    for (const [name, { fallback }] of Object.entries(ofCommandLine)) expect(SESSION_DEFAULTS, name).toMatchObject({ [name]: fallback });
    expect(SESSION_DEFAULTS.depth).toBe(judgeOptions.depth.fallback);
  });

  test.for([
    ['not an address', { baseUrl: 'petstore', apiKey: KEY }],
    ['another protocol', { baseUrl: 'ftp://petstore/v1', apiKey: KEY }],
    ['a login in the address', { baseUrl: 'http://user:SECRET@127.0.0.1/v1', apiKey: KEY }],
    ['a login in an address of another protocol', { baseUrl: 'ftp://user:SECRET@127.0.0.1/v1', apiKey: KEY }],
    ['a proxy that is none', { baseUrl: 'http://127.0.0.1/v1', apiKey: KEY, proxy: 'socks5://user:SECRET@127.0.0.1:1080' }],
    ['no key', { baseUrl: 'http://127.0.0.1/v1', apiKey: '' }],
    ['a key with a line end', { baseUrl: 'http://127.0.0.1/v1', apiKey: `${KEY}\n` }],
  ] as const)('rejects %s', ([, input]) => {
    const error = expect.objectContaining({ name: 'TypeError', message: expect.not.stringContaining('SECRET') });
    expect(() => resolveSessionOptions(input)).toThrow(error);
  });
});
