import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeAnswer, describeRequest, finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import { isCrash } from '../../src/expect/judgeable.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import { validCredential } from '../../src/session/client/create-api.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { FORWARDING_HEADERS, type HeaderGroup } from '../cases/forwarding-headers.ts';
import { defineClause } from '../define.ts';
import { asDocumented } from '../judging/documented/as-documented.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { askAgain } from '../judging/lists/ask-again.ts';

type Client = {
  readonly what: string;
  readonly options: CallOptions;
  /** Services may turn away clients that do not say what they are, or what they accept: only this clause judges that. */
  readonly vague?: true;
};

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const CLIENTS: readonly Client[] = [
  { what: 'without a User-Agent', options: { without: ['user-agent'] }, vague: true },
  { what: 'with the User-Agent of a browser', options: { headers: [['user-agent', BROWSER]] } },
  { what: 'with the User-Agent of curl', options: { headers: [['user-agent', 'curl/8.14.1']] } },
  { what: 'with an empty User-Agent', options: { headers: [['user-agent', '']] }, vague: true },
  { what: 'with Accept: application/*', options: { headers: [['accept', 'application/*']] }, vague: true },
];

const LENGTH_REQUIRED = 411;

/** A finding if the service rejects a kind of client. errors.no-server-error judges a 5xx, and auth.valid-key a 401. */
function rejected(exchange: Exchange, what: string): Finding | undefined {
  const { status } = answerOf(exchange);
  if (status < 300 || status >= 500 || status === 401) return undefined;
  return finding([exchange], {
    summary: `${describeRequest(exchange)} ${what} was rejected with ${status}`,
    expected: ['the same response as for other clients'],
    received: describeAnswer(exchange),
  });
}

async function judgeUserAgents(s: Session, { petList }: Have<['petList']>): Promise<Outcome> {
  asDocumented({ exchange: petList.exchange, status: 200, owner: 'list.success' });
  return judgeRows(s, {
    rows: CLIENTS,
    judge: async ({ what, options, vague }) => {
      const credential = { ...validCredential(s.options.apiKey), standing: 'open' } as const;
      return rejected(await askAgain(s, petList.exchange, vague === true ? { ...options, credential } : options), what);
    },
    evidence: `${CLIENTS.length} lists for different kinds of clients, none of them rejected`,
  });
}

function showsAny(exchange: Exchange, ids: ReadonlySet<bigint>): boolean {
  return ids.size === 0 || petsOf(exchange).some(({ id }) => ids.has(id));
}

function isList(exchange: Exchange): boolean {
  const { status, json } = answerOf(exchange);
  return status === 200 && json.ok && Array.isArray(json.value);
}

/** A list as it is usually, and its animals. */
type Listed = Have<['petList']>['petList'];

/** A finding if proxy headers change the response to a request with the API key. */
async function judgeForwarded(s: Session, { exchange: list, pets }: Listed, { what, headers }: HeaderGroup): Promise<Finding | undefined> {
  const ids = new Set(pets.map(({ id }) => id));
  const exchange = await askAgain(s, list, { headers, undocumented: true });
  // Other clients may create and remove animals concurrently: one that is still shown is enough.
  if (isList(exchange) && showsAny(exchange, ids)) return undefined;
  if (isCrash(statusOf(exchange) ?? 0))
    haltInconclusive(`${describeRequest(exchange)} with ${what} was not served`, 'errors.no-server-error');
  const usual = asDocumented({ exchange: await askAgain(s, list, {}), status: 200, owner: 'list.success' });
  if (!showsAny(usual, ids)) haltInconclusive('the list shows other animals each time', 'circumstance');
  return finding([usual, exchange], {
    summary: `${describeRequest(exchange)} with ${what} returned a different list than without them`,
    expected: ['the same response as without them'],
    received: describeAnswer(exchange),
  });
}

async function judgeForwarding(s: Session, { petList }: Have<['petList']>): Promise<Outcome> {
  return judgeRows(s, {
    rows: FORWARDING_HEADERS,
    judge: (group) => judgeForwarded(s, petList, group),
    evidence: `${FORWARDING_HEADERS.length} lists with proxy headers, each the same as without them`,
  });
}

/** A chunked body that creates nothing, whatever the response. */
async function judgeChunked(s: Session): Promise<Outcome> {
  return judgeRows(s, {
    rows: [{ value: {} }],
    judge: async (body) => {
      const exchange = await s.api.create(body, { domain: 'open', chunked: true });
      return statusOf(exchange) === LENGTH_REQUIRED ? rejected(exchange, 'with a chunked body') : undefined;
    },
    evidence: 'a POST with a chunked body was not rejected for its missing Content-Length',
  });
}

export const mediaAnyClient = defineClause({
  id: 'media.any-client',
  chapter: 'media-type',
  section: 'RFC 9110, sections 7.6, 10.1.5, 12.5.1 and 15.5.12; RFC 9112, section 7.1',
  level: 'advised',
  requirement:
    'The service accepts any kind of client: it rejects no request for its User-Agent or the lack of one, for Accept: application/*, for a chunked body, or for proxy headers, and proxy headers change nothing.',
  likelyCause:
    'A firewall blocks clients by their User-Agent, a proxy requires a Content-Length, or the framework trusts forwarding and override headers from any client.',
  checks: [
    {
      id: 'user-agents',
      title: 'Returns lists to browsers, curl, and clients without a User-Agent or with application/* in their Accept header',
      step: 'read',
      given: ['petList'],
      fault: 'user-agent-missing-forbidden',
      run: judgeUserAgents,
    },
    {
      id: 'forwarding',
      title: 'Forwarding and override headers do not change the list',
      step: 'read',
      given: ['petList'],
      fault: 'overridden-method-honored',
      run: judgeForwarding,
    },
    {
      id: 'chunked',
      title: 'A chunked body is not rejected with 411',
      step: 'first-page',
      given: ['pets'],
      effect: 'write',
      fault: 'chunked-body-needs-length',
      run: judgeChunked,
    },
  ],
});
