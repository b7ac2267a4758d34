import type fc from 'fast-check';
import {
  brokenBodies,
  hugeCategories,
  type Mutation,
  missingFields,
  nonObjects,
  wrongCategories,
  wrongNames,
  wrongStatuses,
} from '../../src/arbitraries/invalid-bodies.ts';
import type { Breach, CatalogClauseId, ClauseId } from '../../src/clause/clause.ts';
import type { Event, Rule, SessionClause } from '../../src/oracle/world.ts';
import type { CreateBody, CreateOptions } from '../../src/session/client/api.ts';
import { equivalentsOf } from '../../src/session/client/equivalent.ts';
import { createRandom } from '../../src/session/numbers.ts';
import { describeResponse, isErrorBody } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { BAD_REQUEST, CONTENT_TOO_LARGE, LEAST_REJECTION } from '../../src/wire/statuses.ts';
import {
  CUT_BODIES,
  FOREIGN_BODIES,
  HUGE_CATEGORIES,
  IGNORED_BODIES,
  type InvalidBody,
  LENIENT_BODIES,
  MISSING_CATEGORIES,
  MISSING_NAMES,
  NO_BODIES,
  NO_OBJECTS,
  NULL_CATEGORIES,
  NULL_NAMES,
  NULL_STATUSES,
  TRAILING_BODIES,
  WRONG_CATEGORIES,
  WRONG_NAMES,
  WRONG_STATUSES,
} from '../cases/invalid-bodies.ts';
import { defineRules } from '../define.ts';
import { isOwnedElsewhere } from '../responses.ts';
import { membersElsewhere, stillCreates } from '../stimuli/creations.ts';
import { seedOf, sendDrawn } from '../stimuli/drawn.ts';
import { describeBody, isSimplerCreation } from './creations.ts';

/** No NewPet of the plain domain is longer than this many bytes. */
const SMALL = 512;

/** Whether the body was rejected for its size before its content was looked at: the document shows no size limit. */
function isTooLarge({ status, exchange: { request } }: Event): boolean {
  return status === CONTENT_TOO_LARGE && (request.body?.length ?? 0) > SMALL;
}

/**
 * Whether the client asks for JSON and nothing else, and sends a body of known length whose media type has no parameter: what another one is
 * rejected for is for media.json and media.any-client to judge, or open.
 */
function isUsual({ exchange: { request } }: Event): boolean {
  const valuesOf = (field: string): readonly string[] =>
    request.headers.filter(([name]) => name.toLowerCase() === field).map(([, value]) => value);
  const isJson = (value: string): boolean => value.trim() === 'application/json';
  return valuesOf('accept').some(isJson) && valuesOf('content-type').every(isJson) && request.chunked !== true;
}

function judgeInvalid(clause: ClauseId, event: Event): 'not-applicable' | 'holds' | Breach {
  const { exchange, intent, response, status = 0 } = event;
  if (intent.body !== 'invalid' || intent.bodyClause !== clause || intent.credential !== 'valid') return 'not-applicable';
  if (response === undefined || isOwnedElsewhere(response)) return 'not-applicable';
  if (status === BAD_REQUEST) return 'holds';
  if (isTooLarge(event) || (status >= LEAST_REJECTION && !isUsual(event))) return 'not-applicable';
  const what = intent.bodyNote === undefined ? `the invalid body ${describeBody(exchange)}` : `a body ${intent.bodyNote}`;
  return {
    summary: `POST /pets with ${what} returned ${status}; expected 400`,
    expected: ['400 with an Error body'],
    received: describeResponse(exchange),
  };
}

/** The simplest bodies that must be rejected lack a property. */
const SIMPLEST = ['create.name-required', 'create.category-required'] as const;

const propertyOf = (clause: string): string | undefined => /^create\.([a-z]+)-/.exec(clause)?.[1];

/** The simplest invalid bodies in which another property is wrong: what rejects these the same way does not look at the property. */
function simplerThan(clause: ClauseId): readonly ClauseId[] {
  return clause === SIMPLEST[0] ? [] : SIMPLEST.filter((one) => propertyOf(one) !== propertyOf(clause));
}

/** Whether it was rejected, by its status or with an Error body: that one body is accepted does not explain that another one is. */
function isRejection({ response, status = 0 }: Event): boolean {
  return status >= LEAST_REJECTION || (response !== undefined && isErrorBody(response));
}

