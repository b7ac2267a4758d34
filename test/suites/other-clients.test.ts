import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../src/oracle/oracle.ts';
import { eventOf, type SessionClause } from '../../src/oracle/world.ts';
import { EQUIVALENTS } from '../../src/session/client/equivalent.ts';
import { trackRunState } from '../../src/session/state/run-state.ts';
import type { Exchange, Operation } from '../../src/wire/exchange.ts';
import { ORIGINS } from '../../suites/cases/trusted-headers.ts';
import { mediaAnyClient } from '../../suites/media/any-client.clause.ts';
import { mediaJson } from '../../suites/media/json.clause.ts';
import { recordLeftovers } from '../../suites/record/leftovers.clause.ts';
import { recordPets } from '../../suites/record/pets.clause.ts';
import { judgeReference, sessionOptions } from '../prove/judge-reference.ts';
import { listed, posted, type Reply, read } from '../support/exchange-samples.ts';

const PET = { id: 7, name: 'rex', categoryId: 1 };
const FINE: Reply = { status: 200, body: [PET] };
const error = (status: number): Reply => ({ status, body: { code: 'c', message: 'm', status } });

type Changes = { readonly headers: Exchange['request']['headers']; readonly undocumented?: boolean; readonly asker?: string };

/** The exchange with these headers added, or replacing the usual ones. */
function sentWith(exchange: Exchange, { headers, undocumented, asker }: Changes): Exchange {
  const names = headers.map(([name]) => name);
  const { request } = exchange;
  const kept = request.headers.filter(([name]) => !names.includes(name));
  const intent = { ...request.intent, ...(undocumented === undefined ? {} : { undocumented }) };
  return { ...exchange, request: { ...request, intent, headers: [...kept, ...headers], ...(asker === undefined ? {} : { asker }) } };
}

/** The parts of the clause, each with its outcome. */
function outcomesOf(clause: SessionClause, exchanges: readonly Exchange[]) {
  const { knowledge, take } = trackRunState(sessionOptions('http://127.0.0.1:9/v1'));
  for (const exchange of exchanges) take(exchange);
  const unsent = new Map(clause.checks.map(({ id }) => [id, undefined] as const));
  const parts = judgeHistory([clause], { events: exchanges.map(eventOf), known: knowledge, unsent });
  return Object.fromEntries(parts.map(({ id, outcome }) => [id.slice(id.indexOf('/') + 1), outcome]));
}

describe('media.json judges the status that another client gets', () => {
  const browser = (reply: Reply): Exchange =>
    sentWith(listed({}, reply), { headers: [['accept', '*/*']], asker: 'media.json/other-clients' });
  const weighing = (reply: Reply): Exchange =>
    sentWith(listed({}, reply), {
      headers: [['accept', 'application/json;q=0.5, */*;q=0.1']],
      undocumented: true,
      asker: 'media.json/other-clients',
    });
  const usual = (reply: Reply = FINE): Exchange => listed({}, reply);
  const verdictOf = (exchanges: readonly Exchange[]) => outcomesOf(mediaJson, exchanges)['other-clients'];

  test('if it differs twice, and the usual client gets its own before and afterwards', () => {
    expect(verdictOf([usual(), browser(error(406)), browser(error(406)), usual()])).toMatchObject({
      kind: 'fail',
      findings: [{ summary: 'GET /pets returned 406 to a client that accepts anything; other clients get 200' }],
    });
  });

  test.each<[string, readonly Exchange[]]>([
    ['it is the same', [usual(), browser(FINE), usual()]],
    ['it is the same the second time', [usual(), browser(error(406)), browser(FINE), usual()]],
    ['the usual client gets another one, too', [usual(), browser(error(406)), browser(error(406)), usual(error(406))]],
    ['it was asked once', [usual(), browser(error(406)), usual()]],
    ['it is the documented one', [usual(error(406)), browser(FINE), browser(FINE), usual(error(406))]],
    ['it is the documented one of the usual client', [usual(error(401)), weighing(FINE), weighing(FINE), usual(error(401))]],
    ['it is a server error', [usual(), browser(error(500)), browser(error(500)), usual()]],
    ['the API key is rejected', [usual(), browser(error(401)), browser(error(401)), usual()]],
  ])('but not if %s', (_name, exchanges) => {
    expect(verdictOf(exchanges)).toMatchObject({ kind: 'pass' });
  });
});

/** The exchange with its list in an envelope, as it was received. */
const wrapped = (exchange: Exchange): Exchange => ({ ...exchange, received: listed({}, { status: 200, body: { items: [PET] } }).outcome });

