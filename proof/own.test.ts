// Clauses from outside, judged by the rows: the examples of the documentation, requests of both forms, and mistakes.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { isOwnClause } from '../src/clause/clause-ids.ts';
import { defineClause, errorsOfOwn, type OwnClauseDraft, type OwnRow, type OwnVector, ownClausesOf } from '../src/judge/own-clause.ts';
import type { RunInput, RunResult } from '../src/judge/run.ts';
import { type OwnClause, OwnClauseError, type OwnInvariant, type OwnKind, type OwnRule } from '../src/oracle/own.ts';
import { describeRequest, describeResponse, type OwnEvent, type OwnWorld, petsOf, statusOf } from '../src/oracle/own-view.ts';
import type { SessionOptions } from '../src/session/session.ts';
import { suiteWith } from '../suites/plan/index.ts';
import { WORDING as WORDS } from '../suites/plan/narrowing.ts';
import { probeWith, turnsOf } from '../suites/plan/smoke.ts';
import { codeBlocks } from '../test/docs/pages.ts';
import { ownFolder } from '../test/support/program.ts';
import { KEY } from './judge-reference.ts';
import { runSuiteOn } from './judge-server.ts';
import { type ReferenceOptions, startReference } from './server.ts';

const SOURCES = ['judge/own-clause.ts', 'oracle/own-view.ts'].map((path) => new URL(`../src/${path}`, import.meta.url).href);
const [OWN = '', VIEW = ''] = SOURCES;
const EXAMPLE = readFileSync(new URL('../examples/own-clauses/house-rules.clause.mts', import.meta.url), 'utf8');
const [HEADER = '', POSITIVE = ''] = codeBlocks('docs/own-clauses.md').flatMap(({ language, text }) => (language === 'ts' ? [text] : []));

/** The clauses of a module of a user, loaded as in a run. */
async function load(text: string): Promise<readonly OwnClause[]> {
  const folder = ownFolder();
  const library = join(folder, 'library.mts');
  writeFileSync(library, `export * from ${JSON.stringify(OWN)};\nexport * from ${JSON.stringify(VIEW)};\n`);
  const file = join(folder, 'shown.clause.mts');
  writeFileSync(file, text.replaceAll("'@petstore-conformance/cli'", JSON.stringify(pathToFileURL(library).href)));
  return ownClausesOf((await import(pathToFileURL(file).href)) as Record<string, unknown>, file);
}

/** An example without requests of its own. */
const withoutRows = (text: string): string => text.replaceAll(/^ {4}rows: \[(?:.*\],|\n[\s\S]*?^ {4}\],)$/gm, '');

type Setting = {
  readonly server?: Omit<ReferenceOptions, 'apiKey'>;
  readonly session?: Partial<SessionOptions>;
  readonly changes?: Partial<Omit<RunInput, 'options'>>;
  /** With all that a quick run sends, and not only what they need. */
  readonly isWhole?: true;
};

/** A run with these clauses. */
function runWith(own: readonly OwnClause[], { server, session, changes, isWhole }: Setting = {}): Promise<RunResult> {
  const only = isWhole === true ? {} : { only: new Set(own.map(({ id }) => id)) };
  const start = () => startReference({ seedAnimals: 7, ...server, apiKey: KEY });
  return runSuiteOn(start, { timeout: 10_000, depth: 'quick', ...session }, { ...only, ...suiteWith(own, { apiKey: KEY }), ...changes });
}

const verdictsIn = ({ verdicts }: RunResult): Readonly<Record<string, string>> =>
  Object.fromEntries(verdicts.flatMap(({ clause: { id }, verdict }) => (isOwnClause(id) ? [[id, verdict]] : [])));
const noteOn = ({ verdicts }: RunResult, id: string): string | undefined => verdicts.find(({ clause }) => clause.id === id)?.note;

const WORDING = {
  id: 'acme:list.rule',
  section: 'House rules, 1',
  level: 'required',
  requirement: 'Lists are short.',
  likelyCause: 'There are many animals.',
} as const;
const HOLDS: readonly OwnRule[] = [{ layer: 'values', judge: () => 'holds' }];
type Judging = {
  readonly id?: `acme:${string}.${string}`;
  readonly rules?: readonly OwnRule[];
  readonly met?: readonly OwnKind[];
  readonly invariants?: readonly OwnInvariant[];
  readonly rows?: readonly OwnRow[];
  readonly level?: 'open';
};
const define = (draft: Judging): OwnClause => defineOdd(draft);
/** Also what no compiler takes. */
const defineOdd = (draft: object): OwnClause => defineClause({ ...WORDING, rules: HOLDS, ...draft } as OwnClauseDraft);