function rejects(clause: ClauseId): Rule {
  return {
    layer: 'status',
    judge: (event) => judgeInvalid(clause, event),
    // A body may be accepted with data that the request before it left.
    after: ['create.independent'],
    // A service that rejects plain NewPets the same way, as a full one does, rejects these for the same reason.
    simpler: {
      clauses: ['create.success', ...simplerThan(clause)],
      isTwin: (simpler, own) => isSimplerCreation(simpler) && isRejection(own),
    },
  };
}

/**
 * Sends what must be rejected. Where it is rejected with another status, a plain NewPet follows, once in a run: whether the service still creates
 * any is then in the history.
 */
async function sendInvalid(s: Session, body: CreateBody, options: Omit<CreateOptions, 'domain'>): Promise<Exchange> {
  const exchange = await s.api.create(body, { ...options, domain: 'invalid' });
  const { outcome } = exchange;
  if (outcome.kind === 'answered' && outcome.answer.status >= LEAST_REJECTION && outcome.answer.status !== BAD_REQUEST)
    await stillCreates(s);
  return exchange;
}

type Table = {
  readonly id: string;
  readonly title: string;
} & (
  | {
      readonly rows: readonly InvalidBody[];
      /** The first row, and so many of the others, which the seed chooses: what accepts one of them is likely to accept, and to store, all. */
      readonly drawn?: number;
    }
  | { readonly elsewhere: 'name' | 'categoryId' }
);

function draw<Row>([first, ...others]: readonly Row[], count: number, seed: number): readonly Row[] {
  const random = createRandom(seed);
  const placed = others.map((row) => ({ row, place: random() })).toSorted((a, b) => a.place - b.place);
  return [first, ...placed.slice(0, count).map(({ row }) => row)].filter((row) => row !== undefined);
}

function sendTable(clause: ClauseId, table: Table): (s: Session) => Promise<unknown> {
  if ('rows' in table)
    return (s) =>
      s.all(s.portion(draw(table.rows, table.drawn ?? table.rows.length, s.options.seed)), async ({ what, body }) =>
        sendInvalid(s, body(await s.fixtures.draft()), { clause, note: what }),
      );
  const { elsewhere: member } = table;
  const note = `without ${member}, but with a ${member} in the query string, headers, and cookies`;
  return async (s) => {
    const { [member]: elsewhere, ...value } = await s.fixtures.draft();
    return sendInvalid(s, { value }, { ...membersElsewhere({ [member]: String(elsewhere) }), clause, note });
  };
}

type Generated = {
  readonly id: string;
  readonly title: string;
  readonly bodies: fc.Arbitrary<Mutation>;
  readonly planned: number;
};

const AT_ONCE = 5;
const FEW_ACCEPTED = 4;

/** The categories of all animals that this run created: what is invalid is so in each of them. */
const categoriesOf = ({ knowledge: { created } }: Session): readonly bigint[] =>
  [...new Set([...created.values()].map(({ sent }) => sent.categoryId))].toSorted((a, b) => (a < b ? -1 : 1));

/** The same number for the same mutation: while it is shrunk, what is left of it is sent in one form. */
const formOf = (body: Mutation['body']): number => Math.abs(seedOf(0, body({ name: 'name', categoryId: 1n })));

/** Valid bodies that were mutated into invalid ones. A service that accepts them stores them, so shrinking is short. */
function sendGenerated(clause: ClauseId, { bodies, planned }: Generated): (s: Session) => Promise<unknown> {
  return (s) => {
    // Where bodies of this kind are accepted, which is reported already, each of them leaves an animal: one full batch shows it again.
    const isRed = (s.knowledge.acceptedInvalid.get(clause) ?? 0) > FEW_ACCEPTED;
    const categories = categoriesOf(s);
    const equivalent = equivalentsOf('read', s.options.seed);
    let turn = 0;
    return sendDrawn(s, {
      name: clause,
      values: bodies,
      batch: [isRed ? AT_ONCE : 1, AT_ONCE],
      planned: isRed ? 1 : planned,
      shrinking: isRed ? 2 : 8,
      send: async ({ body, what }) => {
        const valid = await s.fixtures.draft();
        turn += 1;
        const categoryId = categories[turn % Math.max(1, categories.length)] ?? valid.categoryId;
        return sendInvalid(s, { raw: body({ ...valid, categoryId }) }, { ...equivalent(formOf(body)), clause, note: what });
      },
      rules: [rejects(clause)],
    });
  };
}

const FIELDS = 'NewPet (request body for creating an animal)';
const BODY = 'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.';
const CATEGORY = '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |';
const REJECTED = '`400` with an Error body when the body is missing required fields or contains invalid values';

