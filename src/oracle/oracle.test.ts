import { describe, expect, test, vi } from 'vitest';
import { defineRules } from '../../suites/define.ts';
import { errorsNoServerError } from '../../suites/errors/no-server-error.clause.ts';
import { knowledgeOf, listed, posted, read } from '../../test/support/exchange-samples.ts';
import type { CatalogClauseId, CheckId, Layer } from '../clause/clause.ts';
import { inconclusive, notApplicable, type Unsent } from '../clause/halt.ts';
import type { Exchange, Operation } from '../wire/exchange.ts';
import { judgeHistory } from './oracle.ts';
import { type Case, type Event, eventOf, type Kind, type Rule, type SessionClause } from './world.ts';

const PET = { id: 1n, name: 'rex', categoryId: 1n };
const FINE = { status: 200, body: [PET] };

/** Whatever the operation is asked for has this status. */
function expectStatus(operation: Operation, status: number, blame: Blame = {}): Rule {
  return {
    layer: 'status',
    ...blame,
    judge: (event) => {
      if (event.intent.operation !== operation || event.status === undefined) return 'not-applicable';
      return judgeStatus(event, status);
    },
  };
}

type Blame = Pick<Rule, 'letter' | 'after' | 'simpler' | 'contrasted'> & { readonly layer?: Layer };

function judgeStatus({ status = 0 }: Event, right: number) {
  return status === right ? 'holds' : { summary: `${status} came`, expected: [String(right)], received: String(status) };
}

const isPlain = ({ intent }: Event): boolean => intent.limit === 'absent';

function clauseOf(id: CatalogClauseId, rules: readonly Rule[], kind: Kind = {}): SessionClause {
  const wording = { chapter: 'list-pets', section: 's', level: 'required', quote: ['q'], requirement: 'r', likelyCause: 'c' } as const;
  const part = { title: 'It holds', fault: 'list-forbidden', ...kind } as const;
  return defineRules({
    ...{ ...wording, id, rules },
    sent: [{ ...part, id: 'own', step: 'read', send: async () => undefined }],
    met: [{ ...part, id: 'every' }],
  });
}

/** A clause that is broken on that exchange, for whatever reason. */
function brokenOn({ number }: Exchange, id: CatalogClauseId): SessionClause {
  const breach = { summary: 'wrong', expected: ['right'], received: 'wrong' };
  return clauseOf(id, [{ layer: 'history', judge: (event) => (event.number === number ? breach : 'not-applicable') }]);
}

type Story = {
  readonly exchanges: readonly Exchange[];
  readonly unsent?: Unsent | undefined;
  /** How many of the clauses get a verdict; by default only the first. */
  readonly judged?: number;
};

/** The verdicts of the parts of the first clause; the exchanges are those of its own kind unless `asked` says otherwise. */
function verdictsOf(clauses: readonly SessionClause[], { exchanges, unsent, judged = 1 }: Story) {
  const events = exchanges.map(eventOf);
  const sent = new Map(clauses.flatMap(({ checks }) => checks.map(({ id }) => [id, unsent] as const)));
  const parts = judgeHistory(clauses, { events, known: knowledgeOf(), unsent: sent }, { judged: clauses.slice(0, judged) });
  const own = parts.filter(({ clause }) => clause === clauses[0]);
  return Object.fromEntries(own.map(({ id, outcome }) => [id.slice(id.indexOf('/') + 1), outcome]));
}

/** The exchange as the clause's own kind has sent it. */
const by = (clause: CatalogClauseId, exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, asker: `${clause}/own` },
});

const ID = 'list.success';
const lists = clauseOf(ID, [expectStatus('listPets', 200)]);

