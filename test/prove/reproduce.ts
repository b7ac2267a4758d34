import { resend } from '../../src/judge/resend.ts';
import { startReference } from '../../src/reference/server.ts';
import { openSession } from '../../src/session/open-session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import type { RedactedExchange } from '../../src/wire/redact.ts';
import { clauses } from '../../suites/index.ts';
import { judgeReference, KEY, sessionOptions } from './judge-reference.ts';
import { settingOf } from './result.ts';

/** Whether a fault still shows on a server that has others too: its failing request still gets the wrong response there. */
export type Reproduction = { readonly fault: string; readonly shows: boolean };

/** The form of a value: its members and types, not what they hold. */
function formOf(value: Json): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(formOf))].sort().join('|')}]`;
  if (isJsonObject(value))
    return `{${Object.entries(value)
      .map(([name, member]) => `${name}:${formOf(member)}`)
      .sort()
      .join(',')}}`;
  return value === null ? 'null' : typeof value;
}

/** Status, media type and form of a response; of a failure the reason. */
function kindOf(exchange: Exchange | undefined): string {
  if (exchange === undefined) return 'not sent';
  if (exchange.outcome.kind === 'failed') return exchange.outcome.failure.reason;
  const { status, headers, json } = exchange.outcome.answer;
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const length = json.ok && Array.isArray(json.value) ? json.value.length : '';
  return `${status} ${type} ${length} ${json.ok ? formOf(json.value) : 'no JSON'}`;
}

/** The kind of response that the request gets on a fresh server with these faults. */
async function responseOn(names: readonly string[], request: RedactedExchange, recordedAt: string): Promise<string> {
  const { server, session } = settingOf(names);
  const reference = await startReference({ ...server, apiKey: KEY });
  const open = await openSession(sessionOptions(reference.baseUrl, session));
  try {
    let last: Exchange | undefined;
    open.recorder.onExchange((exchange) => {
      last = exchange;
    });
    const sent = await resend(request, open.session, { baseUrl: recordedAt, prefix: 'conformance' });
    return sent ? kindOf(last) : 'not sent';
  } finally {
    await open.session.close();
    await reference.close();
  }
}

/** The last exchange of the first finding that the clause makes on a server with that fault alone. */
async function failingExchange(fault: string, clause: string): Promise<{ exchange: RedactedExchange; baseUrl: string } | undefined> {
  const { server, session } = settingOf([fault]);
  const judged = clauses.filter(({ id }) => id === clause);
  const run = await judgeReference(server, { session, judged });
  const exchange = run.records.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges.slice(-1)))[0];
  return exchange === undefined ? undefined : { exchange, baseUrl: run.baseUrl };
}

async function showsOn(names: readonly string[], { fault, clause }: { fault: string; clause: string }): Promise<Reproduction> {
  const failing = await failingExchange(fault, clause);
  // What one request does not show (a sequence, an order, a moment) can't be excluded so: it counts.
  if (failing === undefined) return { fault, shows: true };
  const on = (faults: readonly string[]): Promise<string> => responseOn(faults, failing.exchange, failing.baseUrl);
  const [right, wrong, combined] = [await on([]), await on([fault]), await on(names)];
  return { fault, shows: right === wrong || combined === wrong };
}

/** Sends the failing request of each fault again: to a conforming server, to one with that fault, and to one with all of them. */
export async function reproduce(question: {
  readonly faults: readonly string[];
  readonly of: readonly { readonly fault: string; readonly clause: string }[];
}): Promise<readonly Reproduction[]> {
  const shown: Reproduction[] = [];
  for (const one of question.of) shown.push(await showsOn(question.faults, one));
  return shown;
}