type Invalid = {
  readonly id: CatalogClauseId;
  readonly section: string;
  readonly quote: string;
  readonly requirement: string;
  readonly likelyCause: string;
  readonly tables: readonly Table[];
  readonly generated: Generated;
};

function invalidBodies({ id: clause, quote, tables, generated, ...wording }: Invalid): SessionClause {
  const usual = { needs: ['creation'], effect: 'write', accepts: 'createPet' } as const;
  return defineRules({
    ...wording,
    id: clause,
    chapter: 'create-pet',
    level: 'required',
    quote: [quote, REJECTED],
    rules: [rejects(clause)],
    sent: [
      ...tables.map((table) => ({
        ...usual,
        ...{ id: table.id, title: table.title, step: 'large-store' as const, send: sendTable(clause, table) },
      })),
      {
        ...usual,
        ...{ id: generated.id, title: generated.title, step: 'property', shortestFirst: true },
        send: sendGenerated(clause, generated),
      },
    ],
    met: [{ id: 'every-invalid-body', title: 'Rejects every body that is invalid under this clause with 400', accepts: 'createPet' }],
  });
}

export const createNameRequired = invalidBodies({
  id: 'create.name-required',
  section: FIELDS,
  quote: BODY,
  requirement:
    'createPet rejects a body without name, or with a null name, with 400 and an Error body. A property spelled differently (Name) or present only on a prototype is not name.',
  likelyCause:
    'The validator does not run, the parser ignores the letter case of property names, null becomes a default, or the rejection has a status other than 400 (422, 409).',
  tables: [
    {
      id: 'missing',
      title: 'Rejects bodies without name with 400',
      rows: MISSING_NAMES,
    },
    {
      id: 'null',
      title: 'Rejects a null name with 400',
      rows: NULL_NAMES,
    },
    {
      id: 'elsewhere',
      title: 'A name in the query string, headers, and cookies does not replace a missing one in the body',
      elsewhere: 'name',
    },
  ],
  generated: {
    id: 'generated-bodies',
    title: 'Rejects generated bodies without name with 400',
    bodies: missingFields('name'),
    planned: 2,
  },
});

export const createNameType = invalidBodies({
  id: 'create.name-type',
  section: FIELDS,
  quote: "| name | string | - | yes | The animal's name |",
  requirement: 'createPet rejects a name that is not a string with 400 and an Error body.',
  likelyCause:
    'Numbers, booleans, arrays, and objects are converted to strings (String(value), a lenient object mapper) or stored as they are (schemaless storage).',
  tables: [
    {
      id: 'values',
      title: 'Rejects a name that is a number, a boolean, an array, or an object with 400',
      rows: WRONG_NAMES,
    },
  ],
  generated: {
    id: 'generated-values',
    title: 'Rejects a generated name that is not a string with 400',
    bodies: wrongNames(),
    planned: 6,
  },
});

export const createCategoryRequired = invalidBodies({
  id: 'create.category-required',
  section: FIELDS,
  quote: BODY,
  requirement: 'createPet rejects a body without categoryId, or with a null categoryId, with 400 and an Error body.',
  likelyCause:
    'A missing number becomes 0, a default category applies, the parser ignores the letter case of property names, or the rejection has a status other than 400 (404, 422).',
  tables: [
    {
      id: 'missing',
      title: 'Rejects bodies without categoryId with 400',
      rows: MISSING_CATEGORIES,
    },
    {
      id: 'null',
      title: 'Rejects a null categoryId with 400',
      rows: NULL_CATEGORIES,
    },
    {
      id: 'elsewhere',
      title: 'A categoryId in the query string, headers, and cookies does not replace a missing one in the body',
      elsewhere: 'categoryId',
    },
  ],
  generated: {
    id: 'generated-bodies',
    title: 'Rejects generated bodies without categoryId with 400',
    bodies: missingFields('categoryId'),
    planned: 2,
  },
});

export const createCategoryType = invalidBodies({
  id: 'create.category-type',
  section: FIELDS,
  quote: CATEGORY,
  requirement:
    'createPet rejects a categoryId that is not an integer ("1", 1.5, true, [], {}) with 400 and an Error body. 1.0 and 1e0 are open (create.integer-spelling).',
  likelyCause: 'The value is coerced: Number(value), parseInt, a lenient object mapper, or an implicit cast in the database.',
  tables: [
    {
      id: 'values',
      title: 'Rejects a categoryId that is a string, a fraction, a boolean, an array, or an object with 400',
      rows: WRONG_CATEGORIES,
    },
  ],
  generated: {
    id: 'generated-values',
    title: 'Rejects a generated categoryId that is not an integer with 400',
    bodies: wrongCategories(),
    planned: 10,
  },
});

