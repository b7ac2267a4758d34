// The interface document, sentence by sentence: which clauses judge it, or why nothing outside the service can.

import type { CatalogClauseId } from './clause-ids.ts';

/** A sentence of the document, or a part of one that is judged separately; a row of a table counts as one. */
export type Sentence = {
  /** Its anchor in reports: a name, and no position, so that it outlives changes of the document. */
  readonly id: string;
  /** Verbatim, in Markdown; a row of a table with its bars. */
  readonly text: string;
} & (
  | { readonly clauses: readonly CatalogClauseId[] }
  /** Why no clause judges it. */
  | { readonly notJudged: string }
);

/** A part of the document between blank lines, in Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly sentences: readonly Sentence[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Sentence[])[] }
  | { readonly kind: 'table'; readonly head: string; readonly rows: readonly Sentence[] };

function heading(level: 1 | 2 | 3, text: string): Block {
  return { kind: 'heading', level, text };
}

function paragraph(...sentences: readonly Sentence[]): Block {
  return { kind: 'paragraph', sentences };
}

function list(...items: readonly (readonly Sentence[])[]): Block {
  return { kind: 'list', ordered: false, items };
}

function numbered(...items: readonly (readonly Sentence[])[]): Block {
  return { kind: 'list', ordered: true, items };
}

function table(head: string, ...rows: readonly Sentence[]): Block {
  return { kind: 'table', head, rows };
}

function judged(id: string, text: string, clauses: readonly [CatalogClauseId, ...CatalogClauseId[]]): Sentence {
  return { id, text, clauses };
}

function notJudged(id: string, text: string, why: string): Sentence {
  return { id, text, notJudged: why };
}

const PURPOSE = 'says what the document is, and requires nothing of a service';
const GAP = 'a gap that no request reaches; there is nothing to send or to see';
const NAME = 'a name for readers, which no request and no response has';
const NO_BODY = 'says what clients send, and not what a service does with a body';

const REJECTED_KEYS = ['auth.missing-credential', 'auth.wrong-key', 'auth.wrong-scheme'] as const;
const REJECTED_BODIES = [
  'create.name-required',
  'create.name-type',
  'create.category-required',
  'create.category-type',
  'create.category-range',
  'create.status-invalid',
  'create.body-object',
  'create.body-json',
] as const;

/** The whole document, in its order. */
export const INTERFACE_DOCUMENT: readonly Block[] = [
  heading(1, 'Pet Store Service Interface Specification'),
  paragraph(
    notJudged(
      'scope',
      'This document covers the whole service: its purpose, records, states, endpoints, authentication, events, errors, limits and versioning.',
      PURPOSE,
    ),
    notJudged('single-document', 'It is a single document.', PURPOSE),
  ),

  heading(2, 'What the service does'),
  paragraph(
    judged('http-and-json', 'The service is a pet store catalogue interface over HTTP with JSON bodies.', [
      'errors.answers',
      'media.well-formed',
      'media.transport',
      'media.any-client',
    ]),
    judged('three-operations', 'Clients list animals, add an animal, and read one animal by identifier.', [
      'list.success',
      'create.success',
      'get.success',
      'list.complete',
      'list.read-only',
    ]),
    judged('animal', 'Each animal has a name, a category reference and an availability status.', ['record.pet', 'record.pets']),
  ),
  list(
    [
      notJudged('base-address', 'Base address: {base_url}.', 'a placeholder for the address that the run was given'),
      judged(
        'base-address-version',
        'The production and staging deployments each have their own base address, and each base address ends in a version segment `/v1`.',
        ['versioning.base-path'],
      ),
      notJudged('staging-address', 'The staging one is written {staging_url}.', 'a placeholder; a run judges one address'),
    ],
    [
      judged('media-type', 'All requests and responses that have a body use the media type `application/json`.', [
        'media.json',
        'media.well-formed',
        'create.request-media-type',
      ]),
    ],
    [
      judged('authentication-required', 'Every operation requires authentication (see Authentication).', [
        'auth.missing-credential',
        'auth.precedence',
        'auth.every-request',
        'auth.refused-stores-nothing',
      ]),
    ],
    [
      notJudged(
        'other-areas',
        'A store-orders area and other areas are mentioned as existing, but their operations are not shown.',
        'another area, whose operations are not shown; there is nothing to send',
      ),
    ],
  ),

  heading(2, 'Resources and their fields'),
  heading(3, 'NewPet (request body for creating an animal)'),
  table(
    '| Field | Type | Format | Required | Notes |',
    judged('new-pet-name', "| name | string | - | yes | The animal's name |", [
      'create.name-required',
      'create.name-type',
      'create.unusual-names',
    ]),
    judged('new-pet-category', '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |', [
      'create.category-required',
      'create.category-type',
      'create.category-range',
      'create.unusual-categories',
      'create.integer-spelling',
      'record.pet',
    ]),
    judged('new-pet-status', '| status | string | enum PetStatus | no | Availability status |', [
      'create.status-values',
      'create.status-invalid',
      'create.status-optional',
    ]),
  ),
  heading(3, 'Pet (response record)'),
  paragraph(
    judged('pet-fields', 'Pet has every field of NewPet, with the same required rules, plus:', [
      'record.pet',
      'create.answer',
      'create.round-trip',
    ]),
  ),
  table(
    '| Field | Type | Format | Required | Notes |',
    judged(
      'pet-id',
      '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
      [
        'record.pet',
        'create.id-assigned',
        'create.id-not-adopted',
        'create.client-id',
        'list.unique',
        'record.same-animal',
        'get.agrees-with-list',
      ],
    ),
  ),
  heading(3, 'Pets'),
  paragraph(judged('pets', 'A JSON array of Pet records.', ['record.pets', 'record.leftovers'])),
  heading(3, 'PetStatus'),
  paragraph(
    judged('pet-status', 'A string with exactly these allowed values: `available`, `pending`, `sold`.', [
      'record.pet',
      'record.pets',
      'create.status-values',
      'create.status-invalid',
      'list.status-accepted',
      'list.status-unknown',
    ]),
  ),
  heading(3, 'Error'),
  table(
    '| Field | Type | Required | Notes |',
    judged('error-code', '| code | string | yes | Machine-readable error code |', ['errors.shape', 'errors.codes']),
    judged('error-message', '| message | string | yes | Human-readable description |', ['errors.shape']),
    judged('error-status', '| status | integer | yes | The HTTP status code of the response |', ['errors.shape', 'errors.status-agrees']),
  ),
  heading(3, 'Gaps'),
  list(
    [
      judged('category-gap', 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.', [
        'create.unknown-category',
      ]),
    ],
    [
      judged('name-gap', 'Length, character and uniqueness rules of name: not shown.', [
        'create.unusual-names',
        'create.duplicate-names',
        'create.text-encoding',
      ]),
    ],
  ),

  heading(2, 'States and transitions'),
  paragraph(
    judged('status-values', "The animal's `status` takes one of the PetStatus values: `available`, `pending`, `sold`.", [
      'record.pet',
      'record.pets',
      'create.status-values',
    ]),
    judged('default-status', 'If status is omitted on creation, the default is not stated.', [
      'create.default-status',
      'create.status-optional',
      'create.independent',
    ]),
  ),
  paragraph(judged('transitions', 'Transitions: not shown.', ['get.durable', 'get.repeatable', 'list.read-only', 'record.same-animal'])),

  heading(2, 'Endpoints'),
  paragraph(
    judged('paths', 'All paths are relative to {base_url}.', ['list.success', 'create.success', 'get.success']),
    judged('credential-required', 'All three require the bearer credential.', ['auth.missing-credential', 'auth.valid-key']),
  ),
  heading(3, '1. List animals'),
  list(
    [notJudged('list-name', 'Operation name: listPets', NAME)],
    [judged('list-path', 'Method and path: `GET /pets`', ['list.success'])],
    [judged('list-parameters', 'Query parameters (all optional):', ['list.success', 'list.limit-default', 'list.repeated-parameters'])],
  ),
  table(
    '| Name | Type | Constraints | Default | Meaning |',
    judged('list-limit', '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |', [
      'list.limit-accepted',
      'list.limit-maximum',
      'list.limit-default',
      'list.filter-with-limit',
      'list.filter-complete',
      'list.limit-not-integer',
    ]),
    judged('list-status', '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |', [
      'list.status-accepted',
      'list.status-filter',
      'list.filter-with-limit',
      'list.filter-complete',
      'list.complete',
      'list.status-unknown',
    ]),
  ),
  list(
    [notJudged('list-body', 'Request body: none.', NO_BODY)],
    [
      judged('list-success', 'Success: `200`, body is a Pets array (array of Pet).', [
        'list.success',
        'record.pets',
        'get.agrees-with-list',
      ]),
    ],
    [judged('list-failure', 'Failure: `401` with an Error body.', REJECTED_KEYS)],
    [
      judged('list-pages', 'The operation is described as returning a paginated list.', ['list.paging', 'list.order', 'list.complete']),
      judged('list-pages-gap', 'The parameters and fields that select a later page: not shown.', [
        'list.paging',
        'list.unknown-parameters',
      ]),
    ],
  ),
  heading(3, '2. Add an animal'),
  list(
    [notJudged('create-name', 'Operation name: createPet', NAME)],
    [judged('create-path', 'Method and path: `POST /pets`', ['create.success'])],
    [
      judged('create-body', 'Request body (required, `application/json`): NewPet.', [
        'create.body-object',
        'create.body-json',
        'create.request-media-type',
        'create.unknown-members',
        'create.duplicate-members',
        'create.text-encoding',
      ]),
      judged('create-required', '`name` and `categoryId` must be present.', ['create.name-required', 'create.category-required']),
    ],
    [
      judged('create-success', 'Success: `201`, body is the created Pet, including the assigned `id`.', [
        'create.success',
        'create.answer',
        'create.id-assigned',
        'create.round-trip',
        'create.independent',
        'create.unusual-names',
        'create.unusual-categories',
        'get.durable',
      ]),
    ],
    [
      judged('create-failure', 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values;', [
        ...REJECTED_BODIES,
        'create.refused-stores-nothing',
      ]),
      judged('create-unauthorized', '`401` with an Error body.', [...REJECTED_KEYS, 'auth.refused-stores-nothing']),
    ],
  ),
  heading(3, '3. Get an animal (deprecated)'),
  list(
    [notJudged('get-name', 'Operation name: getPet', NAME)],
    [judged('get-path', 'Method and path: `GET /pets/{petId}`', ['get.success'])],
    [
      judged('get-parameter', 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.', [
        'get.identity',
        'get.not-found',
        'get.id-not-integer',
        'get.id-outside-int64',
        'get.id-spelling',
      ]),
    ],
    [notJudged('get-body', 'Request body: none.', NO_BODY)],
    [
      judged('get-success', 'Success: `200`, body is a Pet.', [
        'get.success',
        'record.pet',
        'get.identity',
        'get.agrees-with-list',
        'get.repeatable',
      ]),
    ],
    [
      judged('get-unauthorized', 'Failures: `401` with an Error body;', REJECTED_KEYS),
      judged('get-not-found', '`404` with an Error body when the animal does not exist.', ['get.not-found', 'get.durable']),
    ],
    [
      judged('get-deprecated', 'The operation is deprecated and is scheduled for removal on 5 December 2030.', [
        'deprecation.still-works',
        'deprecation.date-agrees',
        'deprecation.announced',
      ]),
      judged('get-replacement', 'The replacement is `GET /pets` with the `status` filter.', ['deprecation.replacement']),
    ],
  ),
  heading(3, 'Gaps'),
  list([
    judged('headers-gap', 'Response headers of any operation: not shown.', [
      'auth.challenge',
      'deprecation.announced',
      'deprecation.headers-well-formed',
      'deprecation.date-agrees',
    ]),
  ]),

  heading(2, 'Authentication'),
  numbered(
    [
      judged('scheme', 'Scheme: HTTP bearer.', ['auth.valid-key', 'auth.wrong-scheme']),
      judged(
        'authorization-header',
        'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
        ['auth.valid-key', 'auth.wrong-scheme', 'auth.header-only', 'auth.every-request', 'auth.scheme-case'],
      ),
    ],
    [
      judged('every-operation', 'The requirement applies globally, to every operation.', [
        'auth.missing-credential',
        'auth.precedence',
        'auth.every-request',
      ]),
    ],
    [
      judged('missing-or-invalid-key', 'When the key is missing or invalid, the service answers `401` with an Error body.', [
        ...REJECTED_KEYS,
        'auth.header-only',
        'auth.precedence',
        'auth.refused-stores-nothing',
        'errors.shape',
        'auth.challenge',
      ]),
    ],
    [
      notJudged(
        'key-gap',
        'How keys are issued, their lifetime and their scopes: not shown.',
        'the suite has one key, and no way to issue, expire, or narrow one',
      ),
    ],
  ),

  heading(2, 'Events'),
  paragraph(
    notJudged('events', 'Events: not shown.', GAP),
    notJudged('no-events', 'No event, webhook or notification mechanism appears in the interface.', GAP),
  ),

  heading(2, 'Errors'),
  paragraph(
    judged('error-bodies', 'Errors are returned as an Error body (fields code, message, status) with `application/json`.', [
      'errors.shape',
      'media.json',
      'errors.infrastructure-errors',
    ]),
  ),
  table(
    '| HTTP status | Condition | Operations |',
    judged('error-400', '| 400 | Request body lacks required fields or contains invalid values | createPet |', [
      ...REJECTED_BODIES,
      'errors.no-server-error',
    ]),
    judged('error-401', '| 401 | Credential missing or invalid | listPets, createPet, getPet |', [
      ...REJECTED_KEYS,
      'auth.header-only',
      'errors.no-server-error',
    ]),
    judged('error-404', '| 404 | The requested resource cannot be found | getPet |', ['get.not-found', 'errors.no-server-error']),
  ),
  paragraph(
    judged('status-agrees', 'The `status` field of the body equals the HTTP status code.', ['errors.status-agrees']),
    judged('codes-gap', 'The set of values of `code`, and statuses other than those above: not shown.', [
      'errors.codes',
      'errors.no-server-error',
      'errors.infrastructure-errors',
    ]),
  ),

  heading(2, 'Limits'),
  table(
    '| Limit | Applies to | Value |',
    judged('limit-minimum', '| limit parameter minimum | listPets | 1 |', ['list.limit-accepted']),
    judged('limit-maximum', '| limit parameter maximum | listPets | 100 |', ['list.limit-accepted', 'list.limit-maximum']),
    judged('limit-default', '| limit parameter default | listPets | 20 |', ['list.limit-default']),
  ),
  paragraph(
    judged('limit-outside', 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.', [
      'list.limit-out-of-range',
    ]),
    notJudged(
      'quota-gap',
      'Rate limits, body size limits and quotas: not shown.',
      '429, 503 with Retry-After, and 413 are waited for or accepted; the suite does not look for the bound',
    ),
  ),

  heading(2, 'Versioning'),
  list(
    [notJudged('version', 'The interface description carries the version `1.0.0`.', 'no operation returns it')],
    [judged('version-segment', 'The base address of each deployment ends in the path segment `/v1`.', ['versioning.base-path'])],
    [
      judged('deprecated', '`GET /pets/{petId}` is deprecated, with removal on 5 December 2030.', [
        'deprecation.still-works',
        'deprecation.date-agrees',
      ]),
    ],
    [notJudged('compatibility-gap', 'The compatibility policy and how later versions are announced: not shown.', GAP)],
  ),
];