describe('the examples of the documentation', () => {
  it('find nothing in a service that keeps the rules of the house', async () => {
    const own = await load(EXAMPLE);
    expect(verdictsIn(await runWith(own, { server: { variants: ['name-unique-409'] } }))).toEqual({
      'acme:create.unique-names': 'pass',
      'acme:create.umlauts': 'pass',
      'acme:headers.no-software': 'pass',
    });
  });

  it('find a name that is rejected, and one that is assigned twice, by requests of their own', async () => {
    const own = await load(EXAMPLE);
    const letters = await runWith(own, { server: { variants: ['name-letters-only'] } });
    expect(verdictsIn(letters)).toMatchObject({ 'acme:create.umlauts': 'fail', 'acme:create.unique-names': 'fail' });
    expect(noteOn(letters, 'acme:create.umlauts')).toMatch(/^POST \/pets rejected the name ".*ä.*"$/);
  });

  it('judge all requests of a whole run', async () => {
    const run = await runWith(await load(withoutRows(EXAMPLE)), { isWhole: true, session: { depth: 'standard' } });
    expect(verdictsIn(run)).toEqual({
      'acme:create.unique-names': 'fail',
      'acme:create.umlauts': 'not-applicable',
      'acme:headers.no-software': 'pass',
    });
    expect(run.verdicts.filter(({ clause, verdict }) => verdict === 'fail' && !isOwnClause(clause.id))).toEqual([]);
  });

  it('find a header that is missing in each response', async () => {
    const run = await runWith(await load(HEADER));
    expect(verdictsIn(run)).toEqual({ 'acme:headers.request-id': 'fail' });
    expect(noteOn(run, 'acme:headers.request-id')).toMatch(/returned no X-Request-Id \(\d+\)$/);
  });

  it('find ids that are negative, and none in a conforming service', async () => {
    const own = await load(POSITIVE);
    expect(verdictsIn(await runWith(own))).toEqual({ 'acme:records.positive-ids': 'pass' });
    expect(verdictsIn(await runWith(own, { server: { variants: ['ids-negative'] } }))).toEqual({ 'acme:records.positive-ids': 'fail' });
  });
});

