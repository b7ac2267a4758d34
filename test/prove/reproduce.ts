import { Halt } from '../../src/clause/halt.ts';
import { createResending } from '../../src/judge/resend.ts';
import { eventOf } from '../../src/oracle/world.ts';
import { startReference } from '../../src/reference/server.ts';
import { openSession } from '../../src/session/open-session.ts';
import { asReceived, type Exchange, isSuccess, type Operation } from '../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import type { RedactedExchange } from '../../src/wire/redacted-exchange.ts';
import { clauses } from '../../suites/index.ts';
import { judgeReference, KEY, sessionOptions } from './judge-reference.ts';
import { settingOf } from './result.ts';

/** Whether a fault still shows on a server that has others too: its failing requests still get the wrong response there. */
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

/** What a request got: the kind of response, and all that the response holds. */
type Got = { readonly kind: string; readonly whole: string };

function gotBy(exchange: Exchange | undefined): Got {
  const kind = kindOf(exchange);
  const text = exchange?.outcome.kind === 'answered' ? exchange.outcome.answer.text : undefined;
  return { kind, whole: `${kind} ${text ?? ''}` };
}

/** Names are kept as they were sent: a fresh server has none of them. */
const NO_PREFIX = '\0';
const ID = /"id"\s*:\s*"?(-?\d+)/;

/** The id in the response to a creation, as digits. */
function idIn(operation: string, body: string | undefined): string | undefined {
  return operation === 'createPet' ? ID.exec(body ?? '')?.[1] : undefined;
}

/** What the last of the requests gets when all are sent, one after the other, to a fresh server with these faults. */
async function responseOn(names: readonly string[], { exchanges, baseUrl }: Failing): Promise<Got> {
  const { server, session } = settingOf(names);
  const reference = await startReference({ ...server, apiKey: KEY });
  const open = await openSession(sessionOptions(reference.baseUrl, session));
  const ids = new Map<string, string>();
  try {
    let last: Exchange | undefined;
    open.recorder.onExchange((exchange) => {
      last = asReceived(exchange);
    });
    for (const exchange of exchanges) {
      const { operation, answer: response, url } = exchange;
      // An animal of the recorded run has another id here.
      const asked = url.replace(/(?<=\/pets\/)-?\d+$/, (id) => ids.get(id) ?? id);
      last = undefined;
      const sent = await createResending(open.session, { baseUrl, prefix: NO_PREFIX })
        .send({ ...exchange, url: asked })
        .catch((error: unknown) => {
          if (error instanceof Halt) return false;
          throw error;
        });
      if (!sent) return gotBy(undefined);
      const recorded = idIn(operation, response.kind === 'answered' ? response.body : undefined);
      const text = last === undefined ? undefined : textOf(last);
      const fresh = idIn(operation, text);
      if (recorded !== undefined && fresh !== undefined) ids.set(recorded, fresh);
    }
    return gotBy(last);
  } finally {
    await open.session.close();
    await reference.close();
  }
}

function textOf({ outcome }: Exchange): string | undefined {
  return outcome.kind === 'answered' ? outcome.answer.text : undefined;
}

type Failing = { readonly exchanges: readonly RedactedExchange[]; readonly baseUrl: string };

/** Findings of more requests are of moments and numbers, which sending them again does not bring back. */
const MOST_RESENT = 12;

/**
 * The exchanges of the first finding that the clause makes on a server with that fault alone: by its own checks, or, where it is an invariant that
 * finds it, among the requests of all.
 */
async function failingExchanges(fault: string, clause: string): Promise<Failing | undefined> {
  const { server, session } = settingOf([fault]);
  for (const judged of [clauses.filter(({ id }) => id === clause), clauses]) {
    const { records, baseUrl } = await judgeReference(server, { session, judged, explained: false });
    const own = records.filter((record) => record.clause === clause);
    const exchanges = own.flatMap(({ findings }) => findings.map((finding) => finding.exchanges))[0];
    if (exchanges !== undefined) return { exchanges, baseUrl };
  }
  return undefined;
}

const MOST_TRIES = 3;

/** Whether each of the operations succeeds now and then on a server with these faults, by the plainest request there is. */
async function allSucceed(names: readonly string[], operations: ReadonlySet<Operation>): Promise<boolean> {
  const { server, session } = settingOf(names);
  const reference = await startReference({ ...server, apiKey: KEY });
  const open = await openSession(sessionOptions(reference.baseUrl, session));
  const { api, fixtures } = open.session;
  const isReached = async (send: () => Promise<Exchange>): Promise<boolean> => {
    for (let turn = 0; turn < MOST_TRIES; turn += 1) if (isSuccess(eventOf(await send()).status)) return true;
    return false;
  };
  try {
    // How the service writes lists, and what is in them.
    await open.start();
    const [first] = await fixtures.recognized();
    const requests: Readonly<Record<Operation, () => Promise<Exchange>>> = {
      listPets: () => api.list(),
      createPet: async () => api.create({ value: await fixtures.plain() }, { domain: 'plain' }),
      getPet: () => api.get(first?.id ?? 1n),
    };
    for (const operation of operations) if (!(await isReached(requests[operation]))) return false;
    return true;
  } catch (error) {
    // No plain animal could be created.
    if (error instanceof Halt) return false;
    throw error;
  } finally {
    await open.session.close();
    await reference.close();
  }
}

/** Operations of which the finding shows a success. */
function successesIn({ exchanges }: Failing): ReadonlySet<Operation> {
  return new Set(
    exchanges.flatMap(({ operation, answer: response }) => (response.kind === 'answered' && isSuccess(response.status) ? operation : [])),
  );
}

/**
 * Whether the last response is wrong on the server with all of them because of this fault: it is of the kind that the fault alone gives, and
 * another one than without the fault. A companion that hides it leaves no difference. What comes about only where an operation succeeds does not
 * show on a server where it never does: no creation is lost where all of them are rejected.
 */
async function showsOn(names: readonly string[], { fault, clause }: { fault: string; clause: string }): Promise<Reproduction> {
  const failing = await failingExchanges(fault, clause);
  if (failing === undefined) return { fault, shows: true };
  // What the requests do not show (an order, a moment, a number) can't be excluded by sending them: it counts, unless it can't come about.
  const unlessImpossible = async () => ({ fault, shows: await allSucceed(names, successesIn(failing)) });
  if (failing.exchanges.length > MOST_RESENT) return unlessImpossible();
  const on = (faults: readonly string[]): Promise<Got> => responseOn(faults, failing);
  const [right, wrong, combined] = [await on([]), await on([fault]), await on(names)];
  if (right.whole === wrong.whole) return unlessImpossible();
  const without = await on(names.filter((name) => name !== fault));
  const isWrong = right.kind === wrong.kind || combined.kind === wrong.kind;
  return { fault, shows: isWrong && combined.whole !== without.whole };
}

/** Sends the failing requests of each fault again: to a conforming server, to one with that fault, to one with all of them, and to one with the others. */
export async function reproduce(question: {
  readonly faults: readonly string[];
  readonly of: readonly { readonly fault: string; readonly clause: string }[];
}): Promise<readonly Reproduction[]> {
  const shown: Reproduction[] = [];
  for (const one of question.of) shown.push(await showsOn(question.faults, one));
  return shown;
}