/** The sentences of a part of the document, in their order. */
export function sentencesOf(block: Block): readonly Sentence[] {
  switch (block.kind) {
    case 'heading':
      return [];
    case 'paragraph':
      return block.sentences;
    case 'list':
      return block.items.flat();
    case 'table':
      return block.rows;
    default:
      return block satisfies never;
  }
}

/** All sentences of the document, in their order. */
export const SENTENCES: readonly Sentence[] = INTERFACE_DOCUMENT.flatMap(sentencesOf);

/** The cells of a row of a table. */
export function cellsOf(row: string): readonly string[] {
  return row.slice(2, -2).split(' | ');
}

function blockText(block: Block): string {
  const textOf = (sentences: readonly Sentence[]): string => sentences.map(({ text }) => text).join(' ');
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'paragraph':
      return textOf(block.sentences);
    case 'list':
      return block.items.map((item, index) => `${block.ordered ? `${index + 1}.` : '-'} ${textOf(item)}`).join('\n');
    case 'table':
      return [block.head, `|${'---|'.repeat(cellsOf(block.head).length)}`, ...block.rows.map(({ text }) => text)].join('\n');
    default:
      return block satisfies never;
  }
}

/** The document as its owner published it, letter by letter, in Markdown. */
export function documentText(): string {
  return `${INTERFACE_DOCUMENT.map(blockText).join('\n\n')}\n`;
}