describe('an exchange as rules from outside see it', () => {
  const seen: (readonly [OwnEvent, OwnWorld])[] = [];
  beforeAll(async () => {
    const own = define({
      rules: [{ layer: 'values', judge: (...given) => (seen.push(given) > 0 ? 'holds' : 'not-applicable') }],
    });
    await runWith([own]);
  });

  it('has the intent of each operation, and the response', () => {
    const find = (is: (event: OwnEvent) => boolean) => seen.find(([event]) => is(event))?.[0];
    const list = find(({ intent }) => intent.operation === 'listPets' && intent.limit === 100 && intent.status === 'sold');
    expect(list).toMatchObject({ status: 200, intent: { credential: 'valid', body: 'none', petId: undefined } });
    expect(list?.pets?.[0]?.id).toBeTypeOf('bigint');
    expect(list === undefined ? [] : [describeRequest(list.exchange), statusOf(list.exchange), petsOf(list.exchange)]).toEqual([
      expect.stringMatching(/^GET \/pets\?\S*status=sold/),
      200,
      list?.pets,
    ]);
    const created = find(({ intent, status }) => intent.body === 'plain' && status === 201);
    expect(created?.intent.sent?.name).toBe(created?.pet?.name);
    expect(created === undefined ? '' : describeResponse(created.exchange)).toMatch(/^201 \{/);
    expect(created?.done).toBeGreaterThan(created?.sent ?? Number.POSITIVE_INFINITY);
    expect(find(({ intent }) => intent.operation === 'getPet')?.intent.petId).toBeTypeOf('bigint');
    expect(find(({ intent }) => intent.credential === 'refused')?.status).toBe(401);
    expect(find(({ intent }) => intent.body === 'invalid')).toMatchObject({ status: 400 });
  });

  it('comes with what the run has shown, and no undocumented request', () => {
    const [event, world] = seen.at(-1) ?? [];
    const { events = [], known } = world ?? {};
    expect(events).toContain(event);
    const animal = known?.created.values().next().value;
    expect(animal?.exchange).toBe(events.find(({ pet }) => pet?.id === animal?.id)?.exchange);
    expect(animal?.createdAt).toBeGreaterThan(0);
    expect(known?.seen.size).toBeGreaterThanOrEqual(7);
    expect(seen.some(([{ intent }]) => intent.undocumented === true)).toBe(false);
  });
});

describe('the parts of a clause from outside', () => {
  it('are its kinds and its invariants, each a must, and what no kind has is no case', async () => {
    const run = await runWith([
      define({
        rules: [
          {
            layer: 'values',
            judge: ({ intent }) =>
              intent.limit === 'absent' ? 'holds' : { summary: 'it has a limit', expected: ['none'], received: 'one' },
          },
        ],
        met: [
          {
            id: 'plain',
            title: 'Plain lists',
            cases: ({ event }) => event.intent.operation === 'listPets' && event.intent.limit === 'absent',
          },
          { id: 'never', title: 'Nothing', cases: () => false, absent: 'there is none' },
        ],
        invariants: [{ id: 'law', title: 'A law', judge: ({ number }) => (number % 2 === 0 ? 'holds' : 'not-applicable') }],
      }),
      define({
        id: 'acme:list.all',
        rules: [{ layer: 'values', judgeAll: ({ events }) => events.map((event) => ({ event, others: [] })) }],
        invariants: [{ id: 'law', title: 'A law', judge: ({ number }) => ({ summary: `number ${number}`, expected: [], received: '' }) }],
      }),
    ]);
    expect(run.verdicts).toMatchObject([
      { verdict: 'pass', met: ['Plain lists', 'A law'], unmet: [{ title: 'Nothing', missing: 'there is none' }] },
      { verdict: 'fail', note: 'number 1', met: ['Lists are short.'] },
    ]);
  });

  it('are not applicable without a case, unless they say otherwise or have requests of their own', async () => {
    const rules: readonly OwnRule[] = [{ layer: 'values', judge: () => 'not-applicable' }];
    const run = await runWith([
      define({ id: 'acme:a.none', rules }),
      define({ id: 'acme:a.unmet', rules, met: [{ id: 'one', title: 'One', unmet: 'no page was long enough' }] }),
      define({ id: 'acme:a.sends', rules, rows: [{ op: 'list' }] }),
    ]);
    expect(run.verdicts.map(({ verdict, note }) => [verdict, note])).toEqual([
      ['not-applicable', 'no exchange to which it applies'],
      ['inconclusive', 'no page was long enough'],
      ['inconclusive', 'no exchange to which it applies'],
    ]);
  });

  it('are what an open clause observes', async () => {
    const observe = (events: readonly { readonly number: number }[]) => [
      { question: 'are there any', answer: events.length > 3 ? 'yes' : 'no' },
    ];
    const open = define({ level: 'open', rules: [], met: [{ id: 'all', title: 'All', observe }], rows: [{ op: 'list', limit: 7 }] });
    const run = await runWith([open]);
    expect(run.verdicts.find(({ clause }) => clause.id === open.id)?.observations).toEqual([{ question: 'are there any', answer: 'yes' }]);
    expect(run.world.all.some(({ sent }) => sent.target === '/pets?limit=7')).toBe(true);
  });

  it('leave all other verdicts as they are where an open clause throws', async () => {
    const observe = () => {
      throw new Error('a slip');
    };
    const run = await runWith([
      define({ id: 'acme:a.throws', level: 'open', rules: [], met: [{ id: 'all', title: 'All', observe }] }),
      define({ id: 'acme:a.holds', rules: [{ layer: 'values', judge: () => 'holds' }] }),
    ]);
    expect(verdictsIn(run)).toEqual({ 'acme:a.throws': 'inconclusive', 'acme:a.holds': 'pass' });
    expect(errorsOfOwn(run.verdicts).map(({ message }) => message)).toEqual([expect.stringContaining('acme:a.throws threw an error')]);
  });

  it('do not change the verdicts on clauses of the interface, whatever their layer', async () => {
    const breaks = () => ({ summary: 'wrong', expected: [], received: '' });
    const own = define({ rules: [{ layer: 'transport', judge: breaks }] });
    const changes = { only: new Set(['acme:list.rule', 'list.limit-maximum'] as const) };
    const run = await runWith([own], { changes, server: { faults: ['limit-ignored'] } });
    expect(run.verdicts.map(({ clause: { id }, verdict }) => [id, verdict])).toEqual([
      ['list.limit-maximum', 'fail'],
      ['acme:list.rule', 'fail'],
    ]);
  });

  it('are not judged where a clause of a lower layer, or one that they name, explains a breach', async () => {
    const judge: OwnRule['judge'] = ({ status = 0 }) =>
      status < 500 ? 'not-applicable' : { summary: `it returned ${status}`, expected: ['200'], received: String(status) };
    const rows: readonly OwnRow[] = [{ op: 'list', limit: 1 }];
    const own = [
      define({ id: 'acme:a.lower', rows, rules: [{ layer: 'values', judge }] }),
      define({ id: 'acme:a.after', rows, rules: [{ layer: 'values', letter: true, after: ['errors.no-server-error'], judge }] }),
      define({
        id: 'acme:a.simpler',
        rows,
        rules: [{ layer: 'values', letter: true, simpler: { clauses: ['errors.no-server-error'] }, judge }],
      }),
      define({ id: 'acme:a.letter', rows, rules: [{ layer: 'values', letter: true, judge }] }),
    ];
    const run = await runWith(own, { server: { faults: ['limit-1-crashes'] } });
    expect(run.verdicts.map(({ verdict, why, blockedBy }) => [verdict, why, blockedBy])).toEqual([
      ['inconclusive', 'waits', 'errors.no-server-error'],
      ['inconclusive', 'waits', 'errors.no-server-error'],
      ['inconclusive', 'waits', 'errors.no-server-error'],
      ['fail', undefined, undefined],
    ]);
  });

  it('that throw have no verdict, and say which clause it is; all others have theirs', async () => {
    const thrower = define({
      id: 'acme:list.thrower',
      rules: [
        {
          layer: 'values',
          judge: () => {
            throw new Error('not today');
          },
        },
      ],
    });
    const forgetful = defineOdd({ id: 'acme:list.forgetful', rules: [{ layer: 'values', judge: () => undefined }] });
    const run = await runWith([thrower, forgetful, define({})]);
    expect(run.verdicts.map(({ verdict, note }) => [verdict, note])).toEqual([
      ['inconclusive', 'its rules threw an error: not today'],
      ['inconclusive', 'its rules threw an error: a rule returned undefined; expected "not-applicable", "holds", or what is wrong'],
      ['pass', 'passed'],
    ]);
    const [error, other] = errorsOfOwn(run.verdicts);
    expect(error).toMatchObject({ message: expect.stringContaining('acme:list.thrower threw an error'), cause: new Error('not today') });
    expect(other?.message).toContain('acme:list.forgetful');
  });
});

const RAW = [
  { method: 'GET', target: '/pets?limit=3', headers: { 'x-tenant': 'acme', 'user-agent': 'house/1' } },
  { method: 'GET', target: '/pets/{petId}' },
  { method: 'GET', target: '/pets/{petId}/history' },
  { method: 'POST', target: '/pets', body: '{"name":"{name}","categoryId":{categoryId},"tags":[]}' },
] as const;
const VECTORS: readonly OwnVector[] = [
  { op: 'list', limit: 4, status: 'sold', client: 'browser' },
  { op: 'get', id: -1, connection: 'fresh' },
  { op: 'create', name: '=letters 13', category: '=-5', status: '="lost"', credential: 'none' },
];

describe('requests of a clause from outside', () => {
  const rows = [...VECTORS, ...RAW];
  const judge = ({ exchange }: { readonly exchange: { readonly request: { readonly query: string } } }) =>
    exchange.request.query === 'limit=3' ? 'holds' : 'not-applicable';
  const own = define({ rows, rules: [{ layer: 'values', judge }] });

  it('are sent as they are written, with the key in Authorization only, and judged by their rules', async () => {
    const run = await runWith([own]);
    expect(verdictsIn(run)).toEqual({ [own.id]: 'pass' });
    const sent = run.world.all.filter(({ sent: one }) => own.rows.some((row) => run.vectorOf(one) === row));
    expect(sent.map(({ sent: { method, target }, status }) => `${method} ${target.replace(/\/\d+/, '/ID')} ${status}`)).toEqual([
      'GET /pets?limit=4&status=sold 200',
      'GET /pets/ID 200',
      'POST /pets 401',
      'GET /pets?limit=3 200',
      'GET /pets/ID 200',
      'GET /pets/ID/history 404',
      'POST /pets 201',
    ]);
    for (const {
      sent: { headers, target, body },
    } of sent.slice(3)) {
      expect(headers.filter(([, value]) => value.includes(KEY))).toEqual([['authorization', `Bearer ${KEY}`]]);
      expect(`${target} ${Buffer.from(body ?? []).toString()}`).not.toContain(KEY);
    }
    expect(Object.fromEntries(sent[3]?.sent.headers ?? [])).toMatchObject({
      accept: 'application/json',
      'user-agent': 'house/1',
      'x-tenant': 'acme',
    });
    expect(sent.at(-1)?.facts.body).toMatchObject({ kind: 'open', why: 'other members' });
    expect(sent.at(-1)?.read.pet?.name).toMatch(/^Conformance/);
    expect(JSON.stringify(run.world.unsent.map(({ vector }) => vector))).not.toContain(KEY);
  });

  it('create nothing in a read-only run, and nothing beyond the budget', async () => {
    const reading = await runWith([own], { session: { readOnly: true } });
    expect(reading.created).toBe(0);
    expect(reading.world.all.every(({ sent: { method } }) => method === 'GET')).toBe(true);
    const creates = define({ rows: Array.from({ length: 9 }, () => RAW[3]), rules: [{ layer: 'values', judge: () => 'not-applicable' }] });
    const none = await runWith([creates], { session: { readOnly: true } });
    expect(none.verdicts[0]).toMatchObject({ verdict: 'inconclusive', why: 'choice', note: expect.stringContaining('--read-only') });
    const few = await runWith([creates], { session: { maxCreates: 4 } });
    expect(few.created).toBeLessThanOrEqual(4);
    expect(few.verdicts[0]).toMatchObject({ verdict: 'inconclusive', why: 'choice', note: expect.stringContaining('--max-creates') });
  });

  it('take turns in the probe if they only read', async () => {
    const { reads } = turnsOf({ only: new Set([own.id]), own: [own] });
    const rows = reads.alone(0, 2_000);
    for (const place of [0, 1, 3, 4, 5]) expect(rows).toContainEqual(own.rows[place]);
    for (const place of [2, 6]) expect(rows).not.toContainEqual(own.rows[place]);
    const { clauses, opening, planOf } = probeWith([own], { apiKey: KEY });
    const run = await runWith([own], {
      session: { readOnly: true, intrusive: false },
      changes: {
        ...{ clauses, opening, only: new Set([own.id]) },
        planOf: (found) => {
          const plan = planOf(found);
          return {
            ...plan,
            phases: [...plan.phases, { title: 'what is there', rows: [0, 1, 3, 4, 5].flatMap((place) => own.rows[place] ?? []) }],
          };
        },
      },
    });
    expect(verdictsIn(run)).toEqual({ [own.id]: 'pass' });
  });

  it('that break their clause are told by what was sent', async () => {
    const breach = { summary: 'it is not there', expected: ['200'], received: '404' };
    const strict = define({
      rows,
      rules: [{ layer: 'status', undocumented: true, judge: ({ status }) => (status === 404 ? breach : 'holds') }],
    });
    const run = await runWith([strict], { changes: { wording: WORDS } });
    expect(run.verdicts[0]?.verdict).toBe('fail');
    expect(run.conditions).toMatchObject([{ clause: strict.id }]);
  });

  it('have all values that their types allow', () => {
    const clients: Record<NonNullable<OwnVector['client']>, true> = {
      ...{ curl: true, browser: true, 'User-Agent of a browser': true, python: true, Java: true, 'no User-Agent': true, 'no Accept': true },
      ...{ 'any media type': true, 'gzip, deflate, or br': true, German: true, 'no cache': true, 'request and correlation ids': true },
    };
    const all: readonly OwnVector[] = [
      ...(Object.keys(clients) as (keyof typeof clients)[]).map((client): OwnVector => ({ op: 'list', client })),
      { op: 'list', limit: '=many', connection: 'kept', credential: 'like the key' },
      { op: 'get', id: '63 bits' },
      { op: 'get', id: '=37' },
      { op: 'create', name: '=<"~"', category: 'missing', status: 'sold' },
      { op: 'create', name: 'missing' },
      { op: 'create', name: 'namesake' },
    ];
    expect(suiteWith([define({ rows: all })], { apiKey: KEY }).clauses.at(-1)?.rows).toHaveLength(all.length);
  });
});

describe('defineClause says what is wrong with', () => {
  it.for<readonly [what: string, draft: object, message: string]>([
    ['sent', { sent: [] }, 'acme:list.rule has "sent", which is gone since version 3.0.0: write its requests as "rows"'],
    ['checks', { checks: [] }, 'docs/own-clauses.md of this package shows under "Rewriting a clause of an earlier version"'],
    ['an id', { id: 'list.success' }, 'needs an id of a prefix'],
    ['nothing that judges', { rules: [] }, 'has neither rules nor invariants'],
    ['kinds without rules', { rules: [], met: [{ id: 'every', title: 'Every' }] }, 'has no rules, so nothing judges the cases of "every"'],
    ['a malformed id of a part', { met: [{ id: 'Every', title: 'Every' }] }, 'the part "Every" needs an id'],
    ['a rule that is none', { rules: [{ layer: 'values' }] }, 'rule 1 needs a function "judge" or "judgeAll"'],
    ['a layer that there is not', { rules: [{ ...HOLDS[0], layer: 'body' }] }, 'rule 1 needs a "layer": transport,'],
    ['a clause that there is not', { rules: [{ ...HOLDS[0], after: ['list.sucess'] }] }, 'rule 1 names "list.sucess"'],
    ['an open clause with rules', { level: 'open' }, 'is open, so it has no rules'],
    ['an open clause that observes nothing', { level: 'open', rules: [], met: [{ id: 'every' }] }, '"every" needs a function "observe"'],
    ['a row that is none', { rows: ['GET /pets'] }, 'row 1 is not an object'],
    ['an operation that there is not', { rows: [{ op: 'delete' }] }, 'row 1 has the op "delete": there are list, get and create'],
    ['another method', { rows: [{ method: 'DELETE', target: '/pets/1' }] }, 'row 1 has the method DELETE: only GET and POST are sent'],
    [
      'a target without a slash',
      { rows: [{ method: 'GET', target: 'http://elsewhere/' }] },
      'row 1 needs a "target" that begins with a slash',
    ],
    ['a space in a target', { rows: [{ method: 'GET', target: '/pets?name=a b' }] }, 'row 1 needs a "target"'],
    ['a body of a GET', { rows: [{ method: 'GET', target: '/pets', body: '' }] }, 'row 1 is a GET, which has no body'],
    ['a body that is no text', { rows: [{ method: 'POST', target: '/pets', body: {} }] }, 'row 1 needs a text for a "body"'],
    [
      'a credential of its own',
      { rows: [{ method: 'GET', target: '/pets', headers: { Authorization: 'Bearer x' } }] },
      'row 1 has the header Authorization, which the suite sends itself',
    ],
    [
      'another method in a header',
      { rows: [{ method: 'POST', target: '/pets/1', headers: { 'X-HTTP-Method-Override': 'DELETE' } }] },
      'row 1 has the header X-HTTP-Method-Override, which asks for another method: only GET and POST are sent',
    ],
    [
      'a line end in a header',
      { rows: [{ method: 'GET', target: '/', headers: { 'x-a': 'b\r\nc: d' } }] },
      'that HTTP does not allow: "x-a"',
    ],
  ])('%s', ([, draft, message]) => {
    expect(() => defineOdd(draft)).toThrow(OwnClauseError);
    expect(() => defineOdd(draft)).toThrow(message);
  });

  it.for<readonly [what: string, rows: readonly object[], message: string]>([
    [
      'a value that there is not',
      [{ op: 'list', limit: 'seven' }],
      'acme:list.rule: row 1 can\'t be sent: composing a request: there is no value "seven"',
    ],
    [
      'a dimension that there is not',
      [{ op: 'list' }, { op: 'list', id: 3 }],
      'row 2 can\'t be sent: composing a request: "list" has no dimension "id"',
    ],
    ['the key in a target', [{ method: 'GET', target: `/pets?api_key=${KEY}` }], 'row 1 has the API key in its target'],
    [
      'the key in a header',
      [{ method: 'GET', target: '/pets', headers: { 'x-api-key': KEY } }],
      'row 1 has the API key in the header x-api-key',
    ],
    [
      'the key in a body',
      [{ method: 'POST', target: '/pets', body: Buffer.from(KEY).toString('base64') }],
      'row 1 has the API key in its body',
    ],
  ])('%s, before anything is sent', ([, rows, message]) => {
    const attach = () => suiteWith([defineOdd({ rows })], { apiKey: KEY });
    expect(attach).toThrow(OwnClauseError);
    expect(attach).toThrow(message);
  });

  it('two clauses with one id', () => {
    expect(() => suiteWith([define({}), define({})], { apiKey: KEY })).toThrow('there are two clauses with the id acme:list.rule');
  });
});
