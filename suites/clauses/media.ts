// Media types, JSON, and whatever kind of client asks.

import type { StatedKind } from '../../src/clause/failure-kind.ts';
import { headersNamed } from '../../src/oracle/client-facts.ts';
import { describe, describeReceived, type Exchange, hasKey, headersOf, isDocumented } from '../../src/oracle/exchange.ts';
import { type FormProblem, form } from '../../src/oracle/mechanisms.ts';
import type { Breach, Case, JudgedClause, Must, Rule } from '../../src/oracle/rule.ts';
import { type Standing, saysNothingOfRequest, standingOf } from '../../src/oracle/standing.ts';
import type { World } from '../../src/oracle/world.ts';
import type { Sent } from '../../src/session/vector.ts';
import type { HttpResponse } from '../../src/wire/exchange.ts';
import { duplicateMemberOf } from '../../src/wire/json.ts';
import { LEAST_REJECTION, LEAST_SERVER_ERROR } from '../../src/wire/statuses.ts';
import { hasOwnBody, mediaTypeOf, notJson, otherType } from './responses.ts';

const OTHER_STATUS: StatedKind = { place: 'HTTP status', expected: 'as for other clients' };

const JSON_TYPE = form('media type', ({ response }) => {
  if (!hasOwnBody(response)) return 'no matter';
  const sent = headersOf(response, 'content-type');
  if (mediaTypeOf(response) === 'application/json' && sent.length === 1) return undefined;
  const received = sent.length === 0 ? 'no Content-Type' : `Content-Type ${sent.join(' and ')}`;
  const failureKinds = [otherType(sent.length > 0)];
  return { what: `has a body with ${received}`, expected: ['Content-Type: application/json'], received, failureKinds };
});

const BYTE_ORDER_MARK = '\ufeff';

function formProblem({ text, json }: HttpResponse): { readonly what: string; readonly kind: string } | undefined {
  if (text === undefined) return { what: 'is not UTF-8', kind: 'another encoding' };
  if (text.startsWith(BYTE_ORDER_MARK)) return { what: 'starts with a byte order mark', kind: 'a byte order mark' };
  if (!json.ok) return { what: `is not JSON: ${json.problem}`, kind: 'something else' };
  const twice = duplicateMemberOf(json, text);
  const what = `has an object with two different values for "${twice}"`;
  return twice === undefined ? undefined : { what, kind: 'two values of one member' };
}

/** media.json alone judges a body that is declared as something else. */
const claimsJson = (response: HttpResponse): boolean => (mediaTypeOf(response) ?? 'json').endsWith('json') || mediaTypeOf(response) === '';

const WELL_FORMED = form('JSON', ({ response, isUnread }) => {
  if (!hasOwnBody(response) || !claimsJson(response) || isUnread) return 'no matter';
  const problem = formProblem(response);
  return problem === undefined
    ? undefined
    : {
        what: problem.what,
        expected: ['JSON in UTF-8 (RFC 8259), without a byte order mark or duplicate object members'],
        failureKinds: [notJson(problem.kind)],
      };
});

// --- a client that accepts JSON, in whatever words, gets what others get

/** What negotiates the content of a response. */
const ACCEPTING = ['accept', 'accept-encoding', 'accept-language'];
const OF_CLIENTS = [...ACCEPTING, 'user-agent', 'traceparent'];
const acceptedBy = ({ sent: { headers } }: Exchange): string => ACCEPTING.map((name) => headersNamed(headers, name).join()).join('\n');
const USUAL = ['application/json', '', ''].join('\n');

const contentOf = ({ sent: { method, target, headers, body } }: Exchange): string =>
  [
    method,
    target,
    body === undefined ? '' : Buffer.from(body).toString('latin1'),
    ...headers.filter(([name]) => !OF_CLIENTS.includes(name.toLowerCase())).join('\n'),
  ].join('\n');

function documentedStatus({ facts }: Exchange, { mustSucceed, body }: Standing): number | undefined {
  const { credential, operation, id } = facts;
  if (credential.kind !== 'valid') return credential.kind === 'open' || credential.kind === 'malformed' ? undefined : 401;
  if (mustSucceed) return operation === 'createPet' ? 201 : 200;
  if (body === 'invalid') return 400;
  return id?.kind === 'int64' ? 404 : undefined;
}

