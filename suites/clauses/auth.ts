// Authentication.

import type { ClauseId } from '../../src/clause/clause.ts';
import { headersNamed } from '../../src/oracle/client-facts.ts';
import { type CredentialFacts, describeCredential, keyPlacesOf } from '../../src/oracle/credential-facts.ts';
import {
  bodyTextOf,
  describe,
  describeReceived,
  type Exchange,
  hasKey,
  headersOf,
  isCreation,
  isDocumented,
  isSameOperation,
} from '../../src/oracle/exchange.ts';
import { experiment, type Trial } from '../../src/oracle/experiment.ts';
import { absent, expects, form, hasSucceeded, STORED } from '../../src/oracle/mechanisms.ts';
import type { Blame, Breach, Case, JudgedClause, Must, Rule } from '../../src/oracle/rule.ts';
import { AFTER_KEY, type Standing, standingOf } from '../../src/oracle/standing.ts';
import { nameSent, type World } from '../../src/oracle/world.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/wire/json.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { postponement } from '../../src/wire/rate-limit.ts';
import { LEAST_ERROR, LEAST_REJECTION, LEAST_SERVER_ERROR, UNAUTHORIZED } from '../../src/wire/statuses.ts';
import { AFTER } from './after.ts';

type Family = 'missing' | 'wrong-key' | 'wrong-scheme' | 'elsewhere';

const FAMILIES: Readonly<Record<CredentialFacts['kind'], Family | undefined>> = {
  ...{ valid: undefined, open: undefined, malformed: undefined },
  ...{ absent: 'missing', elsewhere: 'elsewhere', scheme: 'wrong-scheme', wrong: 'wrong-key' },
};

/** Cookies that the service has set are a place for credentials too. */
function familyOf({ facts, sent }: Exchange, { cookies }: World): Family | undefined {
  const sends = headersNamed(sent.headers, 'cookie').flatMap((value) => value.split(/;\s*/));
  return facts.credential.kind === 'absent' && sends.some((cookie) => cookies.has(cookie)) ? 'elsewhere' : FAMILIES[facts.credential.kind];
}

const lacksKey = ({ facts }: Exchange): boolean => FAMILIES[facts.credential.kind] !== undefined;

/** While no animal is known, any id will do: without the key, all reads are rejected alike. */
const isRight = ({ facts: { id, credential } }: Exchange, { mustSucceed: right }: Standing, { seen }: World): boolean =>
  right || (id?.kind === 'int64' && seen.size === 0) || (credential.kind === 'elsewhere' && credential.places.includes('body'));

/** The names of all places where the key may be. */
const placesIn = ({ headers, target }: Exchange['sent']): readonly string[] => [
  ...headers.map(([name]) => name.toLowerCase()),
  ...headersNamed(headers, 'cookie').flatMap((cookies) => cookies.split(/;\s*/).map((cookie) => cookie.split('=')[0] ?? '')),
  ...target
    .replace(/^[^?]*/, '')
    .split(/[?&]/)
    .map((pair) => pair.split('=')[0] ?? ''),
];

/** How a request says what it has for a credential: two that say the same are the same experiment. */
const credentialOf = ({ sent, facts: { credential } }: Exchange): string =>
  [credential.kind, ...headersNamed(sent.headers, 'authorization'), ...(credential.kind === 'elsewhere' ? placesIn(sent) : [])].join(' ');

/** The same for wrong keys that differ only by chance. */
const kindOfCredential = (exchange: Exchange): string => {
  const { credential } = exchange.facts;
  return credential.kind === 'wrong' ? `wrong ${credential.how}` : credentialOf(exchange);
};

const keyPlacesIn = ({ sent }: Exchange, { run: { apiKey } }: World): readonly string[] =>
  keyPlacesOf(sent, { apiKey, query: sent.target.replace(/^[^?]*\??/, '') }).map(({ kind, name }) => `${kind} ${name}`);

/** Whether a service that takes the key from some of the places where a request has it has accepted another one for these, or for fewer. */
function isAcceptedWithFewerKeys(simpler: Exchange, own: Exchange, world: World): boolean {
  const isElsewhere = simpler.facts.credential.kind === 'elsewhere' && own.facts.credential.kind === 'elsewhere';
  if (!isElsewhere || !hasSucceeded(simpler)) return false;
  const places = new Set(keyPlacesIn(own, world));
  return keyPlacesIn(simpler, world).every((place) => places.has(place));
}

