import { describe, expect, test } from 'vitest';
import { INVALID_BODY_CLAUSES } from '../../src/clause/clause-ids.ts';
import { judgeHistory } from '../../src/oracle/oracle.ts';
import { eventOf } from '../../src/oracle/world.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { clauses } from '../../suites/index.ts';
import { knowledgeOf, knownAnimal, listed, posted, read } from '../support/exchange-samples.ts';

const NEW = { name: 'rex', categoryId: 1n };
const refused = (status: number) => ({ status, body: { code: 'c', message: 'm', status } });
const invalid = (clause: string, status: number): Exchange => posted({}, refused(status), { domain: 'invalid', clause });
const plain = (status: number): Exchange => posted(NEW, status < 300 ? { status, body: { id: 7, ...NEW } } : refused(status));

/** The short verdict of each clause on the bodies that other clauses sent: `pass`, `fail`, or what it waits for. */
function verdictsOf(exchanges: readonly Exchange[], known: RunState = knowledgeOf()): Record<string, string> {
  const history = { events: exchanges.map(eventOf), known, unsent: new Map() };
  const parts = judgeHistory(clauses, history).filter(({ id }) => id.startsWith('create.') && id.includes('/every-'));
  return Object.fromEntries(
    parts.map(({ clause, outcome }) => [
      clause.id,
      outcome.kind === 'inconclusive' && outcome.why === 'waits' ? outcome.blockedBy : outcome.kind,
    ]),
  );
}

describe('Invalid bodies that are rejected with a status other than 400', () => {
  test('only the simplest fails if all are rejected in the same way', () => {
    const verdicts = verdictsOf([plain(201), ...INVALID_BODY_CLAUSES.map((clause) => invalid(clause, 422))]);
    expect(verdicts).toMatchObject({ 'create.name-required': 'fail', 'create.category-required': 'create.name-required' });
    expect(INVALID_BODY_CLAUSES.filter((clause) => verdicts[clause] === 'fail')).toEqual(['create.name-required']);
  });

  test('those that are wrong in only one property both fail', () => {
    const named = ['create.name-required', 'create.name-type'];
    const verdicts = verdictsOf([plain(201), ...INVALID_BODY_CLAUSES.map((clause) => invalid(clause, named.includes(clause) ? 409 : 400))]);
    expect(INVALID_BODY_CLAUSES.filter((clause) => verdicts[clause] === 'fail')).toEqual(named);
    expect(verdicts['create.body-json']).toBe('pass');
  });

  test('each one that is rejected differently, or accepted, fails', () => {
    const ways = verdictsOf([plain(201), ...INVALID_BODY_CLAUSES.map((clause, index) => invalid(clause, 402 + index))]);
    expect(INVALID_BODY_CLAUSES.filter((clause) => ways[clause] === 'fail')).toEqual(INVALID_BODY_CLAUSES);
    const created = { status: 201, body: { id: 7, ...NEW } };
    const accepted = verdictsOf([plain(201), ...INVALID_BODY_CLAUSES.map((clause) => posted({}, created, { domain: 'invalid', clause }))]);
    expect(INVALID_BODY_CLAUSES.filter((clause) => accepted[clause] === 'fail')).toEqual(INVALID_BODY_CLAUSES);
  });

  test('none fails for a rejection that is due to the client, unless it may create', () => {
    const ofAnother = (exchange: Exchange): Exchange => ({
      ...exchange,
      request: { ...exchange.request, headers: [['accept', 'text/html']] },
    });
    const created = posted({}, { status: 201, body: { id: 7, ...NEW } }, { domain: 'invalid', clause: 'create.name-type' });
    const verdicts = verdictsOf([plain(201), ofAnother(invalid('create.name-required', 406)), ofAnother(created)]);
    expect(verdicts).toMatchObject({ 'create.name-required': 'not-applicable', 'create.name-type': 'fail' });
  });

  test('none fails if plain ones are then rejected in the same way', () => {
    const full = verdictsOf([plain(201), invalid('create.name-required', 409), plain(409)]);
    expect(full['create.name-required']).toBe('create.success');
    const otherwise = verdictsOf([plain(422), invalid('create.name-required', 409), plain(422), plain(201)]);
    expect(otherwise['create.name-required']).toBe('fail');
    const earlier = verdictsOf([plain(409), plain(201), invalid('create.name-required', 409), plain(201)]);
    expect(earlier['create.name-required']).toBe('fail');
  });
});