describe('media.any-client judges what proxy headers change', () => {
  const forwarded = (reply: Reply): Exchange =>
    sentWith(listed({}, reply), { headers: ORIGINS.headers, undocumented: true, asker: 'media.any-client/forwarding' });
  const verdictOf = (exchanges: readonly Exchange[]) => outcomesOf(mediaAnyClient, exchanges)['forwarding'];
  const other: Reply = { status: 200, body: [{ ...PET, id: 8 }] };

  test.each<[string, readonly Exchange[], string]>([
    ['the same list', [listed({}, FINE), forwarded(FINE), listed({}, FINE)], 'pass'],
    ['another list than before and afterwards', [listed({}, FINE), forwarded(other), listed({}, FINE)], 'fail'],
    ['a rejection', [listed({}, FINE), forwarded(error(400)), listed({}, FINE)], 'fail'],
    ['a list that is another one afterwards, too', [listed({}, FINE), forwarded(other), listed({}, other)], 'inconclusive'],
    [
      'a list in an envelope, as the usual ones',
      [wrapped(listed({}, FINE)), forwarded({ status: 200, body: { items: [PET] } }), wrapped(listed({}, FINE))],
      'inconclusive',
    ],
    ['a server error', [listed({}, FINE), forwarded(error(500)), listed({}, FINE)], 'inconclusive'],
    ['a rate limit', [listed({}, FINE), forwarded(error(429)), listed({}, FINE)], 'inconclusive'],
    ['a list where no other one has shown an animal', [forwarded(FINE)], 'inconclusive'],
  ])('%s', (_name, exchanges, kind) => {
    expect(verdictOf(exchanges)).toMatchObject({ kind });
  });
});

describe('media.any-client judges what curl gets', () => {
  const curl = (reply: Reply): Exchange =>
    sentWith(listed({}, reply), { headers: [['user-agent', 'curl/8.14.1']], asker: 'media.any-client/user-agents' });

  test.each<[string, readonly Exchange[], string]>([
    ['the list', [listed({}, FINE), curl(FINE)], 'pass'],
    ['a rejection', [listed({}, FINE), curl(error(403))], 'fail'],
    ['a login page', [listed({}, FINE), curl({ status: 302, body: '' })], 'fail'],
    ['a rejection that the usual client gets, too', [listed({}, error(403)), curl(error(403))], 'inconclusive'],
    ['a rate limit', [listed({}, FINE), curl(error(429))], 'inconclusive'],
    ['a time-out', [listed({}, FINE), curl(error(408))], 'inconclusive'],
  ])('%s', (_name, exchanges, kind) => {
    expect(outcomesOf(mediaAnyClient, exchanges)['user-agents']).toMatchObject({ kind });
  });
});

describe('What an earlier run left', () => {
  const LEFT = { id: 9, name: 'conformanceOlderAaab', categoryId: 2n ** 63n };
  const list = (): Exchange => listed({}, { status: 200, body: [PET, LEFT] });
  const found = (): Exchange => read(9n, { status: 200, body: LEFT });
  const creation = (): Exchange => posted({ name: 'tom', categoryId: 1n }, { status: 201, body: { id: 10, name: 'tom', categoryId: 1 } });

  test('is a warning, and not a breach of record.pets', () => {
    const exchanges = [list(), creation(), found()];
    expect(outcomesOf(recordPets, exchanges)['every-list']).toMatchObject({ kind: 'pass' });
    expect(outcomesOf(recordLeftovers, exchanges)['seen']).toMatchObject({ kind: 'fail' });
  });

  test('is not reported if this run shows the same for an animal that is not old', () => {
    const today = listed({}, { status: 200, body: [{ ...LEFT, id: 11, name: 'tim' }] });
    const exchanges = [list(), creation(), today, found()];
    expect(outcomesOf(recordPets, exchanges)['every-list']).toMatchObject({ kind: 'fail' });
    expect(outcomesOf(recordLeftovers, exchanges)['seen']).toMatchObject({ kind: 'not-applicable' });
  });

  test('is not reported in a run that creates nothing', () => {
    expect(outcomesOf(recordLeftovers, [list(), found()])['seen']).toMatchObject({ kind: 'not-applicable' });
  });
});

const HEADERS = EQUIVALENTS.read.flatMap(({ headers = [] }) => headers.map(([name, value]) => `${name}: ${value}`));

test.each([20261121, 5, 77])('with seed %i each operation gets the further headers of clients, with the API key', async (seed) => {
  const met: Record<Operation, Set<string>> = { listPets: new Set(), getPet: new Set(), createPet: new Set() };
  await judgeReference(
    {},
    {
      session: { seed },
      onExchange({ request: { intent, headers } }) {
        if (intent.credential !== 'valid') return;
        for (const [name, value] of headers) met[intent.operation].add(`${name.toLowerCase()}: ${value.trim()}`);
      },
    },
  );
  for (const [operation, seen] of Object.entries(met))
    expect(
      HEADERS.filter((header) => !seen.has(header)),
      operation,
    ).toEqual([]);
});