/** No credential, or a key that shares nothing with the configured one but its length: the plainest that must be rejected. */
function isPlainest({ sent, facts: { credential } }: Exchange, { run }: World): boolean {
  if (credential.kind === 'absent') return ['cookie', 'authorization'].every((name) => headersNamed(sent.headers, name).length === 0);
  const [value = ''] = headersNamed(sent.headers, 'authorization');
  return credential.kind === 'wrong' && credential.how === 'unrelated' && value.length === `Bearer ${run.apiKey}`.length;
}

const hasQueryAsWell = (one: Exchange, other: Exchange): boolean => one.sent.target.includes('?') === other.sent.target.includes('?');

/** Whether two requests differ only in their credentials, where services distinguish them. */
function isSameRequest(simpler: Exchange, own: Exchange): boolean {
  const saysStatus = (one: Exchange): boolean => bodyTextOf(one).includes('"status"');
  const withoutKey = ({ sent: { target } }: Exchange): string => target.replace(/\?.*/, '');
  const isSameList =
    JSON.stringify([simpler.facts.list?.limit, simpler.facts.list?.status]) ===
    JSON.stringify([own.facts.list?.limit, own.facts.list?.status]);
  return withoutKey(simpler) === withoutKey(own) && isSameList && saysStatus(simpler) === saysStatus(own) && hasQueryAsWell(simpler, own);
}

/** A crash is no rejection, an error that the key gets as well says nothing, and the plainest request explains what the others share with it. */
const blameOf = (id: keyof typeof AFTER, ...clauses: readonly ClauseId[]): Blame => ({
  ...{ contrasted: true, after: AFTER[id] },
  ...(clauses.length === 0
    ? {}
    : {
        simpler: {
          clauses,
          isTwin: (simpler: Exchange, own: Exchange, world: World) =>
            isDocumented(simpler) && isPlainest(simpler, world) && isSameOperation(simpler, own),
          isCloser: isSameRequest,
        },
      }),
});

const EXPECTED = ['401 with an Error body'];
const noted = ({ facts: { credential } }: Exchange): string => `with ${describeCredential(credential)}`;

function rejects(family: Family, blame: Blame): Rule {
  const of = (x: Exchange, s: Standing, w: World): boolean => familyOf(x, w) === family && isRight(x, s, w);
  return expects({ of, statuses: [UNAUTHORIZED], expected: EXPECTED, note: noted, layer: 'failure', blame });
}

/** What only resembles the form is a wrong credential (401) or a malformed request (400, RFC 6750, section 3.1): a success or a crash is wrong. */
function rejectsMalformed(by: 'token' | 'scheme', blame: Blame): Rule {
  return {
    ...{ layer: 'failure', blame, judgesUndocumented: true },
    of: ({ facts: { credential } }) => credential.kind === 'malformed' && credential.by === by,
    judge(exchange) {
      const {
        facts: { credential },
        response,
        status = 0,
      } = exchange;
      if (credential.kind !== 'malformed' || credential.by !== by || response === undefined || postponement(response, 0) !== undefined)
        return undefined;
      if (!hasSucceeded(exchange) && status < LEAST_SERVER_ERROR) return 'holds';
      const summary = `${describe(exchange)} with a malformed credential returned ${status}; expected 401 or 400`;
      return { summary, expected: [...EXPECTED, '400 with an Error body'], received: describeReceived(exchange) };
    },
  };
}

// --- without the key, whatever other spellings or headers a service accepts: it shows no animal and creates none

/** A name this long does not appear on a page by chance. */
const TELLING = 8;

/** The names of all animals that are known: a store may have thousands, and each item of a list is looked up. */
const knownNames = oncePerObject(
  ({ seen, animals }: World): ReadonlySet<string | undefined> =>
    new Set([...seen.values().map(({ name }) => name), ...animals.values().map(({ creation }) => creation?.read.pet?.name)]),
);