test('A rejection with 400 proves nothing if no plain body was accepted, even if invalid ones were.', () => {
  const right = invalid('create.name-required', 400);
  expect(verdictsOf([plain(201), right])['create.name-required']).toBe('pass');
  expect(verdictsOf([plain(400), right])['create.name-required']).toBe('create.success');
  const accepted = posted({}, { status: 201, body: { id: 7, ...NEW } }, { domain: 'invalid', clause: 'create.body-json' });
  expect(verdictsOf([accepted, right])['create.name-required']).toBe('create.success');
});

describe('create.refused-stores-nothing', () => {
  const CLAUSE = 'create.refused-stores-nothing';
  const list = (...pets: object[]): Exchange => listed({ limit: 100 }, { status: 200, body: pets });
  const nameless = (id: number): object => ({ id, name: '', categoryId: 1 });
  const without = (): Exchange => invalid('create.name-type', 400);

  test('fails if two animals without a name appear between two lists, after a body without one was rejected', () => {
    expect(verdictsOf([plain(201), list(), without(), list(nameless(8), nameless(9))])[CLAUSE]).toBe('fail');
  });

  test.each([
    ['one alone', () => [list(), without(), list(nameless(8))]],
    ['those that were there before', () => [list(nameless(8), nameless(9)), without(), list(nameless(8), nameless(9))]],
    ['those that came before the rejection', () => [list(), list(nameless(8), nameless(9)), without(), list(nameless(8), nameless(9))]],
    [
      'those that were created without a name',
      () => [
        list(),
        ...[8, 9].map((id) => posted({ ...NEW, name: '' }, { status: 201, body: nameless(id) }, { domain: 'unusual' })),
        without(),
        list(nameless(8), nameless(9)),
      ],
    ],
    ['as many as creations were lost', () => [list(), posted(NEW, 'timeout'), without(), list(nameless(8), nameless(9))]],
  ])('says nothing of %s', (_name, exchanges) => {
    expect(verdictsOf([plain(201), ...exchanges()])[CLAUSE]).toBe('pass');
  });

  test('says nothing if animals with a name are shown without it', () => {
    const own = knowledgeOf([knownAnimal(7n, NEW)]);
    const shown = [list(), without(), list(nameless(7), nameless(8), nameless(9))];
    expect(verdictsOf([plain(201), ...shown], own)[CLAUSE]).toBe('pass');
  });

  // Created before the consistency window: an earlier request could be too early.
  const known = knowledgeOf([{ ...knownAnimal(7n, NEW), createdAt: -5_000 }]);
  const found = (): Exchange => read(7n, { status: 200, body: { id: 7, ...NEW } });
  const gone = (): Exchange => read(7n, refused(404));

  test('fails if an animal that was read twice is gone after a rejection', () => {
    const exchanges = [plain(201), found(), found(), without(), gone()];
    expect(verdictsOf(exchanges, known)[CLAUSE]).toBe('fail');
    expect(verdictsOf(exchanges, knowledgeOf([knownAnimal(7n, NEW)]))[CLAUSE]).not.toBe('fail');
  });

  test.each([
    ['it is read once before', () => [found(), without(), gone()]],
    ['nothing is rejected in between', () => [without(), found(), found(), gone()]],
    ['something is rejected between the reads that find it too', () => [found(), found(), gone(), without(), gone()]],
    ['it is seen again', () => [found(), found(), without(), gone(), found()]],
    ['it is seen in a list again', () => [found(), found(), without(), gone(), list({ id: 7, ...NEW })]],
    ['reading it fails', () => [found(), found(), without(), read(7n, refused(500))]],
  ])('does not fail if %s', (_name, exchanges) => {
    expect(verdictsOf([plain(201), ...exchanges()], known)[CLAUSE]).not.toBe('fail');
  });
});