describe('a kind', () => {
  test('is broken by a case of its own, and what only meets by any', () => {
    const parts = verdictsOf([lists], { exchanges: [by(ID, listed({}, FINE)), listed({}, { status: 418 })] });
    expect(parts).toMatchObject({ own: { kind: 'pass' }, every: { kind: 'fail', findings: [{ summary: '418 came', received: '418' }] } });
    const own = verdictsOf([lists], { exchanges: [by(ID, listed({}, { status: 418 }))] });
    expect(own).toMatchObject({ own: { kind: 'fail' }, every: { kind: 'fail' } });
  });

  test('that met no case is undecided where it sends, and not applicable where it only meets', () => {
    expect(verdictsOf([lists], { exchanges: [read(1n, { status: 404 })] })).toMatchObject({
      own: { kind: 'inconclusive', why: 'circumstance' },
      every: { kind: 'not-applicable' },
    });
    const absent = clauseOf(ID, [expectStatus('listPets', 200)], { absent: 'no lists here' });
    expect(verdictsOf([absent], { exchanges: [] })['own']).toEqual(notApplicable('no lists here'));
  });

  test('of which something was not sent is undecided for that reason, unless it is broken', () => {
    const unsent = inconclusive('the budget is spent', 'choice');
    const [fine, wrong] = [by(ID, listed({}, FINE)), by(ID, listed({}, { status: 418 }))];
    expect(verdictsOf([lists], { exchanges: [fine], unsent })['own']).toEqual(unsent);
    expect(verdictsOf([lists], { exchanges: [fine, wrong], unsent })['own']).toMatchObject({ kind: 'fail' });
    expect(verdictsOf([lists], { exchanges: [], unsent: notApplicable('no such thing') })['own']).toEqual(notApplicable('no such thing'));
  });

  test('that a response stopped waits for the clause which that response breaks', () => {
    const stoppedAt = (exchange: Exchange) => ({ kind: 'stopped', missing: 'no list', exchange: exchange.number }) as const;
    const [wrong, crashed, fine] = [listed({}, { status: 418 }), listed({}, { status: 503 }), listed({}, FINE)];
    const waiting = (exchange: Exchange) => verdictsOf([lists], { exchanges: [exchange], unsent: stoppedAt(exchange) })['own'];
    expect(waiting(wrong)).toMatchObject({ kind: 'inconclusive', missing: 'no list', why: 'waits', blockedBy: ID });
    const failures = clauseOf('errors.no-server-error', []);
    expect(verdictsOf([failures, lists], { exchanges: [crashed], unsent: stoppedAt(crashed) })['own']).toMatchObject({
      blockedBy: 'list.success',
    });
    expect(verdictsOf([failures], { exchanges: [crashed], unsent: stoppedAt(crashed) })['own']).toMatchObject({
      blockedBy: 'errors.no-server-error',
    });
    expect(waiting(fine)).toEqual(inconclusive('no list', 'circumstance'));
  });

  test('judges the status of a response whose body a limit of the suite hides, and nothing else of it', () => {
    const ofBody = clauseOf(ID, [{ layer: 'schema', judge: () => ({ summary: 's', expected: ['e'], received: 'r' }) }]);
    const hidden = (status: number): Exchange => by(ID, listed({}, { status, text: '['.repeat(10_000) }));
    expect(verdictsOf([lists], { exchanges: [hidden(418)] })['own']).toMatchObject({ kind: 'fail' });
    expect(verdictsOf([ofBody], { exchanges: [hidden(200)] })).toMatchObject({
      own: { kind: 'inconclusive', missing: expect.stringContaining('larger than what the suite'), why: 'circumstance' },
      every: { kind: 'not-applicable' },
    });
    expect(verdictsOf([ofBody], { exchanges: [by(ID, listed({}, FINE))] })['own']).toMatchObject({ kind: 'fail' });
  });

  test('that was not begun has no verdict', () => {
    const history = { events: [eventOf(listed({}, FINE))], known: knowledgeOf(), unsent: new Map() };
    expect(judgeHistory([lists], history).map(({ id }) => id)).toEqual([`${ID}/every`]);
  });

  test('that is asked for alone comes to the same as among all, and clauses that can explain nothing are not judged', () => {
    const asked = vi.fn<NonNullable<Rule['judge']>>(() => 'not-applicable');
    const other = clauseOf('get.success', [{ layer: 'status', judge: asked }]);
    const all = [lists, other, errorsNoServerError];
    const judged = (exchange: Exchange, only?: ReadonlySet<CheckId>) => {
      const history = { events: [eventOf(exchange)], known: knowledgeOf(), unsent: new Map([[`${ID}/own`, undefined] as const]) };
      return judgeHistory(all, history, { only });
    };
    for (const [status, callsAlone] of [
      [200, 0],
      [503, 1],
    ] as const) {
      const exchange = by(ID, listed({}, { ...FINE, status }));
      const own = judged(exchange).filter(({ id }) => id === `${ID}/own`);
      asked.mockClear();
      expect(judged(exchange, new Set([`${ID}/own`]))).toEqual(own);
      expect(asked).toHaveBeenCalledTimes(callsAlone);
    }
  });

  test('whose right response is a rejection passes only beside an acceptance', () => {
    const id = 'create.name-type';
    const judge: Rule['judge'] = (event) => (event.intent.body === 'invalid' ? judgeStatus(event, 400) : 'not-applicable');
    const rejects = clauseOf(id, [{ layer: 'status', judge }], { accepts: 'createPet' });
    const invalid = by(id, posted({}, { status: 400 }, { domain: 'invalid' }));
    const waits = { kind: 'inconclusive', why: 'waits', blockedBy: 'create.success' };
    expect(verdictsOf([rejects], { exchanges: [invalid] })).toMatchObject({ own: waits, every: waits });
    const accepted = posted(PET, { status: 201, body: PET });
    expect(verdictsOf([rejects], { exchanges: [invalid, accepted] })).toMatchObject({ own: { kind: 'pass' }, every: { kind: 'pass' } });
    const wrong = by(id, posted({}, { status: 422 }, { domain: 'invalid' }));
    expect(verdictsOf([rejects], { exchanges: [wrong] })['own']).toMatchObject({ kind: 'fail' });
  });

  test('may say which cases are its own, whoever sent them', () => {
    const limited = clauseOf(ID, [expectStatus('listPets', 200)], { cases: ({ event }) => event.intent.limit === 7 });
    const parts = verdictsOf([limited], { exchanges: [listed({}, { status: 418 }), listed({ limit: 7 }, FINE)] });
    expect(parts).toMatchObject({ own: { kind: 'pass' }, every: { kind: 'pass' } });
  });
});