function sightingIn(value: Json, world: World): string | undefined {
  if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
  const found = Array.isArray(value) ? undefined : sightingOf(value, world);
  if (found !== undefined) return found;
  for (const inner of Object.values(value)) {
    const sighting = sightingIn(inner, world);
    if (sighting !== undefined) return sighting;
  }
  return undefined;
}

function sightingOf({ id, name, categoryId }: JsonObject, world: World): string | undefined {
  const isTelling = typeof name === 'string' && name !== '' && (name.length >= TELLING || categoryId !== undefined);
  if (isTelling && knownNames(world).has(name)) return `animal ${JSON.stringify(name)}`;
  const isId = typeof id === 'bigint' || (typeof id === 'number' && Number.isSafeInteger(id));
  return isId && name !== undefined && world.animals.has(BigInt(id)) ? `animal ${String(id)}` : undefined;
}

const isOpenWithoutKey = ({ facts: { path, client, credential } }: Exchange): boolean =>
  credential.kind === 'absent' && (path === 'respelled' || client.kind === 'undocumented');

const SHOWS_NONE: Rule = {
  ...{ layer: 'credential', judgesUndocumented: true, blame: { after: AFTER['auth.missing-credential'] } },
  of: isOpenWithoutKey,
  judge(exchange, _standing, world) {
    if (!isOpenWithoutKey(exchange) || isCreation(exchange) || exchange.response === undefined) return undefined;
    const { json, text = '' } = exchange.response;
    const inText = (): string | undefined => {
      const name = world.seen.values().find((pet) => (pet.name ?? '').length >= TELLING && text.includes(pet.name ?? ''))?.name;
      return name === undefined ? undefined : `animal ${JSON.stringify(name)}`;
    };
    const shown = !hasSucceeded(exchange) ? undefined : json?.ok === true ? sightingIn(json.value, world) : inText();
    if (shown === undefined) return 'holds';
    const summary = `${describe(exchange)} without a credential shows ${shown}`;
    const failureKinds = [{ place: 'animal', expected: 'not shown', received: 'shown' }];
    return { summary, expected: [...EXPECTED, 'any response that shows no animal'], received: describeReceived(exchange), failureKinds };
  },
};

/** An accepted creation counts only if a list with the key shows the animal: otherwise the 201 was a mere echo. */
const CREATES_NONE: Rule = {
  ...{ layer: 'credential', blame: { after: AFTER['auth.missing-credential'] } },
  of: isOpenWithoutKey,
  judgeAll: ({ exchanges }) =>
    exchanges
      .filter((one) => isOpenWithoutKey(one) && isCreation(one) && one.response !== undefined)
      .map((exchange): Case => {
        const name = nameSent(exchange);
        const isSight = (other: Exchange): boolean => hasKey(other) && other.read.pets?.some((pet) => pet.name === name) === true;
        const sighting = name === undefined || !hasSucceeded(exchange) ? undefined : exchanges.find(isSight);
        if (sighting === undefined) return { exchange };
        const summary = `${describe(exchange)} without a credential created an animal`;
        const expected = [...EXPECTED, 'any response, but no new animal'];
        const breach = { summary, expected, received: describeReceived(exchange), failureKinds: [STORED], shown: [sighting, exchange] };
        return { exchange, breach };
      }),
};

// --- each request counts by itself

/** Requests without the key, exposed to ones with it before: on the same connection, for the same target, from the same client. */
function exposures(world: World): readonly Trial[] {
  return world.exchanges.flatMap((exchange): Trial[] => {
    const told = standingOf(exchange, world);
    const { response, sent, facts } = exchange;
    const { afterKey } = told;
    if (!lacksKey(exchange) || !isDocumented(exchange) || !isRight(exchange, told, world) || afterKey === undefined) return [];
    if (response === undefined || postponement(response, 0) !== undefined || isCreation(exchange)) return [];
    const credential = isPlainest(exchange, world) ? 'the plainest' : credentialOf(exchange);
    const trial = { exchange, isWrong: hasSucceeded(exchange), key: sent.target };
    // What is carried over may be so for one operation, or, where few requests show it, for all.
    return AFTER_KEY.flatMap((kind) => {
      const isExposed = afterKey[kind];
      return isExposed === undefined
        ? []
        : [facts.operation, 'all'].map((of) => ({ ...trial, isExposed, group: `${of} ${credential} ${kind}` }));
    });
  });
}