/** Broken where a client got another status twice, while the usual one got its own before and again afterwards. */
function otherStatuses(world: World): readonly Case[] {
  const decided = world.exchanges.filter((one) => isDocumented(one) && one.response !== undefined && one.facts.client.kind === 'usual');
  const inOrder = decided.toSorted((a, b) => a.at - b.at);
  return [...Map.groupBy(inOrder, contentOf).values()].flatMap((same): readonly Case[] => {
    const usuals = same.filter((one) => acceptedBy(one) === USUAL);
    return [...Map.groupBy(same, acceptedBy)].flatMap(([accepted, [first, second]]): readonly Case[] => {
      if (accepted === USUAL || first === undefined || second === undefined) return [];
      const before = usuals.findLast(({ at }) => at < first.at);
      const after = usuals.find(({ at }) => at > second.at);
      if (before?.status === undefined || after?.status !== before.status) return [];
      const right = [before.status, documentedStatus(before, standingOf(before, world)), 401];
      if (![first, second].every(({ status = 0 }) => status < LEAST_SERVER_ERROR && !right.includes(status))) return [];
      const sent = accepted.trim().replaceAll('\n', ', ');
      const client = sent === '' ? 'without Accept' : `that accepts ${sent}`;
      const summary = `${describe(first)} returned ${first.status} to a client ${client}; other clients get ${before.status}`;
      const expected = [`${before.status} as application/json, whatever else the client accepts`];
      const breach = { summary, expected, received: describeReceived(first), failureKinds: [OTHER_STATUS] };
      return [{ exchange: first, others: [second], breach }];
    });
  });
}

// --- strict clients

/** Registered transfer codings (RFC 9112, section 7), and their former names. */
const CODINGS = new Set(['chunked', 'compress', 'deflate', 'gzip', 'x-compress', 'x-gzip']);

const membersOf = (values: readonly string[]): readonly string[] =>
  values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');

/** A content coding that the request does not accept; without Accept-Encoding, it accepts all (RFC 9110, section 12.5.3). */
function excludedCoding({ headers }: Sent, response: HttpResponse): string | undefined {
  const accepted = headersNamed(headers, 'accept-encoding');
  if (accepted.length === 0 || !hasOwnBody(response)) return undefined;
  const weights = new Map(membersOf(accepted).map((one) => [one.replace(/\s*;.*/, ''), !/;\s*q=0(?:\.0*)?$/.test(one)] as const));
  const used = membersOf(headersOf(response, 'content-encoding')).map((name) => (name === 'x-gzip' ? 'gzip' : name));
  return used.find((name) => name !== 'identity' && !(weights.get(name) ?? weights.get('*') ?? false));
}

function codingProblem(sent: Sent, response: HttpResponse): FormProblem | undefined {
  const excluded = excludedCoding(sent, response);
  if (excluded === undefined) return undefined;
  return {
    what: `has the content coding ${JSON.stringify(excluded)}, which the request does not accept`,
    expected: [`none but those of Accept-Encoding: ${headersNamed(sent.headers, 'accept-encoding').join(', ')}`],
    received: `Content-Encoding: ${headersOf(response, 'content-encoding').join(', ')}`,
    failureKinds: [{ place: 'header Content-Encoding', expected: 'accepted codings', received: 'others' }],
  };
}

function transportProblem(response: HttpResponse): FormProblem | undefined {
  const { version, commonNameOnly } = response.connection ?? {};
  if (version !== undefined)
    return {
      what: `has ${version} in its status line`,
      ...{ expected: ['HTTP/1.1 (or HTTP/1.0) in the status line'], received: version },
      failureKinds: [{ place: 'status line', expected: 'HTTP/1', received: 'another version' }],
    };
  const codings = membersOf(headersOf(response, 'transfer-encoding')).map((value) => value.replace(/\s*;.*/, ''));
  const [expected, received] = [
    ['registered transfer codings, and chunked at most once, as the last'],
    `Transfer-Encoding: ${codings.join(', ')}`,
  ];
  const failureKinds = [{ place: 'header Transfer-Encoding', expected: 'registered codings', received: 'others' }];
  const unknown = codings.find((coding) => !CODINGS.has(coding));
  if (unknown !== undefined)
    return { what: `has the transfer coding ${JSON.stringify(unknown)}, which HTTP does not know`, expected, received, failureKinds };
  if (codings.filter((coding) => coding === 'chunked').length > 1)
    return { what: 'has the transfer coding chunked more than once', expected, received, failureKinds };
  if (commonNameOnly !== true) return undefined;
  return {
    what: 'came with a certificate that names its host in the common name only',
    expected: ['the host in subjectAltName, which clients compare (RFC 9110, section 4.3.4)'],
    received: 'a certificate without subjectAltName',
    failureKinds: [{ place: 'certificate', expected: 'subjectAltName', received: 'missing' }],
  };
}

// --- any client

const rejected = (exchange: Exchange, what: string): Breach => ({
  summary: `${describe(exchange)} ${what} returned ${exchange.status}`,
  expected: ['the same response as for other clients'],
  received: describeReceived(exchange),
  failureKinds: [OTHER_STATUS],
});