describe('a breach is explained', () => {
  const wrong = by(ID, listed({ limit: 7 }, { status: 418 }));

  test('by a closing layer below on the same exchange', () => {
    const lower = clauseOf('errors.shape', [expectStatus('listPets', 200, { layer: 'failure' })]);
    expect(verdictsOf([lists, lower], { exchanges: [wrong] })['own']).toMatchObject({ why: 'waits', blockedBy: 'errors.shape' });
  });

  test('but not by a layer below where it is about how the response is worded', () => {
    const lower = clauseOf('errors.shape', [expectStatus('listPets', 200, { layer: 'failure' })]);
    const worded = clauseOf(ID, [expectStatus('listPets', 200, { letter: true })]);
    expect(verdictsOf([worded, lower], { exchanges: [wrong] })['own']).toMatchObject({ kind: 'fail' });
  });

  test('by a server error, but not by 501: a deliberate response can be judged', () => {
    const ownOf = (status: number) => verdictsOf([lists, errorsNoServerError], { exchanges: [by(ID, listed({}, { status }))] })['own'];
    expect(ownOf(500)).toMatchObject({ why: 'waits', blockedBy: 'errors.no-server-error' });
    expect(ownOf(501)).toMatchObject({ kind: 'fail' });
  });

  test('but not by a layer below where the response can be read all the same', () => {
    const lower = clauseOf('errors.shape', [expectStatus('listPets', 200, { layer: 'failure' })]);
    // To the letter it is 418, which the lower rule finds broken; read, it is a list.
    const readThrough = { ...wrong, received: wrong.outcome, outcome: listed({}, FINE).outcome };
    expect(verdictsOf([lower], { exchanges: [readThrough] })['every']).toMatchObject({ kind: 'fail' });
    expect(verdictsOf([lists, lower], { exchanges: [readThrough] })['own']).toMatchObject({ kind: 'fail' });
  });

  test('by a clause that it comes after, on the same exchange', () => {
    const later = clauseOf(ID, [expectStatus('listPets', 200, { after: ['record.pets'] })]);
    const ownBeside = (clause: CatalogClauseId) => verdictsOf([later, brokenOn(wrong, clause)], { exchanges: [wrong] })['own'];
    expect(ownBeside('record.pets')).toMatchObject({ blockedBy: 'record.pets' });
    expect(ownBeside('media.json')).toMatchObject({ kind: 'fail' });
  });

  test('but by none that the history clears', () => {
    const judgeAll: Rule['judgeAll'] = ({ events }) =>
      events.map((event) => ({ event, breach: { summary: 'wrong', expected: ['right'], received: 'wrong' }, cleared: ['record.pets'] }));
    const later = clauseOf(ID, [{ layer: 'history', judgeAll, after: ['record.pets', 'media.json'] }]);
    const ownWith = (clause: CatalogClauseId) => verdictsOf([later, brokenOn(wrong, clause)], { exchanges: [wrong] })['own'];
    expect(ownWith('record.pets')).toMatchObject({ kind: 'fail' });
    expect(ownWith('media.json')).toMatchObject({ blockedBy: 'media.json' });
  });

  test('by the nearest simpler request, where it is broken with the same symptom', () => {
    const simpler = { clauses: ['list.unique'] as const, isTwin: isPlain };
    const limited = clauseOf('list.limit-accepted', [
      { layer: 'status', simpler, judge: (event) => (isPlain(event) ? 'not-applicable' : judgeStatus(event, 200)) },
    ]);
    const plain = clauseOf('list.unique', [
      { layer: 'status', judge: (event) => (isPlain(event) ? judgeStatus(event, 200) : 'not-applicable') },
    ]);
    const own = () => by('list.limit-accepted', listed({ limit: 7 }, { status: 418 }));
    const ownOf = (exchanges: readonly Exchange[]) => verdictsOf([limited, plain], { exchanges })['own'];
    const explained = { why: 'waits', blockedBy: 'list.unique' };
    expect(ownOf([listed({}, { status: 418 }), own()])).toMatchObject(explained);
    expect(ownOf([own(), listed({}, { status: 418 })])).toMatchObject(explained);
    // Another symptom, or a success that is nearer, explains nothing.
    expect(ownOf([listed({}, { status: 500 }), own()])).toMatchObject({ kind: 'fail' });
    const around = [listed({}, FINE), own(), listed({}, FINE)];
    expect(ownOf([listed({}, { status: 418 }), ...around])).toMatchObject({ kind: 'fail' });
    // Unless most of all simpler requests are broken so.
    expect(ownOf([...[1, 2, 3].map(() => listed({}, { status: 418 })), ...around])).toMatchObject(explained);
  });

  test('by any simpler request, where the very same GET gets the right status at another time', () => {
    const simpler = { clauses: ['list.unique'] as const, isTwin: isPlain };
    const limitedOf = (layer: Layer) =>
      clauseOf('list.limit-accepted', [
        { layer, simpler, judge: (event) => (isPlain(event) ? 'not-applicable' : judgeStatus(event, 200)) },
      ]);
    const plain = clauseOf('list.unique', [
      { layer: 'status', judge: (event) => (isPlain(event) ? judgeStatus(event, 200) : 'not-applicable') },
    ]);
    const around = [listed({}, { status: 418 }), listed({}, FINE), by('list.limit-accepted', listed({ limit: 7 }, { status: 418 }))];
    const verdictOf = (other: Exchange, layer: Layer = 'status') =>
      verdictsOf([limitedOf(layer), plain], { exchanges: [...around, listed({}, FINE), other] })['own'];
    expect(verdictOf(listed({ limit: 7 }, FINE))).toMatchObject({ why: 'waits', blockedBy: 'list.unique' });
    // Another limit that is right says nothing about this one; and what is wrong with values is not about the status.
    expect(verdictOf(listed({ limit: 8 }, FINE))).toMatchObject({ kind: 'fail' });
    expect(verdictOf(listed({ limit: 7 }, FINE), 'values')).toMatchObject({ kind: 'fail' });
  });

  test('by kin, where there is no twin', () => {
    const simpler = { clauses: ['list.unique'] as const, isTwin: ({ intent }: Event) => intent.limit === 7, isKin: isPlain };
    const isOwn = ({ intent }: Event): boolean => intent.status !== 'absent';
    const filtered = clauseOf('list.status-accepted', [
      { layer: 'status', simpler, judge: (event) => (isOwn(event) ? judgeStatus(event, 200) : 'not-applicable') },
    ]);
    const plain = clauseOf('list.unique', [
      { layer: 'status', judge: (event) => (isOwn(event) ? 'not-applicable' : judgeStatus(event, 200)) },
    ]);
    const verdictOf = (...others: readonly Exchange[]) => {
      const own = by('list.status-accepted', listed({ limit: 7, status: 'sold' }, { status: 418 }));
      return verdictsOf([filtered, plain], { exchanges: [...others, own] })['own'];
    };
    expect(verdictOf(listed({}, { status: 418 }))).toMatchObject({ blockedBy: 'list.unique' });
    expect(verdictOf(listed({}, { status: 418 }), listed({ limit: 7 }, FINE))).toMatchObject({ kind: 'fail' });
  });

  test('by the closest of the simpler requests, where some are closer than others, and by what the rule says explains', () => {
    const limitOf = ({ intent }: Event) => intent.limit;
    const simpler = {
      clauses: ['list.unique'] as const,
      isTwin: (one: Event) => one.intent.status === 'absent',
      isCloser: (one: Event, own: Event) => limitOf(one) === limitOf(own),
      explains: (one: Case) => one.event.status === 500,
    };
    const isOwn = ({ intent }: Event): boolean => intent.status !== 'absent';
    const filtered = clauseOf('list.status-accepted', [
      { layer: 'status', simpler, judge: (event) => (isOwn(event) ? judgeStatus(event, 200) : 'not-applicable') },
    ]);
    const plain = clauseOf('list.unique', [
      { layer: 'status', judge: (event) => (isOwn(event) ? 'not-applicable' : judgeStatus(event, 200)) },
    ]);
    const verdictOf = (...others: readonly Exchange[]) => {
      const own = by('list.status-accepted', listed({ limit: 7, status: 'sold' }, { status: 418 }));
      return verdictsOf([filtered, plain], { exchanges: [...others, own] })['own'];
    };
    expect(verdictOf(listed({}, { status: 500 }))).toMatchObject({ blockedBy: 'list.unique' });
    expect(verdictOf(listed({}, { status: 418 }))).toMatchObject({ kind: 'fail' });
    expect(verdictOf(listed({ limit: 7 }, FINE), listed({}, { status: 500 }))).toMatchObject({ kind: 'fail' });
    expect(verdictOf(listed({ limit: 7 }, { status: 500 }), listed({}, FINE))).toMatchObject({ blockedBy: 'list.unique' });
  });

  test('by a right request with the API key that gets the same error, where the rule asks for that contrast', () => {
    const credential = { note: 'no key', standing: 'refused', headers: [] } as const;
    const verdictOf = (status: number, right: Exchange, contrasted = true) => {
      const rejects = clauseOf(ID, [
        {
          ...{ layer: 'failure', contrasted },
          judge: (event) => (event.intent.credential === 'valid' ? 'not-applicable' : judgeStatus(event, 401)),
        },
      ]);
      return verdictsOf([rejects], { exchanges: [right, by(ID, posted(PET, { status }, { credential }))] })['own'];
    };
    expect(verdictOf(400, posted(PET, { status: 400 }))).toMatchObject({ why: 'waits', blockedBy: 'create.success' });
    expect(verdictOf(500, posted(PET, { status: 500 }))).toMatchObject({ why: 'waits', blockedBy: 'errors.no-server-error' });
    expect(verdictOf(400, posted(PET, { status: 400 }), false)).toMatchObject({ kind: 'fail' });
    // Another error, another operation, a request that is wrong itself, and a success explain nothing.
    expect(verdictOf(403, posted(PET, { status: 400 }))).toMatchObject({ kind: 'fail' });
    expect(verdictOf(400, listed({}, { status: 400 }))).toMatchObject({ kind: 'fail' });
    expect(verdictOf(400, posted({}, { status: 400 }, { domain: 'invalid' }))).toMatchObject({ kind: 'fail' });
    expect(verdictOf(201, posted(PET, { status: 201 }))).toMatchObject({ kind: 'fail' });
  });

  test('and then the part is judged by its other cases', () => {
    const exchanges = [wrong, by(ID, listed({}, FINE))];
    const after = clauseOf(ID, [expectStatus('listPets', 200, { after: ['media.json'] })]);
    const verdictWith = (judged: number) => verdictsOf([after, brokenOn(wrong, 'media.json')], { exchanges, judged })['own'];
    expect(verdictWith(2)).toMatchObject({
      kind: 'pass',
      evidence: '1 exchange judged, which does not break it; 1 more is explained by media.json',
    });
    // If the other clause has no verdict, nothing else says that something is wrong.
    expect(verdictWith(1)).toEqual(inconclusive('1 case is explained by media.json, which is not selected', 'choice'));
  });
});