const carriedOver = (exchange: Exchange, { wrong, controls }: { readonly wrong: number; readonly controls: number }): Breach => ({
  summary: `${describe(exchange)} ${noted(exchange)} returned ${exchange.status} after a request with the API key: ${wrong} did, and none of ${controls} before any`,
  ...{ expected: EXPECTED, received: describeReceived(exchange) },
});

const byItself = experiment({
  ...{ trials: exposures, least: 2, share: 0.5, controls: 2 },
  breach: ({ exchange }, told) => carriedOver(exchange, told),
});

/** What the service carries over for lists and reads may be why any other request without the key was accepted: creations too, if both are affected. */
function judgeCarriedOver(world: World): readonly Case[] {
  const cases = byItself(world);
  const broken = cases.filter(({ breach }) => breach !== undefined);
  const operations = new Set(broken.map(({ exchange }) => exchange.facts.operation));
  if (operations.size === 2) operations.add('createPet');
  const known = new Set(cases.map(({ exchange }) => exchange));
  const isWithoutKey = (one: Exchange): boolean => lacksKey(one) || one.facts.credential.kind === 'malformed';
  const isAccepted = (one: Exchange): boolean =>
    !known.has(one) && isWithoutKey(one) && hasSucceeded(one) && operations.has(one.facts.operation);
  const told = { wrong: broken.length, controls: 0 };
  return [...cases, ...world.exchanges.filter(isAccepted).map((exchange) => ({ exchange, breach: carriedOver(exchange, told) }))];
}

const BY_ITSELF: Rule = { layer: 'failure', of: lacksKey, blame: { contrasted: true }, judgeAll: judgeCarriedOver };

// --- a rejected creation stores nothing

/** Rejected for the key, by names that no other creation sent; a redirect that creations with the key get as well proves nothing. */
function rejectedByName({ creations }: World): ReadonlyMap<string, Exchange> {
  const usual = new Set(creations.flatMap((one) => (hasKey(one) && one.facts.body?.kind === 'plain' ? (one.status ?? []) : [])));
  const isRejection = (one: Exchange): boolean =>
    lacksKey(one) && (one.status ?? 0) >= LEAST_REJECTION && ((one.status ?? 0) >= LEAST_ERROR || !usual.has(one.status ?? 0));
  const byName = Map.groupBy(creations, (one) => nameSent(one) ?? '');
  return new Map(
    [...byName].flatMap(([name, all]) => (name !== '' && all.every(isRejection) && all[0] !== undefined ? [[name, all[0]] as const] : [])),
  );
}

// --- the API key

function rightKey(status: number, layer: 'credential' | 'status', of: (x: Exchange, s: Standing) => boolean): Rule {
  return {
    ...{ layer, of: hasKey },
    judge(exchange, told): 'holds' | Breach | undefined {
      if (!hasKey(exchange) || exchange.status === undefined || told.mayRejectClient || !of(exchange, told)) return undefined;
      if (exchange.status !== status) return 'holds';
      const summary = `${describe(exchange)} with the API key returned ${status}`;
      const failureKinds = [{ place: 'HTTP status', expected: 'neither 401 nor 403' }];
      return { summary, expected: ['any status other than 401 and 403'], received: describeReceived(exchange), failureKinds };
    },
  };
}

/** 403 counts where success is required: elsewhere it may have another reason, and a forbidden read may be of an animal that is gone. */
const isRightButForbidden = ({ facts: { operation } }: Exchange, { mustSucceed: right, hasOnlyDocumentedParameters }: Standing): boolean =>
  operation !== 'getPet' && right && (operation === 'createPet' || hasOnlyDocumentedParameters);

const BEARER = /(?:^|,)\s*bearer(?=\s|,|$)/i;

const CHALLENGE = form('media type', (exchange) => {
  const { response } = exchange;
  if (response.status !== UNAUTHORIZED) return 'no matter';
  const challenges = headersOf(response, 'www-authenticate');
  if (challenges.some((value) => BEARER.test(value))) return undefined;
  const received = challenges.length === 0 ? 'no WWW-Authenticate' : `WWW-Authenticate: ${challenges.join(', ')}`;
  const failureKinds = [
    {
      place: 'header WWW-Authenticate',
      expected: 'a Bearer challenge',
      received: challenges.length === 0 ? 'missing' : 'another challenge',
    },
  ];
  return { what: 'has no Bearer challenge', expected: ['a WWW-Authenticate header with a Bearer challenge'], received, failureKinds };
});

