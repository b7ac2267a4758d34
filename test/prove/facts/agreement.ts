// Whether the facts of what was sent agree with the intents that its senders declared.

import { type Facts, factsOf } from '../../../src/oracle/facts.ts';
import type { ReferenceOptions } from '../../../src/reference/server.ts';
import type { Intent, WireRequest } from '../../../src/wire/exchange.ts';
import { judgeReference, KEY, type KeptRun } from '../judge-reference.ts';
import { sentOf } from './sent-of.ts';

const FIELDS = ['operation', 'credential', 'client', 'limit', 'status', 'petId', 'body', 'sent'] as const;
type Field = (typeof FIELDS)[number];
type Said = Readonly<Record<Field, string>>;

const shownPet = (sent: Intent['sent']): string => (sent === undefined ? '-' : `${sent.name} ${sent.categoryId} ${sent.status ?? '-'}`);

function saidByIntent(intent: Intent): Said {
  const { undocumented = false, onceAccepted, credential } = intent;
  const usual = onceAccepted === undefined ? 'usual' : 'unusual';
  return {
    operation: intent.operation,
    credential: onceAccepted ?? credential,
    client: undocumented ? 'undocumented' : usual,
    limit: String(intent.limit),
    status: intent.status,
    petId: String(intent.petId ?? '-'),
    body: `${intent.body} ${intent.bodyClause ?? ''}`.trim(),
    sent: shownPet(intent.sent),
  };
}

const STANDINGS = {
  valid: 'valid',
  open: 'open',
  malformed: 'open',
  absent: 'refused',
  elsewhere: 'refused',
  scheme: 'refused',
  wrong: 'refused',
};

function parameterSaid(parameter: { readonly kind: string; readonly value?: unknown } | undefined): string {
  return parameter?.kind === 'documented' ? String(parameter.value) : (parameter?.kind ?? 'absent');
}

function saidByFacts({ operation, path, credential, client, list, id, body }: Facts): Said {
  return {
    operation,
    credential: STANDINGS[credential.kind],
    client: path === 'respelled' ? 'undocumented' : client.kind,
    limit: parameterSaid(list?.limit),
    status: parameterSaid(list?.status),
    petId: id?.kind === 'int64' ? String(id.value) : '-',
    body: body === undefined ? 'none' : body.kind === 'invalid' ? `invalid ${body.clause}` : body.kind,
    sent: body === undefined || body.kind === 'invalid' ? '-' : shownPet(body.sent),
  };
}

type Difference = {
  readonly field: Field;
  readonly old: string;
  readonly now: string;
  readonly request: WireRequest;
  readonly facts: Facts;
};

const isAccepted = ({ facts }: Difference): boolean => facts.credential.kind === 'valid';
const becomes = ({ old, now }: Difference, before: string, after: readonly string[]): boolean => old === before && after.includes(now);
const isClient = ({ facts: { client } }: Difference, ...by: readonly string[]): boolean =>
  client.kind === 'unusual' && client.by.some((one) => by.includes(one));

/** A difference that is right: the facts say what they should, and the intent said something else. */
export type Explanation = { readonly field: Field; readonly why: string; readonly holds: (difference: Difference) => boolean };