test('Undocumented requests meet only the rules that ask for them.', () => {
  const odd = by(ID, listed({}, { status: 418 }));
  const undocumented = { ...odd, request: { ...odd.request, intent: { ...odd.request.intent, undocumented: true } } };
  expect(verdictsOf([lists], { exchanges: [undocumented] })['every']).toMatchObject({ kind: 'not-applicable' });
  const asking = clauseOf(ID, [{ layer: 'status', judge: (event) => judgeStatus(event, 200), undocumented: true }]);
  expect(verdictsOf([asking], { exchanges: [undocumented] })['every']).toMatchObject({ kind: 'fail' });
});

test.each([
  ['rejected', 403, 'open'],
  ['accepted', 200, 'valid'],
] as const)('The credential of a client that a service may reject, once it is %s', (_case, status, credential) => {
  const own = by(ID, listed({}, { status }));
  const intent = { ...own.request.intent, credential: 'open', onceAccepted: 'valid' } as const;
  expect(eventOf({ ...own, request: { ...own.request, intent } }).intent.credential).toBe(credential);
});

test('A rule over the whole history gives its cases all at once.', () => {
  const total: Rule = {
    layer: 'history',
    judgeAll: ({ events }) => events.map((event) => ({ event, breach: { summary: 's', expected: ['e'], received: 'r' } })),
  };
  expect(verdictsOf([clauseOf(ID, [total])], { exchanges: [listed({}, FINE), listed({}, FINE)] })['every']).toMatchObject({
    kind: 'fail',
    findings: [{ summary: 's' }, { summary: 's' }],
  });
});

