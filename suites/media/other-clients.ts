import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeAnswer, describeRequest, finding } from '../../src/expect/expect.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import {
  asDocumented,
  type Documented,
  documentedReads,
  documentedReadsOf,
  documentedRefusalsOf,
  documentedWrites,
} from '../errors/documented-answers.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { judgeMediaType } from './judge-media-type.ts';

/** Headers that common clients send: all of them accept JSON. */
type Client = { readonly what: string } & Pick<CallOptions, 'headers' | 'without'>;

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

type Row = Documented & { readonly client: Client };

/** Halts when the animal that was read has been removed in the meantime. */
async function proveStillThere(s: Session, { exchange, status, owner }: Row): Promise<void> {
  const { petId, credential } = exchange.request.intent;
  if (petId === undefined || credential !== 'valid' || status !== 200) return;
  asDocumented({ exchange: await s.api.get(petId), status, owner });
}

/** Judges one response to another client: the documented status, as application/json. */
async function judgeRow(s: Session, row: Row): Promise<Finding | undefined> {
  const { client, exchange, status } = row;
  const answer = answerOf(exchange);
  if (answer.status === 401 || answer.status >= 500) asDocumented(row);
  if (answer.status !== status) {
    await proveStillThere(s, row);
    return finding([exchange], {
      summary: `${describeRequest(exchange)} returned ${answer.status} to a client ${client.what}; other clients get ${status}`,
      expected: [`${status} as application/json, whatever else the client accepts`],
      received: describeAnswer(exchange),
    });
  }
  const judgement = judgeMediaType(exchange);
  return typeof judgement === 'string' ? undefined : finding([exchange], judgement);
}

/** The document knows one media type: clients that accept it among others, or that send no Accept header, get no other. */
async function judgeClients(
  s: Session,
  usual: readonly Documented[],
  ask: (client: Client) => Promise<readonly Documented[]>,
): Promise<Outcome> {
  for (const documented of usual) asDocumented(documented);
  const rows = await s.all(CLIENTS, async (client) => (await ask(client)).map((documented): Row => ({ ...documented, client })));
  return judgeRows(s, {
    rows: rows.flat(),
    judge: (row) => judgeRow(s, row),
    evidence: `${rows.flat().length} responses to ${CLIENTS.length} kinds of clients, all application/json`,
  });
}

export async function judgeOtherReaders(s: Session): Promise<Outcome> {
  return judgeClients(s, await documentedReads(s), (client) => documentedReadsOf(s, client));
}

/** Rejected creations of other clients: they leave no animal. */
export async function judgeOtherWriters(s: Session): Promise<Outcome> {
  const refused = (await documentedWrites(s)).filter(({ status }) => status !== 201);
  return judgeClients(s, refused, (client) => documentedRefusalsOf(s, client));
}