export const createCategoryRange = invalidBodies({
  id: 'create.category-range',
  section: FIELDS,
  quote: CATEGORY,
  requirement: 'createPet rejects a categoryId outside int64 (below -2^63 or above 2^63-1) with 400 and an Error body.',
  likelyCause: 'The number is clamped, wraps around at 64 bits, is treated as unsigned, or passes through a double.',
  tables: [
    {
      id: 'values',
      title: 'Rejects a categoryId just outside and far outside int64 with 400',
      rows: HUGE_CATEGORIES,
    },
  ],
  generated: {
    id: 'generated-values',
    title: 'Rejects a generated categoryId outside int64 with 400',
    bodies: hugeCategories(),
    planned: 6,
  },
});

export const createStatusInvalid = invalidBodies({
  id: 'create.status-invalid',
  section: 'PetStatus',
  quote: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
  requirement:
    'createPet rejects a status other than available, pending, and sold (another word, another letter case, null, not a string) with 400 and an Error body.',
  likelyCause:
    'An invalid status is ignored or replaced by the default, letter case and white space are normalized, or the column accepts any text.',
  tables: [
    {
      id: 'values',
      title: 'Rejects statuses outside the enum and of other types with 400',
      rows: WRONG_STATUSES,
    },
    {
      id: 'null',
      title: 'Rejects a null status with 400: null is not a string, and status can be omitted',
      rows: NULL_STATUSES,
    },
  ],
  generated: {
    id: 'generated-values',
    title: 'Rejects generated statuses outside the enum with 400',
    bodies: wrongStatuses(),
    planned: 10,
  },
});

export const createBodyObject = invalidBodies({
  id: 'create.body-object',
  section: 'Endpoints: 2. Add an animal',
  quote: BODY,
  requirement:
    'A JSON body that is not an object (an array, a string, a number, true, null) lacks the required fields: createPet rejects it with 400 and an Error body.',
  likelyCause: 'The code reads properties without checking that the body is an object, unwraps arrays, or parses strings a second time.',
  tables: [
    {
      id: 'values',
      title: 'Rejects arrays, strings, numbers, booleans, and null as the body with 400',
      rows: NO_OBJECTS,
    },
  ],
  generated: {
    id: 'generated-bodies',
    title: 'Rejects generated bodies that are not objects with 400',
    bodies: nonObjects(),
    planned: 5,
  },
});

export const createBodyJson = invalidBodies({
  id: 'create.body-json',
  section: 'Endpoints: 2. Add an animal',
  quote: BODY,
  requirement:
    'createPet rejects a body that is not JSON (RFC 8259) with 400 and an Error body: missing, blank, truncated, with trailing content, in JavaScript syntax, or in another format sent as application/json.',
  likelyCause:
    'The parser stops after the first value, repairs truncated input, accepts JSON5, or falls back to form fields; or an empty body never reaches the validator (411, 415).',
  tables: [
    {
      id: 'missing',
      title: 'Rejects a missing or blank body with 400',
      rows: NO_BODIES,
    },
    {
      id: 'truncated',
      title: 'Rejects truncated bodies with 400',
      rows: CUT_BODIES,
    },
    {
      id: 'trailing',
      title: 'Rejects bodies with content before or after the JSON with 400',
      rows: TRAILING_BODIES,
    },
    {
      // RFC 8259, section 9, lets parsers accept other forms too; but the document asks for JSON, and a body that is not JSON is not a NewPet.
      id: 'lenient',
      title: 'Rejects bodies in JavaScript or JSON5 syntax with 400',
      rows: LENIENT_BODIES,
    },
    {
      id: 'ignored-values',
      title: 'Rejects bodies that are not JSON within a member that the service ignores with 400',
      rows: IGNORED_BODIES,
      drawn: 7,
    },
    {
      id: 'other-formats',
      title: 'Rejects bodies in other formats, sent as application/json, with 400',
      rows: FOREIGN_BODIES,
    },
  ],
  generated: {
    id: 'generated-bodies',
    title: 'Rejects valid bodies that are truncated or damaged anywhere with 400',
    bodies: brokenBodies(),
    planned: 12,
  },
});
