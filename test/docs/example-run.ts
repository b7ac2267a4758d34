import { EFFECTS } from '../../src/clause/clause.ts';
import type { ReportedFinding } from '../../src/clause/clause-record.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import type { Example, Shown } from '../../src/cli/commands/explain.ts';
import { planOf } from '../../src/judge/judging.ts';
import { judgeRun } from '../../src/judge/run.ts';
import { judgeServer } from '../../src/library/judge.ts';
import { resolveSessionOptions } from '../../src/library/session-defaults.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { startReference } from '../../src/reference/server.ts';
import { openSession } from '../../src/session/open-session.ts';
import type { RedactedExchange } from '../../src/wire/redacted-exchange.ts';
import { clauses } from '../../suites/index.ts';

const KEY = 'examples-5Kd2vX7wQ9';
/** Maximum number of characters of a body or a header. */
const LONGEST = 110;
/** Headers that clauses of these chapters are about. */
const HEADERS = ['content-type', 'www-authenticate', 'deprecation', 'sunset', 'retry-after'];
const WITH_HEADERS = /^(?:media|deprecation|errors\.infrastructure|auth\.challenge)/;

type Seen = { readonly check: string; readonly exchange: RedactedExchange };

const short = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/** Replaces generated names by realistic ones. */
const plain = (text: string): string =>
  text
    .replaceAll(/CONFORMANCE[A-Z]+/g, 'REX')
    .replaceAll(/conformance[a-z]*[A-Z][A-Za-z]*/g, 'Rex')
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
function likeness({ check, exchange }: Seen, rejected: Seen): number {
  const line = (one: RedactedExchange): string => requestOf(one).replaceAll(/\d+/g, '#');
  const same = [
    [8, requestOf(exchange) === requestOf(rejected.exchange)],
    [4, line(exchange) === line(rejected.exchange)],
    [3, exchange.credential === rejected.exchange.credential],
    [10, check === rejected.check],
    [2, exchange.operation === rejected.exchange.operation],
    [1, exchange.method === rejected.exchange.method],
  ] as const;
  return same.reduce((sum, [points, holds]) => sum + (holds ? points : 0), 0);
}

/** Whether a break of the clause fails a run. */
const isFailing = (id: string): boolean => clauses.some((clause) => clause.id === id && clause.level !== 'advised');

/** What every check sent to a conforming server. */
export async function acceptedExchanges(): Promise<readonly Seen[]> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7 });
  const open = await openSession(resolveSessionOptions({ baseUrl: server.baseUrl, apiKey: KEY, seed: 1 }));
  const seen: Seen[] = [];
  open.recorder.onEveryExchange((exchange) => {
    const { asker } = exchange.request;
    if (asker !== undefined) seen.push({ check: asker, exchange: open.redact(exchange) });
  });
  try {
    const { records } = await judgeRun(open, { clauses, registry: clauses, plan: planOf({ clauses, effects: EFFECTS }) });
    const broken = records.filter(({ verdict, clause }) => verdict === 'fail' && isFailing(clause));
    if (broken.length > 0) throw new Error(`the reference server does not conform: ${broken.map(({ id }) => id).join(', ')}`);
    return seen;
  } finally {
    await open.session.close();
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
  const findingsIn = ({ clauses }: RunRecord) => clauses.find((clause) => clause.id === id && clause.verdict === 'fail')?.findings ?? [];
  const alone = findingsIn(await judge({ only: [id] }));
  // A clause without requests of its own sees those of others.
  const findings = alone.length > 0 ? alone : findingsIn(await judge({}));
  await server.close();
  const [plainest] = findings.toSorted((a, b) => extentOf(a) - extentOf(b));
  const exchange = plainest?.exchanges.at(-1);
  if (plainest === undefined || exchange === undefined) return undefined;
  return { check: exchange.check ?? id, exchange, found: short(plain(plainest.summary)) };
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
