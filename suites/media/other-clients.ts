import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeAnswer, describeRequest, finding, findingOf, statusOf } from '../../src/expect/expect.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { documentedGets, documentedReads } from '../errors/documented-reads.ts';
import { documentedRefusalsOf, documentedWrites } from '../errors/documented-writes.ts';
import { asDocumented } from '../judging/documented/as-documented.ts';
import type { Documented } from '../judging/documented/documented.ts';
import { thoseDocumented } from '../judging/documented/those-documented.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { askAgain } from '../judging/lists/ask-again.ts';
import { judgeMediaType } from './judge-media-type.ts';

/** Headers that common clients send: all of them accept JSON. */
type Client = { readonly what: string } & Pick<CallOptions, 'headers' | 'without' | 'undocumented'>;

const CLIENTS: readonly Client[] = [
  { what: 'without an Accept header', without: ['accept'] },
  { what: 'that accepts anything', headers: [['accept', '*/*']] },
  {
    what: 'that prefers JSON and accepts compressed bodies',
    headers: [
      ['accept', 'application/json, text/plain, */*'],
      ['accept-encoding', 'gzip, deflate, br'],
    ],
  },
  {
    what: 'that is a browser',
    headers: [
      ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
      ['accept-language', 'de-DE,de;q=0.9,en;q=0.5'],
      ['accept-encoding', 'gzip, deflate, br'],
    ],
  },
];

/** Accept headers that are sent with a single list: each content coding, and media types with weights. */
const LISTERS: readonly Client[] = [
  ...['gzip', 'deflate', 'br', 'zstd', 'identity', 'zstd;q=0.9, br;q=1.0, gzip;q=0'].map((codings) => ({
    what: `with Accept-Encoding: ${codings}`,
    headers: [['accept-encoding', codings] as const],
  })),
  // list.success would judge what this clause does.
  { what: 'with weights in its Accept header', headers: [['accept', 'application/json;q=0.5, */*;q=0.1']], undocumented: true },
];

/** A response to another client, and the response to the same request from the usual client. */
type Row = Documented & {
  readonly client: Client;
  readonly usual: number | undefined;
  /** Sends the request once more as that client does: the status. */
  readonly repeat: (client: Client) => Promise<number | undefined>;
};

const USUAL: Client = { what: 'that is the usual one' };

/** Judges one response to another client: the status that other clients get, as application/json. */
async function judgeRequest({ client, exchange, usual, owner, status, repeat }: Row): Promise<Finding | undefined> {
  const answer = answerOf(asReceived(exchange));
  if (answer.status !== usual) {
    // Where this client gets what is documented, the usual one was told something wrong.
    if (answer.status === 401 || answer.status >= 500 || answer.status === status)
      haltInconclusive(`${describeRequest(exchange)} returned ${answer.status} instead of ${usual}`, owner);
    // A moment's difference, or an animal that has been removed in the meantime.
    const again = { theirs: await repeat(client), ours: await repeat(USUAL) };
    if (again.theirs === usual || again.ours !== usual)
      haltInconclusive(`${describeRequest(exchange)} returned ${answer.status} instead of ${usual}, and not to that client alone`, owner);
    return finding([exchange], {
      summary: `${describeRequest(exchange)} returned ${answer.status} to a client ${client.what}; other clients get ${usual}`,
      expected: [`${usual} as application/json, whatever else the client accepts`],
      received: describeAnswer(exchange),
    });
  }
  return findingOf(exchange, judgeMediaType(exchange));
}

/** The document knows one media type: clients that accept it among others, or that send no Accept header, get no other. */
async function judgeClients(
  s: Session,
  usual: readonly Documented[],
  { clients, ask }: { readonly clients: readonly Client[]; ask(client: Client): Promise<readonly Documented[]> },
): Promise<Outcome> {
  const judged = thoseDocumented(usual);
  for (const documented of judged) asDocumented(documented);
  const asking = s.portion(clients);
  const rows = await s.all(asking, async (client) =>
    (await ask(client)).flatMap((documented, index): Row | readonly Row[] => {
      const same = usual[index];
      if (same === undefined || !judged.includes(same)) return [];
      const repeat: Row['repeat'] = async (other) => statusOf(asReceived((await ask(other))[index]?.exchange ?? documented.exchange));
      return { ...documented, client, usual: statusOf(asReceived(same.exchange)), repeat };
    }),
  );
  return combineRows(
    await s.all(rows.flat(), (row) => judgeRow(() => judgeRequest(row))),
    `${rows.flat().length} responses to ${asking.length} kinds of clients, all application/json`,
  );
}

/** The same list, sent like a different client. */
async function documentedListOf(s: Session, [list]: readonly Documented[], client: Client): Promise<readonly Documented[]> {
  return list === undefined ? [] : [{ ...list, exchange: await askAgain(s, list.exchange, client) }];
}

/** The requests of documentedReads, sent like a different client. */
async function documentedReadsOf(s: Session, usual: readonly Documented[], client: Client): Promise<readonly Documented[]> {
  return [
    ...(await documentedListOf(s, usual, client)),
    { exchange: await s.api.list({ limit: 2 }, { ...client, credential: NO_HEADER }), status: 401, owner: 'auth.missing-credential' },
    ...(await documentedGets(s, client)),
  ];
}

/** Successes and errors of listPets and getPet for clients that accept more than JSON. */
export async function judgeOtherReaders(s: Session): Promise<Outcome> {
  const usual = await documentedReads(s);
  return judgeClients(s, usual, { clients: CLIENTS, ask: (client) => documentedReadsOf(s, usual, client) });
}

/** Lists for clients that accept a single content coding, or weight their media types. */
export async function judgeOtherListers(s: Session): Promise<Outcome> {
  const usual = (await documentedReads(s)).slice(0, 1);
  return judgeClients(s, usual, { clients: LISTERS, ask: (client) => documentedListOf(s, usual, client) });
}

/** Rejected creations of other clients: they leave no animal. */
export async function judgeOtherWriters(s: Session): Promise<Outcome> {
  const refused = (await documentedWrites(s)).filter(({ status }) => status !== 201);
  return judgeClients(s, refused, { clients: CLIENTS, ask: (client) => documentedRefusalsOf(s, client) });
}
