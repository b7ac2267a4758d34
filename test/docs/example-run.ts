import { faults } from '../../proof/faults/index.ts';
import { startReference } from '../../proof/server.ts';
import { isBinding } from '../../src/clause/clause.ts';
import type { ReportedFinding } from '../../src/clause/clause-record.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import type { Example, Shown } from '../../src/cli/commands/explain.ts';
import { redactionOf } from '../../src/judge/findings.ts';
import { runSuite } from '../../src/judge/run.ts';
import { judgeServer } from '../../src/library/judge.ts';
import { resolveSessionOptions } from '../../src/library/session-defaults.ts';
import type { RedactedExchange } from '../../src/wire/redacted-exchange.ts';
import { SUITE } from '../../suites/plan/index.ts';

const KEY = 'examples-5Kd2vX7wQ9';
/** Maximum number of characters of a body or a header. */
const LONGEST = 110;
/** Headers that clauses of these chapters are about. */
const HEADERS = ['content-type', 'www-authenticate', 'deprecation', 'sunset', 'retry-after'];
const WITH_HEADERS = /^(?:media|deprecation|errors\.infrastructure|auth\.challenge)/;

/** `row`: what was asked for, as JSON. */
type Seen = { readonly row: string | undefined; readonly exchange: RedactedExchange };

const short = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/** Replaces generated names by realistic ones. */
const plain = (text: string): string =>
  text
    .replaceAll(/CONFORMANCE[A-Z]+/g, 'REX')
    .replaceAll(/Conformance[A-Za-z]*/g, 'Rex')
    .replaceAll(/conformance[a-z]+/g, 'rex')
    .replaceAll('\t', '\\t');

function requestOf({ method, url, credential, requestBody }: RedactedExchange): string {
  const { pathname, search } = new URL(url);
  const path = `${pathname.replace(/^\/v1(?=\/)/, '')}${search}`;
  const sent = credential === 'the API key' || credential === '' ? '' : ` (${credential})`;
  return plain(`${method} ${path}${sent}${requestBody === undefined ? '' : ` ${requestBody}`}`);
}

function responseOf({ answer: response }: RedactedExchange, headers: boolean): string {
  if (response.kind === 'failed') return 'no response';
  const named = response.headers.filter(([name]) => headers && HEADERS.includes(name)).map(([name, value]) => `${name}: ${value}`);
  return short(plain([`${response.status}`, ...named, response.body ?? ''].join(' ').trim()));
}

const shown = (id: string, exchange: RedactedExchange): Shown => ({
  request: short(requestOf(exchange)),
  response: responseOf(exchange, WITH_HEADERS.test(id)),
});

/** How similar an exchange of the conforming server is to the rejected one. */
function likeness({ row, exchange }: Seen, rejected: Seen): number {
  const line = (one: RedactedExchange): string => requestOf(one).replaceAll(/\d+/g, '#');
  const same = [
    [8, requestOf(exchange) === requestOf(rejected.exchange)],
    [4, line(exchange) === line(rejected.exchange)],
    [3, exchange.credential === rejected.exchange.credential],
    [10, row !== undefined && row === rejected.row],
    [2, exchange.operation === rejected.exchange.operation],
    [1, exchange.method === rejected.exchange.method],
  ] as const;
  return same.reduce((sum, [points, holds]) => sum + (holds ? points : 0), 0);
}

/** What a run sent to a conforming server. */
export async function acceptedExchanges(): Promise<readonly Seen[]> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7 });
  const options = resolveSessionOptions({ baseUrl: server.baseUrl, apiKey: KEY, seed: 1 });
  try {
    const { world, verdicts, vectorOf } = await runSuite({ ...SUITE, options });
    const broken = verdicts.filter(({ verdict, clause }) => verdict === 'fail' && isBinding(clause));
    if (broken.length > 0) throw new Error(`the reference server does not conform: ${broken.map(({ clause }) => clause.id).join(', ')}`);
    const { exchange } = redactionOf(options);
    return world.all.map((one) => ({ row: JSON.stringify(vectorOf(one.sent)), exchange: exchange(one) }));
  } finally {
    await server.close();
  }
}

const lengthOf = ({ exchange }: Seen): number => requestOf(exchange).length;

const extentOf = ({ exchanges, summary }: ReportedFinding): number => exchanges.length * 1000 + summary.length;

/** The plainest failure of a clause under one fault. */
export async function rejectedBy(id: string, fault: string): Promise<(Seen & { readonly found: string }) | undefined> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults: [fault] });
  const judge = (options: { readonly only?: readonly string[] }) =>
    judgeServer(server.baseUrl, { ...options, apiKey: KEY, seed: 1, depth: 'standard' });
  const brokenIn = ({ clauses }: RunRecord) => clauses.find((clause) => clause.id === id && clause.verdict === 'fail');
  // A clause without requests of its own sees those of others.
  const broken = brokenIn(await judge({ only: [id] })) ?? brokenIn(await judge({}));
  await server.close();
  const [plainest] = broken?.findings.toSorted((a, b) => extentOf(a) - extentOf(b)) ?? [];
  const exchange = plainest?.exchanges.at(-1);
  if (plainest === undefined || exchange === undefined) return undefined;
  const row = JSON.stringify(broken?.cases?.find((one) => one.exchange === exchange.number)?.row);
  return { row, exchange, found: short(plain(plainest.summary)) };
}

/** An example of a clause from the first of its faults whose exchanges differ visibly, or else from the first that shows it at all. */
export async function exampleOf(id: string, accepted: readonly Seen[]): Promise<Example | undefined> {
  let first: Example | undefined;
  for (const { name } of faults.filter(({ clause }) => clause === id)) {
    const rejected = await rejectedBy(id, name);
    const [best] =
      rejected === undefined ? [] : accepted.toSorted((a, b) => likeness(b, rejected) - likeness(a, rejected) || lengthOf(a) - lengthOf(b));
    if (rejected === undefined || best === undefined) continue;
    const example = { accepted: shown(id, best.exchange), rejected: { ...shown(id, rejected.exchange), found: rejected.found } };
    const { request, response } = example.rejected;
    if (response !== example.accepted.response && !request.endsWith('…')) return example;
    first ??= example;
  }
  return first;
}