const isTelling = (exchange: Exchange): boolean => !saysNothingOfRequest(exchange) && ![408, 429].includes(exchange.status ?? 408);

/** What identifies a client in lists, whether it is unusual or not. */
const LIBRARIES = /^(?:Mozilla\/5\.0|curl\/)/;
const CLIENTS: readonly string[] = ['no User-Agent', 'User-Agent of an old or automated client', 'Accept without JSON'];

const LISTS_FOR_ALL: Rule = {
  layer: 'status',
  judge(exchange, _standing, { keyed }) {
    const { facts, sent, status = 0 } = exchange;
    // What is asked for was accepted from some client.
    if (facts.operation !== 'listPets' || !hasKey(exchange) || !keyed.targets.has(`GET ${sent.target}`) || !isTelling(exchange))
      return undefined;
    const by = facts.client.kind === 'unusual' ? facts.client.by.filter((one) => CLIENTS.includes(one)) : [];
    if (by.length === 0 && !LIBRARIES.test(headersNamed(sent.headers, 'user-agent')[0] ?? '')) return undefined;
    return status < LEAST_REJECTION
      ? 'holds'
      : rejected(exchange, `from a client with ${by.join(' and ') || 'the User-Agent of a browser or of curl'}`);
  },
};

const LENGTH_REQUIRED = 411;
const CHUNKS: Rule = {
  layer: 'status',
  judge(exchange) {
    if (exchange.facts.framing !== 'chunked' || !isTelling(exchange)) return undefined;
    return exchange.status === LENGTH_REQUIRED ? rejected(exchange, 'with a chunked body') : 'holds';
  },
};

/** A list with proxy headers shows animals that the same list showed before without them: one that is still shown is enough. */
const FORWARDED: Rule = {
  ...{ layer: 'history', judgesUndocumented: true },
  judge(exchange, _standing, { exchanges }) {
    const { facts, status, at, done, sent } = exchange;
    if (facts.client.kind !== 'undocumented' || facts.operation !== 'listPets' || facts.path !== 'documented' || !hasKey(exchange))
      return undefined;
    // With If-None-Match, 304 shows what the client has already.
    if (status === undefined || (status >= 500 && status !== 501) || [304, 408, 429].includes(status)) return undefined;
    const usual = exchanges.filter(
      (one) =>
        hasKey(one) && isDocumented(one) && (one.read.pets ?? []).length > 0 && one.sent.target === sent.target && !one.read.hasDeparture,
    );
    const known = new Set(usual.filter((one) => one.done <= at).flatMap(({ read: { pets = [] } }) => pets.map(({ id }) => id)));
    const showsKnown = (one: Exchange): boolean => one.read.pets?.some(({ id }) => known.has(id)) === true;
    if (showsKnown(exchange)) return 'holds';
    const after = usual.find((one) => one.at >= done);
    if (after === undefined || !showsKnown(after)) return undefined;
    const summary = `${describe(exchange)} with ${facts.client.by.join(', ')} returned a different list than without`;
    return {
      summary,
      ...{ expected: ['the same response as without them'], received: describeReceived(exchange) },
      failureKinds: [{ place: '[]', expected: 'the animals that other clients get', received: 'others' }],
      shown: [after, exchange],
    };
  },
};

const each = (...titles: readonly Exchange['facts']['operation'][]): readonly Must[] =>
  titles.map((title) => ({ title, accepts: title, meets: ({ exchange }) => exchange.facts.operation === title }));
const OPERATIONS = each('listPets', 'getPet', 'createPet');
const any = (title: string, meets: Must['meets'] = () => true): Must => ({ title, meets });

export const media: readonly JudgedClause[] = [
  {
    id: 'media.json',
    rules: [JSON_TYPE, { layer: 'status', judgeAll: otherStatuses }],
    must: [...OPERATIONS, any('clients that accept something else', ({ exchange }) => acceptedBy(exchange) !== USUAL)],
  },
  { id: 'media.well-formed', rules: [WELL_FORMED], must: OPERATIONS },
  {
    id: 'media.transport',
    rules: [form('media type', ({ sent, response }) => transportProblem(response) ?? codingProblem(sent, response))],
    must: [any('responses')],
  },
  {
    id: 'media.any-client',
    rules: [LISTS_FOR_ALL, CHUNKS, FORWARDED],
    must: [
      any('unusual clients', ({ exchange: { facts } }) => facts.client.kind !== 'undocumented' && facts.framing !== 'chunked'),
      any('chunked bodies', ({ exchange: { facts } }) => facts.framing === 'chunked'),
      any('forwarding headers', ({ exchange: { facts } }) => facts.client.kind === 'undocumented'),
    ],
  },
];