const OPERATIONS = [
  ['listPets', 'lists'],
  ['getPet', 'reads'],
  ['createPet', 'creations'],
] as const;

/** For each operation: its requests that must be rejected, where one was accepted. */
const eachOperation = (of: (one: Case, world: World) => boolean = () => true): readonly Must[] =>
  OPERATIONS.map(([operation, title]) => ({
    title,
    accepts: operation,
    meets: (one, world) => one.exchange.facts.operation === operation && of(one, world),
  }));

const hasParameters = ({ exchange: { sent } }: Case): boolean => sent.target.includes('?');

export const auth: readonly JudgedClause[] = [
  { id: 'auth.challenge', rules: [CHALLENGE], must: [{ title: 'rejections', meets: () => true }] },
  {
    id: 'auth.missing-credential',
    rules: [rejects('missing', blameOf('auth.missing-credential')), SHOWS_NONE, CREATES_NONE],
    must: [
      ...eachOperation(({ exchange }) => isDocumented(exchange)),
      { title: 'lists with parameters', accepts: 'listPets', meets: (one) => isDocumented(one.exchange) && hasParameters(one) },
      { title: 'other spellings of a path', meets: ({ exchange }) => exchange.facts.path === 'respelled' },
      { title: 'headers that a service may trust', meets: ({ exchange }) => exchange.facts.client.kind === 'undocumented' },
    ],
  },
  {
    id: 'auth.wrong-key',
    rules: [
      rejects('wrong-key', blameOf('auth.wrong-key', 'auth.missing-credential')),
      rejectsMalformed('token', blameOf('auth.wrong-key', 'auth.missing-credential')),
    ],
    must: eachOperation(),
  },
  {
    id: 'auth.wrong-scheme',
    rules: [
      rejects('wrong-scheme', blameOf('auth.wrong-scheme', 'auth.missing-credential', 'auth.wrong-key')),
      rejectsMalformed('scheme', blameOf('auth.wrong-scheme', 'auth.missing-credential', 'auth.wrong-key')),
    ],
    must: eachOperation(),
  },
  {
    id: 'auth.header-only',
    rules: [rejects('elsewhere', blameOf('auth.header-only', 'auth.missing-credential'))],
    must: eachOperation(),
  },
  {
    id: 'auth.precedence',
    rules: [
      expects({
        of: (x, s, w) => lacksKey(x) && !isRight(x, s, w),
        ...{ statuses: [UNAUTHORIZED], expected: EXPECTED, note: noted, layer: 'failure' },
        blame: {
          ...{ contrasted: true, after: AFTER['auth.precedence'] },
          simpler: {
            clauses: ['auth.missing-credential', 'auth.wrong-key', 'auth.wrong-scheme', 'auth.header-only'],
            isTwin: (simpler, own) => isSameOperation(simpler, own) && kindOfCredential(simpler) === kindOfCredential(own),
            isFallback: (simpler, own, world) =>
              kindOfCredential(simpler) === kindOfCredential(own) || isAcceptedWithFewerKeys(simpler, own, world),
            isCloser: hasQueryAsWell,
            explains: (simpler, own) => hasSucceeded(simpler.exchange) || simpler.exchange.status === own.exchange.status,
          },
        },
      }),
    ],
    must: eachOperation(),
  },
  {
    id: 'auth.every-request',
    rules: [BY_ITSELF],
    must: eachOperation().slice(0, 2),
  },
  {
    id: 'auth.valid-key',
    rules: [rightKey(UNAUTHORIZED, 'credential', () => true), rightKey(403, 'status', isRightButForbidden)],
    must: eachOperation(),
  },
  {
    id: 'auth.refused-stores-nothing',
    rules: [absent(rejectedByName, { says: 'whose creation was rejected for its credential' })],
    must: [{ title: 'lists and reads', accepts: 'createPet', meets: () => true }],
  },
];