test('A kind of an open clause records what its exchanges say, and judges nothing.', () => {
  const wording = { chapter: 'list-pets', section: 's', requirement: 'r', likelyCause: 'c' } as const;
  const open = defineRules({
    ...{ ...wording, id: 'list.order', level: 'open' },
    sent: [
      {
        ...{ id: 'own', title: 'It is recorded', step: 'read', send: async () => undefined },
        observe: (events) => [{ question: 'how many', answer: String(events.length) }],
      },
    ],
  });
  const own = by('list.order', listed({}, { status: 418 }));
  expect(verdictsOf([open], { exchanges: [own, listed({}, FINE)] })).toEqual({
    own: { kind: 'observed', observations: [{ question: 'how many', answer: '1' }] },
  });
  expect(verdictsOf([open], { exchanges: [] })['own']).toMatchObject({ kind: 'inconclusive', why: 'circumstance' });
});

test('A kind of an open clause whose exchanges say nothing of its question is undecided, and says why.', () => {
  const wording = { chapter: 'list-pets', section: 's', requirement: 'r', likelyCause: 'c' } as const;
  const open = defineRules({
    ...{ ...wording, id: 'list.order', level: 'open' },
    sent: [
      {
        ...{ id: 'own', title: 'It is recorded', step: 'read', send: async () => undefined, unmet: 'no list can be read' },
        observe: () => [],
      },
    ],
  });
  const verdictOn = (status: number) => verdictsOf([open], { exchanges: [by('list.order', listed({}, { status }))] })['own'];
  expect(verdictOn(500)).toMatchObject({ kind: 'inconclusive', why: 'waits', blockedBy: 'errors.no-server-error' });
  expect(verdictOn(401)).toMatchObject({ kind: 'inconclusive', why: 'waits', blockedBy: 'auth.valid-key' });
  expect(verdictOn(200)).toEqual({ kind: 'inconclusive', missing: 'no list can be read', why: 'circumstance' });
});

test('What came before the judging shows what the service accepts, and nothing of it is judged.', () => {
  const rejects = clauseOf(ID, [expectStatus('listPets', 401)], { accepts: 'listPets' });
  const own = eventOf(by(ID, listed({}, { status: 401 }, { credential: { note: 'no key', standing: 'refused', headers: [] } })));
  const history = { events: [own], known: knowledgeOf(), unsent: new Map([[`${ID}/own`, undefined] as const]) };
  const outcomeOf = (earlier: readonly Event[]) => judgeHistory([rejects], { ...history, earlier }).map(({ outcome }) => outcome.kind);
  expect(outcomeOf([])).toEqual(['inconclusive', 'inconclusive']);
  expect(outcomeOf([eventOf(listed({}, FINE))])).toEqual(['pass', 'pass']);
});
