/** The interface document, statement by statement: which clauses judge it, or why nothing outside the service can. */
export type Statement = { readonly section: string; readonly says: string } & (
  | { readonly clauses: readonly string[] }
  | { readonly notJudged: string }
);

const noStatement = 'a gap that no request reaches: there is nothing to send or to see';

export const statements: readonly Statement[] = [
  // What the service does
  {
    section: 'What the service does',
    says: 'clients list, add and read animals over HTTP',
    clauses: ['list.success', 'create.success', 'get.success', 'errors.answers', 'media.any-client', 'media.transport'],
  },
  { section: 'What the service does', says: 'each base address ends in /v1', clauses: ['versioning.base-path'] },
  { section: 'What the service does', says: 'all bodies are application/json', clauses: ['media.json', 'media.well-formed'] },
  {
    section: 'What the service does',
    says: 'every operation requires authentication',
    clauses: ['auth.missing-credential', 'auth.precedence', 'auth.every-request'],
  },
  { section: 'What the service does', says: 'other areas exist, their operations are not shown', notJudged: noStatement },
  // Resources
  { section: 'NewPet', says: 'name: string, required', clauses: ['create.name-required', 'create.name-type'] },
  {
    section: 'NewPet',
    says: 'categoryId: integer int64, required',
    clauses: ['create.category-required', 'create.category-type', 'create.category-range', 'create.unusual-categories'],
  },
  {
    section: 'NewPet',
    says: 'status: PetStatus, optional',
    clauses: ['create.status-values', 'create.status-invalid', 'create.status-optional'],
  },
  {
    section: 'Pet',
    says: 'every field of NewPet with the same rules',
    clauses: ['record.pet', 'create.answer', 'create.round-trip', 'create.unusual-names'],
  },
  {
    section: 'Pet',
    says: 'id: integer int64, required, unique',
    clauses: ['record.pet', 'create.id-assigned', 'list.unique', 'record.same-animal', 'create.independent'],
  },
  {
    section: 'Pet',
    says: 'id is assigned by the service, never supplied by the client',
    clauses: ['create.id-not-adopted', 'create.client-id'],
  },
  { section: 'Pets', says: 'a JSON array of Pet', clauses: ['record.pets', 'record.leftovers'] },
  {
    section: 'PetStatus',
    says: 'exactly available, pending, sold',
    clauses: ['record.pet', 'record.pets', 'create.status-values', 'create.status-invalid', 'list.status-accepted'],
  },
  { section: 'Error', says: 'code string, message string, status integer, all required', clauses: ['errors.shape'] },
  {
    section: 'Gaps',
    says: 'the category record is not shown',
    clauses: ['create.unknown-category'],
  },
  {
    section: 'Gaps',
    says: 'length, character and uniqueness rules of name are not shown',
    clauses: ['create.unusual-names', 'create.duplicate-names', 'create.text-encoding'],
  },
  { section: 'States and transitions', says: 'the default status is not stated', clauses: ['create.default-status'] },
  { section: 'States and transitions', says: 'transitions are not shown', clauses: ['get.durable', 'get.repeatable'] },
  // Endpoints
  { section: '1. List animals', says: 'limit: 1 to 100', clauses: ['list.limit-accepted', 'list.limit-maximum'] },
  { section: '1. List animals', says: 'limit: default 20', clauses: ['list.limit-default'] },
  { section: '1. List animals', says: 'limit: the maximum number returned', clauses: ['list.limit-maximum', 'list.filter-with-limit'] },
  {
    section: '1. List animals',
    says: 'status: keep only animals with this status',
    clauses: ['list.status-filter', 'list.status-accepted', 'list.filter-complete', 'list.filter-with-limit'],
  },
  { section: '1. List animals', says: 'parameters are optional', clauses: ['list.success', 'list.limit-default'] },
  { section: '1. List animals', says: '200 with Pets', clauses: ['list.success', 'record.pets', 'list.complete', 'list.read-only'] },
  { section: '1. List animals', says: '401 with Error', clauses: ['auth.missing-credential', 'auth.wrong-key', 'auth.wrong-scheme'] },
  { section: '1. List animals', says: 'paginated; how later pages are asked for is not shown', clauses: ['list.paging', 'list.order'] },
  {
    section: '1. List animals',
    says: 'other, repeated and unknown values of parameters are not stated',
    clauses: ['list.limit-not-integer', 'list.status-unknown', 'list.repeated-parameters', 'list.unknown-parameters'],
  },
  {
    section: '2. Add an animal',
    says: 'a NewPet body is required',
    clauses: ['create.body-object', 'create.body-json', 'create.request-media-type'],
  },
  {
    section: '2. Add an animal',
    says: '201 with the created Pet and its id',
    clauses: ['create.success', 'create.answer', 'create.id-assigned'],
  },
  {
    section: '2. Add an animal',
    says: '400 with Error for missing fields or invalid values',
    clauses: [
      'create.name-required',
      'create.category-required',
      'create.name-type',
      'create.category-type',
      'create.category-range',
      'create.status-invalid',
      'create.refused-stores-nothing',
    ],
  },
  {
    section: '2. Add an animal',
    says: 'members beyond NewPet, repeated ones and spellings of integers are not stated',
    clauses: ['create.unknown-members', 'create.duplicate-members', 'create.integer-spelling'],
  },
  {
    section: '2. Add an animal',
    says: '401 with Error',
    clauses: ['auth.missing-credential', 'auth.wrong-key', 'auth.refused-stores-nothing'],
  },
  {
    section: '3. Get an animal',
    says: 'petId: int64, identifier of the animal',
    clauses: ['get.identity', 'get.not-found', 'get.id-not-integer', 'get.id-outside-int64', 'get.id-spelling'],
  },
  { section: '3. Get an animal', says: '200 with Pet', clauses: ['get.success', 'get.agrees-with-list', 'get.repeatable', 'get.durable'] },
  { section: '3. Get an animal', says: '401, 404 with Error', clauses: ['auth.missing-credential', 'get.not-found'] },
  {
    section: '3. Get an animal',
    says: 'deprecated, removal on 5 December 2030',
    clauses: ['deprecation.still-works', 'deprecation.date-agrees', 'deprecation.announced', 'deprecation.headers-well-formed'],
  },
  { section: '3. Get an animal', says: 'replaced by GET /pets with the status filter', clauses: ['deprecation.replacement'] },
  {
    section: 'Gaps',
    says: 'response headers are not shown',
    clauses: ['auth.challenge', 'deprecation.announced', 'deprecation.headers-well-formed'],
  },
  // Authentication
  {
    section: 'Authentication',
    says: 'the key is the bearer credential of the Authorization header',
    clauses: ['auth.valid-key', 'auth.wrong-scheme', 'auth.header-only', 'auth.scheme-case'],
  },
  {
    section: 'Authentication',
    says: 'it applies to every operation',
    clauses: ['auth.missing-credential', 'auth.precedence', 'auth.every-request'],
  },
  {
    section: 'Authentication',
    says: 'missing or invalid: 401 with Error',
    clauses: ['auth.missing-credential', 'auth.wrong-key', 'auth.wrong-scheme', 'errors.shape'],
  },
  {
    section: 'Authentication',
    says: 'issuing, lifetime and scopes of keys are not shown',
    notJudged: 'the suite has one key and no way to issue, expire or narrow one',
  },
  { section: 'Events', says: 'no event mechanism appears', notJudged: noStatement },
  // Errors
  { section: 'Errors', says: 'errors are Error bodies of application/json', clauses: ['errors.shape', 'media.json'] },
  { section: 'Errors', says: '400, 401 and 404 by condition', clauses: ['create.body-object', 'auth.missing-credential', 'get.not-found'] },
  { section: 'Errors', says: 'status of the body equals the HTTP status', clauses: ['errors.status-agrees'] },
  {
    section: 'Errors',
    says: 'values of code and other statuses are not shown',
    clauses: ['errors.codes', 'errors.infrastructure-errors', 'errors.no-server-error'],
  },
  // Limits and versioning
  {
    section: 'Limits',
    says: 'limit is 1 to 100, 20 by default',
    clauses: ['list.limit-accepted', 'list.limit-maximum', 'list.limit-default'],
  },
  { section: 'Limits', says: 'the response to a limit outside 1 to 100 is not stated', clauses: ['list.limit-out-of-range'] },
  {
    section: 'Limits',
    says: 'rate limits, body sizes and quotas are not shown',
    notJudged: '429, 503 with Retry-After and 413 are waited for or accepted; the suite does not look for the bound',
  },
  { section: 'Versioning', says: 'the description carries the version 1.0.0', notJudged: 'no operation returns it' },
  { section: 'Versioning', says: 'the base address ends in /v1', clauses: ['versioning.base-path'] },
  { section: 'Versioning', says: 'getPet is deprecated', clauses: ['deprecation.still-works'] },
  { section: 'Versioning', says: 'the compatibility policy is not shown', notJudged: noStatement },
];