const EXPLANATIONS: readonly Explanation[] = [
  {
    field: 'body',
    why: 'the credential comes first: without the key, senders declared no body, or an open one',
    holds: (one) => !isAccepted(one),
  },
  {
    field: 'body',
    why: 'only the history knows that creations stopped (a quota, the rights of the key)',
    holds: ({ request }) => request.intent.limited !== undefined,
  },
  {
    field: 'body',
    why: 'a chunked body was declared open; now the client is unusual, and the body is what it is',
    holds: (one) => isClient(one, 'chunked') && one.old === 'open',
  },
  {
    field: 'body',
    why: 'only the history knows which categories are accepted',
    holds: (one) => becomes(one, 'unusual', ['plain']),
  },
  {
    field: 'body',
    why: 'only the history knows which names are taken, and that no animal has a category',
    holds: (one) => isAccepted(one) && becomes(one, 'open', ['plain', 'unusual']),
  },
  {
    field: 'body',
    why: 'category 0 with a zero behind it is not JSON',
    holds: (one) => becomes(one, 'open', ['invalid create.body-json']) && String(one.request.body).endsWith(':00e-1}'),
  },
  {
    field: 'body',
    why: 'an id in the body was declared unusual; it is a member that the document does not show, so it is open',
    holds: (one) => one.facts.body?.kind === 'open' && one.facts.body.why === 'id' && one.old === 'unusual',
  },
  {
    field: 'client',
    why: 'what the HTTP layer may reject is an unusual client now: a header that is large',
    holds: (one) => becomes(one, 'undocumented', ['unusual']) && isClient(one, 'headers over 4 KB'),
  },
  {
    field: 'client',
    why: 'an Accept that has JSON, with whatever weight, and a token that is not ASCII are usual: they were declared undocumented',
    holds: (one) =>
      becomes(one, 'undocumented', ['usual']) &&
      one.request.headers.some(([name, value]) => name.toLowerCase() === 'accept' || /[^\t\x20-\x7e]/.test(value)),
  },
  {
    field: 'client',
    why: 'sizes and chunks that a service may reject (411, 413, 414, 431) were judged by each rule',
    holds: (one) =>
      becomes(one, 'usual', ['unusual']) && isClient(one, 'body over 1 KB', 'headers over 4 KB', 'target over 2,000 characters', 'chunked'),
  },
  {
    field: 'client',
    why: 'what a service may trust in place of the key was declared so in some requests only',
    holds: (one) => becomes(one, 'usual', ['undocumented']) && !isAccepted(one),
  },
  {
    field: 'credential',
    why: 'without the key, another path or a trusted header was declared an open credential; path and client say that now',
    holds: (one) => becomes(one, 'open', ['refused']) && (one.facts.path === 'respelled' || one.facts.client.kind === 'undocumented'),
  },
  {
    field: 'credential',
    why: 'a token of 8,000 letters is wrong; that the HTTP layer may reject it says the client',
    holds: (one) => becomes(one, 'open', ['refused']) && isClient(one, 'headers over 4 KB'),
  },
  {
    field: 'limit',
    why: 'a raw query that mentioned one parameter made both open',
    holds: (one) => becomes(one, 'open', ['absent']) && one.facts.list?.status.kind === 'open',
  },
  {
    field: 'status',
    why: 'a raw query that mentioned one parameter made both open',
    holds: (one) => becomes(one, 'open', ['absent']) && one.facts.list?.limit.kind === 'open',
  },
  {
    field: 'sent',
    why: 'an invalid body is not a NewPet: its facts have its name alone',
    holds: ({ facts, now }) => facts.body?.kind === 'invalid' && now === '-',
  },
  {
    field: 'sent',
    why: 'nothing was read from bodies that were declared as raw bytes',
    holds: ({ old }) => old === '-',
  },
];

function differencesOf(request: WireRequest, apiKey: string): Difference[] {
  const facts = factsOf(sentOf(request), apiKey);
  const [old, now] = [saidByIntent(request.intent), saidByFacts(facts)];
  return FIELDS.filter((field) => old[field] !== now[field]).map((field) => ({ field, old: old[field], now: now[field], request, facts }));
}

export type Agreement = {
  readonly exchanges: number;
  readonly equal: number;
  /** How many differences each explanation explains. */
  readonly explained: ReadonlyMap<Explanation, number>;
  readonly unexplained: readonly Difference[];
};

/** Judges a server as today, and compares what the facts and the intents of each request say. */
export async function agreementOn(server: Pick<ReferenceOptions, 'faults' | 'variants'>): Promise<Agreement> {
  const differences: Difference[][] = [];
  const keep = ({ history }: KeptRun): void => {
    differences.push(...history.exchanges.map(({ exchange }) => differencesOf(exchange.request, KEY)));
  };
  await judgeReference({ seedAnimals: 7, ...server }, { explained: false, keep });
  const explanations = differences.flat().map((difference) => ({
    difference,
    explanation: EXPLANATIONS.find(({ field, holds }) => field === difference.field && holds(difference)),
  }));
  return {
    exchanges: differences.length,
    equal: differences.filter((all) => all.length === 0).length,
    explained: new Map(EXPLANATIONS.map((one) => [one, explanations.filter(({ explanation }) => explanation === one).length])),
    unexplained: explanations.filter(({ explanation }) => explanation === undefined).map(({ difference }) => difference),
  };
}
