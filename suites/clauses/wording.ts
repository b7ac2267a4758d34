// What each clause says, and where it comes from.

import type { Wording } from '../../src/clause/clause.ts';
import type { CatalogClauseId } from '../../src/clause/clause-ids.ts';

type Said = Wording extends infer One ? (One extends unknown ? Omit<One, 'id'> : never) : never;

/** By clause. */
export const WORDING = {
  'versioning.base-path': {
    chapter: 'versioning',
    section: 'Versioning',
    level: 'required',
    quote: ['The base address of each deployment ends in the path segment `/v1`.'],
    requirement: 'The base address of the service ends in the path segment /v1.',
    likelyCause:
      'A proxy strips the version segment, or it was never configured; or the suite was given a different address than clients use.',
  },
  'auth.challenge': {
    chapter: 'authentication',
    section: 'RFC 9110, section 15.5.2; RFC 6750, section 3',
    level: 'advised',
    quote: [
      'When the key is missing or invalid, the service answers `401` with an Error body.',
      'Response headers of any operation: not shown.',
    ],
    requirement: 'A 401 response has a WWW-Authenticate header with a Bearer challenge.',
    likelyCause:
      'A handler writes the 401 instead of the authentication layer. Clients and browsers use the header to learn which credential to send.',
  },
  'auth.every-request': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'implied',
    quote: [
      'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
      'The requirement applies globally, to every operation.',
    ],
    derivation:
      'The requirement applies to every operation, and the key is sent with the request. So each request counts by itself, whatever came before it on the same connection, from the same client, or for the same URL.',
    requirement: 'A request without the API key returns 401 even after, or concurrently with, a request that has it.',
    likelyCause:
      'A cache or proxy does not vary on Authorization, or the result of authentication is kept per connection, client, or thread.',
  },
  'auth.header-only': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'required',
    quote: [
      'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
      'When the key is missing or invalid, the service answers `401` with an Error body.',
    ],
    requirement:
      'Requests with the API key only in a query parameter, in another header, or in a cookie return 401 with an Error body, and so do requests with nothing but cookies that the service has set.',
    likelyCause:
      'A gateway or framework looks for the key in several places (api_key, X-API-Key, a session cookie). Keys in URLs end up in logs.',
  },
  'auth.missing-credential': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'required',
    quote: [
      'The requirement applies globally, to every operation.',
      'When the key is missing or invalid, the service answers `401` with an Error body.',
    ],
    requirement: 'Each of the three operations returns 401 with an Error body when the request has no credential.',
    likelyCause:
      'A route is registered before or outside the authentication middleware, or the path pattern of the middleware does not match (a query string, another method).',
  },
  'auth.precedence': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'implied',
    quote: [
      'The requirement applies globally, to every operation.',
      'When the key is missing or invalid, the service answers `401` with an Error body.',
    ],
    derivation:
      'The requirement applies globally, to every operation, and a missing or invalid key returns 401 without any condition on the rest of the request. So nothing else about a request can change that response.',
    requirement: 'A request without the API key returns 401 whatever else is wrong with it: body, animal, limit, status, or petId.',
    likelyCause: 'Validation or routing runs before authentication, which tells strangers which animals exist and how to build requests.',
  },
  'auth.refused-stores-nothing': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'implied',
    quote: [
      'Every operation requires authentication (see Authentication).',
      'When the key is missing or invalid, the service answers `401` with an Error body.',
    ],
    derivation:
      'Every operation requires the key, and 401 is the failure without it. An operation that failed for lack of a key was not carried out, so the animal of a rejected POST does not exist.',
    requirement: 'A creation that is rejected for its credential stores nothing.',
    likelyCause: 'The handler runs before or in parallel with the authentication check, which replaces only its response.',
  },
  'auth.scheme-case': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'open',
    quote: ['The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.'],
    requirement:
      'Records whether the service accepts the scheme name in other letter case. The document writes Bearer; scheme names are case-insensitive (RFC 9110, section 11.1).',
    likelyCause: 'No action needed; clients should send Bearer.',
  },
  'auth.valid-key': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'required',
    quote: ['The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.'],
    requirement: 'A request with the API key in the form `Authorization: Bearer <API_KEY>` is never rejected for its credential.',
    likelyCause:
      'Check that the configured key is correct. If the service rejects it only sometimes, a replica has an old key list, rejected requests lock out the next client, or the value of the header is not trimmed (PHP: trim).',
  },
  'auth.wrong-key': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'required',
    quote: ['When the key is missing or invalid, the service answers `401` with an Error body.'],
    requirement: 'Each of the three operations returns 401 with an Error body when the bearer credential is not exactly the API key.',
    likelyCause:
      'The key is compared by prefix, length, or format, or case-insensitively; it is taken out of a longer header; or only the presence of a token is checked. Compare whole values in constant time.',
  },
  'auth.wrong-scheme': {
    chapter: 'authentication',
    section: 'Authentication',
    level: 'required',
    quote: [
      'Scheme: HTTP bearer. The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
      'When the key is missing or invalid, the service answers `401` with an Error body.',
    ],
    requirement: 'A request with the API key under a scheme other than Bearer, or without a scheme, returns 401 with an Error body.',
    likelyCause:
      'The scheme is stripped without being compared, or a framework accepts its own schemes (Token, Basic) in addition to Bearer.',
  },
  'list.complete': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'implied',
    quote: [
      'Clients list animals, add an animal, and read one animal by identifier.',
      '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
      'The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.',
    ],
    derivation:
      'createPet adds an animal and listPets lists animals; without a status, it lists all of them ("none (no filtering)"). So a created animal is listed, within the consistency window granted to a distributed store. Paging is not shown, so only a page with room to spare (empty, or shorter than the default of 20) can prove that an animal is omitted, and an animal that cannot be read either is on no page. A longer page may be cut anywhere, but not exactly between the animals of one status and all others created with them.',
    requirement: 'Every existing animal is listed, and a store with animals never returns an empty list.',
    likelyCause:
      'The list comes from a cache, an index, or a replica that does not learn of the creation; a join drops rows; or the last row of a page is cut off.',
  },
  'list.filter-complete': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'implied',
    quote: [
      '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
      '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    ],
    derivation:
      'The document says of status "Keep only animals with this status" and of limit "Maximum number of animals returned": the filter selects from all animals, and the limit cuts the result. So a page that is empty or shorter than the default size omits no matching animal. A longer page may be cut anywhere, because paging is not shown.',
    requirement: 'The filter applies before the limit: a filtered list that has room for more animals omits none with that status.',
    likelyCause:
      'The page is cut before it is filtered, the filter sees only the first page of a scan, or animals with the default status are missing from its index.',
  },
  'list.filter-with-limit': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'required',
    quote: [
      '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
      '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    ],
    requirement:
      'limit and status apply together: the list is accepted, is no longer than the limit, and shows only animals with the status.',
    likelyCause: 'The code has a branch for each parameter and none for both, so one of them is forgotten.',
  },
  'list.limit-accepted': {
    chapter: 'list-pets',
    section: 'Limits',
    level: 'required',
    quote: ['| limit parameter minimum | listPets | 1 |', '| limit parameter maximum | listPets | 100 |'],
    requirement: 'Every limit from 1 to 100 is accepted: listPets returns 200.',
    likelyCause:
      'The bounds are checked with < and > instead of <= and >=, the parameter is compared as a string, or only certain page sizes are allowed.',
  },
  'list.limit-default': {
    chapter: 'list-pets',
    section: 'Limits',
    level: 'required',
    quote: ['| limit parameter default | listPets | 20 |'],
    requirement: 'Without a limit, a list is as long as with limit=20: at most 20 animals.',
    likelyCause: 'The default is documented but not implemented, or applies only when no other parameter is sent.',
  },
  'list.limit-maximum': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'required',
    quote: ['| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |'],
    requirement: 'A list never shows more animals than its limit.',
    likelyCause:
      'The limit does not reach the query, the extra row fetched to detect a next page is not cut off, or a cache ignores the query string.',
  },
  'list.limit-not-integer': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'open',
    quote: ['| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |'],
    requirement:
      'Records the response to a limit that is not an integer, or is spelled unusually. The document types limit as an integer and does not state the response to anything else. An error is still an Error, a 200 is still Pets, and neither is a crash.',
    likelyCause: 'No action needed; silently ignoring a limit hides mistakes in clients.',
  },
  'list.limit-out-of-range': {
    chapter: 'list-pets',
    section: 'Limits',
    level: 'open',
    quote: ['A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.'],
    requirement:
      'Records the response to a limit outside 1 to 100, which "violates the declared bounds; the resulting response is not stated". It may be rejected, clamped to the nearest bound, replaced by the default, or used as it is. An error is still an Error, a 200 is still Pets, and neither is a crash.',
    likelyCause: 'No action needed; 400 serves most clients best.',
  },
  'list.order': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'open',
    quote: ['The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.'],
    requirement:
      'Records the order of a list, and whether the order stays the same when the list is requested again. The document states none.',
    likelyCause: 'No action needed; clients must not rely on an order.',
  },
  'list.paging': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'open',
    quote: ['The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.'],
    requirement:
      'Records which headers point to further pages, and whether a page can be shorter than its limit although more animals exist. The document calls the list "paginated", but does not show the parameters and fields that select a later page.',
    likelyCause: 'No action needed. If clients may rely on paging, document it.',
  },
  'list.read-only': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'implied',
    quote: ['Clients list animals, add an animal, and read one animal by identifier.', 'Transitions: not shown.'],
    derivation:
      'GET is safe (RFC 9110, section 9.2.1), and listPets only lists animals. So listing changes nothing, and two lists with nothing in between agree on the animals that a page has room for, and on their names and categories. Statuses may change (transitions are not shown), and so may the order.',
    requirement: 'Listing changes nothing, and repeated lists agree.',
    likelyCause:
      'Some lists come from a replica or a partition that lags, a timeout is treated as "no rows", or listing marks or removes what it shows.',
  },
  'list.repeated-parameters': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'open',
    quote: ['Query parameters (all optional):'],
    requirement:
      'Records the response to limit and status sent twice, or in the spellings that some frameworks use for arrays. The document shows single values only. An error is still an Error, a 200 is still Pets, and neither is a crash.',
    likelyCause: 'No action needed; make sure that a framework that turns repeated parameters into arrays does not crash.',
  },
  'list.status-accepted': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'required',
    quote: [
      '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
      'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    ],
    requirement: 'Each of available, pending, and sold is accepted as status: listPets returns 200.',
    likelyCause: 'The enum of the query parameter is maintained by hand and lacks a value, or expects another letter case.',
  },
  'list.status-filter': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'required',
    quote: ['| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |'],
    requirement: 'A list with a status shows only animals that have that status; an animal without a status has none.',
    likelyCause: 'The filter does not reach the query, it keeps animals whose status is null, or a cache ignores the query string.',
  },
  'list.status-unknown': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'open',
    quote: [
      '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
      'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    ],
    requirement:
      'Records the response to a status filter that is not one of the three values. The document lists no 400 for listPets, so the service may reject the filter, ignore it, or return an empty list. An error is still an Error, a 200 is still Pets, and neither is a crash.',
    likelyCause: 'No action needed; ignoring a filter shows clients animals that they did not ask for.',
  },
  'list.success': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'required',
    quote: ['Query parameters (all optional):', 'Success: `200`, body is a Pets array (array of Pet).'],
    requirement: 'GET /pets with the API key returns 200 with an array of Pets, with or without parameters.',
    likelyCause: 'The route is missing, a parameter became mandatory, or an empty or partial page has a different status (204, 206, 404).',
  },
  'list.unique': {
    chapter: 'list-pets',
    section: 'Pet (response record)',
    level: 'implied',
    quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
    derivation:
      'id is the "Unique identifier" of an animal, and a list shows animals: two items with the same id are one animal, listed twice.',
    requirement: 'No list shows an animal twice.',
    likelyCause: 'A join without DISTINCT, or a page assembled from two overlapping ones.',
  },
  'list.unknown-parameters': {
    chapter: 'list-pets',
    section: 'Endpoints: 1. List animals',
    level: 'open',
    quote: ['The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.'],
    requirement:
      'Records the response to query parameters that the document does not show, including those that often select a page or an order. If such a parameter is accepted together with limit or status, these still apply (list.limit-maximum, list.status-filter). An error is still an Error, a 200 is still Pets, and neither is a crash.',
    likelyCause: 'No action needed; document any parameter that has an effect here.',
  },
  'create.answer': {
    chapter: 'create-pet',
    section: 'Endpoints: 2. Add an animal',
    level: 'required',
    quote: [
      'Success: `201`, body is the created Pet, including the assigned `id`.',
      'Pet has every field of NewPet, with the same required rules, plus:',
    ],
    requirement:
      'The 201 body is the created Pet: it shows name and categoryId as they were sent, and the status if one was sent, whatever else the request contained.',
    likelyCause:
      'The response is built from something other than the stored object: defaults, the previous request, a relation that is not loaded, or a case-folded name.',
  },
  'create.body-json': {
    chapter: 'create-pet',
    section: 'Endpoints: 2. Add an animal',
    level: 'required',
    quote: [
      'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    requirement:
      'createPet rejects a body that is not JSON (RFC 8259) with 400 and an Error body: missing, blank, truncated, with trailing content, in JavaScript syntax, or in another format sent as application/json.',
    likelyCause:
      'The parser stops after the first value, repairs truncated input, accepts JSON5, or falls back to form fields; or an empty body never reaches the validator (411, 415).',
  },
  'create.body-object': {
    chapter: 'create-pet',
    section: 'Endpoints: 2. Add an animal',
    level: 'required',
    quote: [
      'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    requirement:
      'A JSON body that is not an object (an array, a string, a number, true, null) lacks the required fields: createPet rejects it with 400 and an Error body.',
    likelyCause: 'The code reads properties without checking that the body is an object, unwraps arrays, or parses strings a second time.',
  },
  'create.category-range': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'required',
    quote: [
      '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    requirement: 'createPet rejects a categoryId outside int64 (below -2^63 or above 2^63-1) with 400 and an Error body.',
    likelyCause: 'The number is clamped, wraps around at 64 bits, is treated as unsigned, or passes through a double.',
  },
  'create.category-required': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'required',
    quote: [
      'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    requirement: 'createPet rejects a body without categoryId, or with a null categoryId, with 400 and an Error body.',
    likelyCause:
      'A missing number becomes 0, a default category applies, the parser ignores the letter case of property names, or the rejection has a status other than 400 (404, 422).',
  },
  'create.category-type': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'required',
    quote: [
      '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    requirement:
      'createPet rejects a categoryId that is not an integer ("1", 1.5, true, [], {}) with 400 and an Error body. 1.0 and 1e0 are open (create.integer-spelling).',
    likelyCause: 'The value is coerced: Number(value), parseInt, a lenient object mapper, or an implicit cast in the database.',
  },
  'create.client-id': {
    chapter: 'create-pet',
    section: 'Pet (response record)',
    level: 'open',
    quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
    requirement:
      'Records whether an id in the body of a creation is rejected or ignored. Either satisfies "never supplied by the client"; create.id-not-adopted checks that the id is not used.',
    likelyCause: 'No action needed; a rejection shows clients their mistake.',
  },
  'create.default-status': {
    chapter: 'create-pet',
    section: 'States and transitions',
    level: 'open',
    quote: ['If status is omitted on creation, the default is not stated.'],
    requirement:
      'Records the status of an animal that was created without one, in the 201 and when it is read. "The default is not stated", so it may be any of the three, or none. A 201 may also omit a status that is shown later, because status is optional in Pet.',
    likelyCause: 'No action needed; document the default if clients may rely on it.',
  },
  'create.duplicate-members': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'open',
    quote: ['Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.'],
    requirement:
      'Records the response to a body in which a property appears twice. RFC 8259, section 4, calls the behavior of parsers unpredictable. An error is still an Error, a 201 is still a Pet, and neither is a crash.',
    likelyCause: 'No action needed; but a gateway and a service that choose differently see two different animals.',
  },
  'create.duplicate-names': {
    chapter: 'create-pet',
    section: 'Gaps',
    level: 'open',
    quote: ['Length, character and uniqueness rules of name: not shown.'],
    requirement:
      'Records whether the service creates a second animal with a name that is taken. "Length, character and uniqueness rules of name: not shown." If it does, the response is 201 (create.success) with a new id (create.id-assigned); no response is a crash.',
    likelyCause: 'No action needed; a rejection should be an Error that states the reason.',
  },
  'create.id-assigned': {
    chapter: 'create-pet',
    section: 'Pet (response record)',
    level: 'required',
    quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
    requirement:
      'The service assigns each created animal a unique id: no two animals share an id, even when they are created concurrently.',
    likelyCause:
      'The next id is read and written in two steps, comes from the clock or a small random space, is counted per status table, or passes through a double.',
  },
  'create.id-not-adopted': {
    chapter: 'create-pet',
    section: 'Pet (response record)',
    level: 'required',
    quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
    requirement:
      'The client never supplies the id: createPet rejects a NewPet with an id with 400 or ignores the id, and an animal that already has the id stays unchanged.',
    likelyCause:
      "The whole request is bound to the stored record, so save() inserts it under the client's id or overwrites the animal that has it.",
  },
  'create.independent': {
    chapter: 'create-pet',
    section: 'Endpoints: 2. Add an animal',
    level: 'implied',
    quote: [
      'Success: `201`, body is the created Pet, including the assigned `id`.',
      'If status is omitted on creation, the default is not stated.',
    ],
    derivation:
      'Each request adds an animal from its own body, and each response is "the created Pet". Nothing makes a creation depend on a concurrent or an earlier one: the default for an omitted status, whatever it is, does not come from another body.',
    requirement:
      'Each animal is created from its own request only: concurrent creations do not mix their data, none is lost, and none inherits data from the request before it.',
    likelyCause:
      'Request data is kept in a field of a shared object (a controller, a bean, a module variable), or the store is read, changed, and written back as a whole.',
  },
  'create.integer-spelling': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'open',
    quote: ['| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |'],
    requirement:
      'Records whether the service accepts an integer written as a fraction (1.0, 1e0). To JSON Schema it is an integer, to many parsers it is not, and the document does not say.',
    likelyCause: 'No action needed; clients should send plain integers.',
  },
  'create.name-required': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'required',
    quote: [
      'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    requirement:
      'createPet rejects a body without name, or with a null name, with 400 and an Error body. A property spelled differently (Name) or present only on a prototype is not name.',
    likelyCause:
      'The validator does not run, the parser ignores the letter case of property names, null becomes a default, or the rejection has a status other than 400 (422, 409).',
  },
  'create.name-type': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'required',
    quote: [
      "| name | string | - | yes | The animal's name |",
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    requirement: 'createPet rejects a name that is not a string with 400 and an Error body.',
    likelyCause:
      'Numbers, booleans, arrays, and objects are converted to strings (String(value), a lenient object mapper) or stored as they are (schemaless storage).',
  },
  'create.refused-stores-nothing': {
    chapter: 'create-pet',
    section: 'Endpoints: 2. Add an animal',
    level: 'implied',
    quote: [
      'Success: `201`, body is the created Pet, including the assigned `id`.',
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    derivation:
      'The document lists 400 as a failure of createPet, as opposed to the success "body is the created Pet". A creation that failed has created nothing and changed nothing.',
    requirement: 'A rejected creation stores no animal, whatever the reason (even one that the document leaves open), and removes none.',
    likelyCause:
      'Validation runs after the insert, the transaction is not rolled back, or the rollback undoes more than the rejected creation.',
  },
  'create.request-media-type': {
    chapter: 'create-pet',
    section: 'What the service does',
    level: 'open',
    quote: ['All requests and responses that have a body use the media type `application/json`.'],
    requirement:
      'Records the response to a creation whose Content-Type is not plain application/json. "All requests and responses that have a body use the media type `application/json`", but the document does not state the response to other media types; 415, 400, and 201 are all acceptable. An error is still an Error, a 201 is still a Pet, and neither is a crash.',
    likelyCause: 'No action needed; 415 is the most informative status for clients.',
  },
  'create.round-trip': {
    chapter: 'create-pet',
    section: 'Endpoints: 2. Add an animal',
    level: 'implied',
    quote: [
      'Success: `201`, body is the created Pet, including the assigned `id`.',
      'Pet has every field of NewPet, with the same required rules, plus:',
    ],
    derivation:
      'createPet adds the animal in the request and returns "the created Pet"; getPet and listPets return Pets, which have "every field of NewPet". So they show a created animal with the values of its NewPet, letter by letter and digit by digit.',
    requirement: 'getPet and listPets show the name, categoryId, and status of a created animal exactly as its NewPet had them.',
    likelyCause:
      'A column is too short or folds case, a mapper drops a field, or a default replaces the value sent. Compare the stored row with the request.',
  },
  'create.status-invalid': {
    chapter: 'create-pet',
    section: 'PetStatus',
    level: 'required',
    quote: [
      'A string with exactly these allowed values: `available`, `pending`, `sold`.',
      '`400` with an Error body when the body is missing required fields or contains invalid values',
    ],
    requirement:
      'createPet rejects a status other than available, pending, and sold (another word, another letter case, null, not a string) with 400 and an Error body.',
    likelyCause:
      'An invalid status is ignored or replaced by the default, letter case and white space are normalized, or the column accepts any text.',
  },
  'create.status-optional': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'required',
    quote: [
      '| status | string | enum PetStatus | no | Availability status |',
      'If status is omitted on creation, the default is not stated.',
    ],
    requirement: 'status is optional. If the 201 shows a default status, getPet shows the same one; the document does not say which.',
    likelyCause:
      'The validator requires the field, the value comes from the previous request, or the default is applied when an animal is shown instead of when it is stored.',
  },
  'create.status-values': {
    chapter: 'create-pet',
    section: 'PetStatus',
    level: 'required',
    quote: [
      '| status | string | enum PetStatus | no | Availability status |',
      'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    ],
    requirement: 'createPet accepts each of available, pending, and sold as status, and the animal has that status.',
    likelyCause:
      'A strict validator takes no text for the status, a workflow allows only one initial state, or the status in the request is not mapped.',
  },
  'create.success': {
    chapter: 'create-pet',
    section: 'Endpoints: 2. Add an animal',
    level: 'required',
    quote: ['Success: `201`, body is the created Pet, including the assigned `id`.'],
    requirement:
      'A plain NewPet (a unique name of at most 20 ASCII letters, a capital and small ones unless the service shows another letter case, and a category that the service is known to accept) returns 201 with the created Pet. A service may reject what the document leaves open (a taken name, unknown properties, an id, other media types), but if it accepts, the response is 201 too.',
    likelyCause:
      'The service requires something that the document does not mention (a header or its spelling, a field, an id), or returns another success status (200, 202, 204) or an empty body.',
  },
  'create.text-encoding': {
    chapter: 'create-pet',
    section: 'Endpoints: 2. Add an animal',
    level: 'open',
    quote: ['Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.'],
    requirement:
      'Records the response to bodies with damaged text: half a surrogate pair, bytes that are not UTF-8, a byte order mark, UTF-16. RFC 8259 requires senders to use UTF-8 (section 8.1) and lets parsers accept more; the document does not say. An error is still an Error, a 201 is still a Pet, and neither is a crash.',
    likelyCause: 'No action needed; a 400 keeps damaged text out of the store.',
  },
  'create.unknown-category': {
    chapter: 'create-pet',
    section: 'Gaps',
    level: 'open',
    quote: ['Category record (its own fields and endpoints): not shown beyond the categoryId reference.'],
    requirement:
      'Records whether a category must exist, and how an animal of one that does not is rejected. Only the identifier of a category is shown. A rejection has an Error body (errors.shape), and nothing is stored (create.refused-stores-nothing).',
    likelyCause: 'No action needed; document the status of the rejection if clients may rely on it.',
  },
  'create.unknown-members': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'open',
    quote: ['Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.'],
    requirement:
      'Records the response to a NewPet with properties that the document does not show, including names that every JavaScript object inherits. The document does not say whether they are rejected, ignored, or kept. An error is still an Error, a 201 is still a Pet with the fields as they were sent (create.answer), and neither is a crash.',
    likelyCause: 'No action needed; but properties named __proto__ and constructor must not reach an object that requests share.',
  },
  'create.unusual-categories': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'implied',
    quote: [
      '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
      'Success: `201`, body is the created Pet, including the assigned `id`.',
    ],
    derivation:
      'categoryId is an int64, and whether the category must exist is not shown, so a service may reject any category, with 400 or with a 4xx that says that there is none. But if it returns 201, the "body is the created Pet", which has the categoryId of the NewPet with all the digits of an int64. It is an animal like any other, so the filter for its status finds it.',
    requirement:
      'An unusual categoryId within int64 is either rejected with an Error body, or accepted, kept digit by digit, and found by the list.',
    likelyCause: 'The number passes through a double (JavaScript, JSON libraries) or a 32-bit column.',
  },
  'create.unusual-names': {
    chapter: 'create-pet',
    section: 'NewPet (request body for creating an animal)',
    level: 'implied',
    quote: [
      "| name | string | - | yes | The animal's name |",
      'Length, character and uniqueness rules of name: not shown.',
      'Success: `201`, body is the created Pet, including the assigned `id`.',
    ],
    derivation:
      'name is a string, and "Length, character and uniqueness rules of name" are not shown, so a service may reject any unusual name with 400. But if it returns 201, the "body is the created Pet", which has the name of the NewPet, and so does the stored animal. It is an animal like any other, so the filter for its status finds it.',
    requirement:
      'An unusual name is either rejected with 400 and an Error body, or accepted, kept letter by letter, and found by the list.',
    likelyCause:
      'If the name comes back changed: a column or an encoding is too small, or text is escaped, trimmed, normalized, or decoded on the way in but not on the way out.',
  },
  'get.agrees-with-list': {
    chapter: 'get-pet',
    section: 'Endpoints: 1. List animals; 3. Get an animal (deprecated)',
    level: 'implied',
    quote: [
      'Success: `200`, body is a Pets array (array of Pet).',
      'Success: `200`, body is a Pet.',
      '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    ],
    derivation:
      'listPets returns Pet records, getPet returns the Pet record with a given id, and ids are unique. So both show the same record for the same id, and getPet finds every id that a list shows.',
    requirement: 'getPet shows an animal with the same name, category, and status as every list that shows it.',
    likelyCause:
      'The list and the single read use different queries, serializers, or caches. Compare what each of them selects and converts.',
  },
  'get.durable': {
    chapter: 'get-pet',
    section: 'Endpoints: 2. Add an animal; 3. Get an animal (deprecated)',
    level: 'implied',
    quote: [
      'Success: `201`, body is the created Pet, including the assigned `id`.',
      '`404` with an Error body when the animal does not exist.',
      'Transitions: not shown.',
    ],
    derivation:
      'A 201 says that the animal was created with an id, getPet returns 404 only when an animal does not exist, and the interface has no operation that removes or changes one. So every animal that the suite created still exists, unchanged, at the end of the run.',
    requirement:
      'At the end of the run, every created animal still exists with its name, category, and status, and creations have not evicted other animals.',
    likelyCause:
      'The store is a cache or the memory of one worker, a transaction was rolled back after its response, or a later creation overwrites an earlier record.',
  },
  'get.id-not-integer': {
    chapter: 'get-pet',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'open',
    quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.'],
    requirement:
      'Records the response to a petId that is not an integer. It violates the declared type, for which the document states no failure; 400 and 404 are both common.',
    likelyCause: 'No action needed; besides 401, the document lists only 404 for getPet.',
  },
  'get.id-outside-int64': {
    chapter: 'get-pet',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'open',
    quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.'],
    requirement:
      'Records the response to an integer petId outside int64. It violates the declared format, for which the document states no failure; 404 is equally acceptable.',
    likelyCause: 'No action needed, unless the number wraps around and the service returns an animal that the client did not ask for.',
  },
  'get.id-spelling': {
    chapter: 'get-pet',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'open',
    quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.'],
    requirement:
      'Records whether other spellings of a known id (signed, zero-padded, with a fraction of zero) find its animal. The document does not say how to spell an integer in a path.',
    likelyCause: 'No action needed; a single spelling per animal keeps caches and logs simple.',
  },
  'get.identity': {
    chapter: 'get-pet',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'required',
    quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.', 'Success: `200`, body is a Pet.'],
    requirement: 'getPet returns the requested animal: its id equals petId, digit by digit.',
    likelyCause:
      'The lookup uses a position, or a truncated or rounded number (32 bits, doubles); or a cache or a handler mixes up requests.',
  },
  'get.not-found': {
    chapter: 'get-pet',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'required',
    quote: [
      'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
      '`404` with an Error body when the animal does not exist.',
    ],
    requirement:
      'getPet returns 404 with an Error body for every int64 id that no animal has, including ids beyond 32 and 53 bits and at the edges of int64.',
    likelyCause:
      'An empty result is returned as a success, the route accepts only positive or 32-bit numbers, or the id is truncated, wrapped, or rounded on its way to the store.',
  },
  'get.repeatable': {
    chapter: 'get-pet',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'implied',
    quote: ['Success: `200`, body is a Pet.', 'Transitions: not shown.'],
    derivation:
      'getPet is a GET that returns the record with an id. GET is safe (RFC 9110, section 9.2.1), and the document shows no transition caused by reading. So two reads with nothing in between show the same record.',
    requirement: 'Repeated reads of an animal show the same name, category, and status, and change nothing.',
    likelyCause: 'Reading has a side effect, or replicas and caches hold different versions of the animal.',
  },
  'get.success': {
    chapter: 'get-pet',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'required',
    quote: ['Success: `200`, body is a Pet.'],
    requirement: 'GET /pets/{petId} returns 200 with a Pet for every existing animal.',
    likelyCause:
      'The read path uses a different table, partition, or cache than the list or the creation, or does not handle some status or id range.',
  },
  'deprecation.announced': {
    chapter: 'deprecation',
    section: 'RFC 9745, section 2; RFC 8594, section 3',
    level: 'advised',
    quote: [
      'The operation is deprecated and is scheduled for removal on 5 December 2030.',
      'Response headers of any operation: not shown.',
    ],
    requirement: 'getPet announces its removal with a Deprecation or Sunset header; operations that are not deprecated send neither.',
    likelyCause:
      'Nothing adds the headers, or a global filter adds them to every route. For clients you cannot contact, these headers are the only notice of removal; a gateway can add them to a single route.',
  },
  'deprecation.date-agrees': {
    chapter: 'deprecation',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'implied',
    quote: [
      'The operation is deprecated and is scheduled for removal on 5 December 2030.',
      'Response headers of any operation: not shown.',
    ],
    derivation:
      'The operation is deprecated and scheduled for removal on 5 December 2030. Sunset (RFC 8594) says when a resource is expected to become unavailable; Deprecation (RFC 9745) says since when it is deprecated. The document shows no response headers, so a service may send neither, but a header that it sends is a statement about this date.',
    requirement:
      'If getPet sends a Sunset header, the header names 5 December 2030; if it sends a Deprecation header, that date is not later.',
    likelyCause: 'The header was copied from a template, or the day and the month are swapped. Clients plan their migration by this date.',
  },
  'deprecation.headers-well-formed': {
    chapter: 'deprecation',
    section: 'RFC 9745, section 2.1; RFC 8594, section 3',
    level: 'advised',
    quote: ['Response headers of any operation: not shown.'],
    requirement: 'A Deprecation header is a structured date, and a Sunset header is an IMF-fixdate that exists in the calendar.',
    likelyCause:
      'The header follows an older draft ("true", an HTTP-date) or is formatted as an ISO date, which client libraries do not parse.',
  },
  'deprecation.replacement': {
    chapter: 'deprecation',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'required',
    quote: ['The replacement is `GET /pets` with the `status` filter.'],
    requirement: 'The replacement for getPet, the list with the status filter, finds the animals that getPet finds.',
    likelyCause:
      'The filter uses a different source than the status shown, or updates later. Clients that migrate to it would lose animals.',
  },
  'deprecation.still-works': {
    chapter: 'deprecation',
    section: 'Endpoints: 3. Get an animal (deprecated)',
    level: 'required',
    quote: ['The operation is deprecated and is scheduled for removal on 5 December 2030.'],
    requirement:
      'Until 5 December 2030, getPet returns animals. From that date on, an Error body with 404, 405, 410, or 501 is also accepted.',
    likelyCause:
      'The deprecated route was removed from the service or the gateway ahead of schedule. Clients were told that it works until that date.',
  },
  'errors.answers': {
    chapter: 'errors',
    section: 'Endpoints',
    level: 'implied',
    quote: ['The service is a pet store catalogue interface over HTTP with JSON bodies.'],
    derivation:
      'The service is an interface over HTTP, and each operation has a status and a body for success and for failure. Without a complete response, a request has neither.',
    requirement:
      'Every request gets a complete HTTP response: no dropped connection, no truncated body, no timeout, and nothing that is not HTTP.',
    likelyCause:
      'A worker was killed, a proxy timed out, or Content-Length does not match the body. Look up the request shown here in the proxy log.',
  },
  'errors.codes': {
    chapter: 'errors',
    section: 'Errors',
    level: 'open',
    quote: [
      '| code | string | yes | Machine-readable error code |',
      'The set of values of `code`, and statuses other than those above: not shown.',
    ],
    requirement:
      'Records the value of code in each situation. The document calls it machine-readable, but does not show the set of its values.',
    likelyCause: 'No action needed; clients may rely on codes, so review changes between releases.',
  },
  'errors.infrastructure-errors': {
    chapter: 'errors',
    section: 'Errors; RFC 9110, section 15.5',
    level: 'advised',
    quote: ['Errors are returned as an Error body (fields code, message, status) with `application/json`.'],
    requirement:
      'Errors that are usually written in front of a service (408, 413, 414, 429, 431, 502, 503, 504) are Errors too: application/json with code, message and status.',
    likelyCause:
      'A gateway, a load balancer or the HTTP layer of the framework writes its own page. Most let you set the bodies of errors; clients then need one reader for all of them.',
  },
  'errors.no-server-error': {
    chapter: 'errors',
    section: 'Errors',
    level: 'implied',
    quote: [
      '| 400 | Request body lacks required fields or contains invalid values | createPet |',
      '| 401 | Credential missing or invalid | listPets, createPet, getPet |',
      '| 404 | The requested resource cannot be found | getPet |',
    ],
    derivation:
      'The document names the responses of each operation to valid and invalid requests, and a server error is not among them. A service may accept or reject a value that the document leaves open, but a 5xx says that the server failed to do either (RFC 9110, section 15.6).',
    requirement: 'No request that a client may send, however odd, causes a server error.',
    likelyCause:
      'Look for the exception that the request shown here caused: a value reached the database or the runtime unchecked, or another request got in the way.',
  },
  'errors.shape': {
    chapter: 'errors',
    section: 'Errors',
    level: 'required',
    quote: ['Errors are returned as an Error body (fields code, message, status) with `application/json`.'],
    requirement: 'The body of every error is an Error: code and message are strings, status is an integer, and all three are present.',
    likelyCause:
      'The service writes errors in a form of its own, or those of the framework, a gateway, or the authentication layer bypass the handler that writes Error bodies.',
  },
  'errors.status-agrees': {
    chapter: 'errors',
    section: 'Errors',
    level: 'required',
    quote: ['The `status` field of the body equals the HTTP status code.'],
    requirement: 'The status field of an Error equals the HTTP status code of its response.',
    likelyCause: 'Each handler sets the status by hand, an error object is shared, or a gateway changes the HTTP status later.',
  },
  'media.any-client': {
    chapter: 'media-type',
    section: 'RFC 9110, sections 7.6, 10.1.5, 12.5.1 and 15.5.12; RFC 9112, section 7.1',
    level: 'advised',
    requirement:
      'The service accepts any kind of client: it returns a list whatever the User-Agent, without one, and for Accept: application/*; it does not reject a chunked body with 411; and forwarding and override headers do not change a list.',
    likelyCause:
      'A firewall blocks clients by their User-Agent, a proxy requires a Content-Length, or the framework trusts forwarding and override headers from any client.',
  },
  'media.json': {
    chapter: 'media-type',
    section: 'What the service does',
    level: 'required',
    quote: ['All requests and responses that have a body use the media type `application/json`.'],
    requirement:
      'Every response body, success or error, has the media type application/json, whatever else the client accepts; parameters and letter case are free.',
    likelyCause:
      'The framework or a proxy sends errors as HTML or text, the framework negotiates other formats, or a handler writes JSON without setting the header.',
  },
  'media.transport': {
    chapter: 'media-type',
    section: 'What the service does; RFC 9112, sections 2.3, 6.1 and 7; RFC 9110, sections 4.3.4 and 12.5.3',
    level: 'advised',
    quote: ['The service is a pet store catalogue interface over HTTP with JSON bodies.'],
    requirement:
      'Strict clients can read every response: its status line has a version of HTTP/1, its body is framed by registered transfer codings and has no content coding that the request does not accept, and a certificate names its host in subjectAltName.',
    likelyCause:
      'A handler sets Transfer-Encoding itself, in addition to the HTTP library or the proxy; the HTTP layer is written by hand; a cache keeps what was compressed for one client for all (no Vary); or the certificate was made without subjectAltName. Lenient clients read on, while browsers, Go and proxies reject the response.',
  },
  'media.well-formed': {
    chapter: 'media-type',
    section: 'What the service does',
    level: 'required',
    quote: [
      'The service is a pet store catalogue interface over HTTP with JSON bodies.',
      'All requests and responses that have a body use the media type `application/json`.',
    ],
    requirement:
      'Every application/json body is strict JSON in UTF-8: no byte order mark, no trailing comma, no NaN, nothing before or after it, and no object member that appears twice with different values.',
    likelyCause:
      'The JSON is assembled by hand or printed by the language instead of a serializer, something is written before or after it, or Content-Length counts characters instead of bytes.',
  },
  'record.leftovers': {
    chapter: 'records',
    section: 'Pet (response record)',
    level: 'advised',
    requirement: 'The store holds no animal of an earlier run of this suite that an earlier build should have rejected.',
    likelyCause:
      'An earlier build accepted what the service rejects today, and the interface has no operation that deletes. Remove these animals from the store: they hide nothing, but every client of the list gets them.',
  },
  'record.pet': {
    chapter: 'records',
    section: 'Pet (response record)',
    level: 'required',
    quote: [
      'Pet has every field of NewPet, with the same required rules, plus:',
      '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
      '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
      'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    ],
    requirement:
      'getPet and createPet return a Pet: id and categoryId are int64, name is a string, and status, if present, is a PetStatus.',
    likelyCause:
      'The serializer for a single animal writes numbers as strings, null for unset fields, or other property names, or wraps the record in an envelope; or a creation accepted an invalid value.',
  },
  'record.pets': {
    chapter: 'records',
    section: 'Pets',
    level: 'required',
    quote: ['A JSON array of Pet records.'],
    requirement: 'listPets returns a JSON array whose items are all Pets.',
    likelyCause:
      'The list is wrapped in an envelope, an empty list is null, or lists use a different serializer than single animals; or a creation accepted an invalid value.',
  },
  'record.same-animal': {
    chapter: 'records',
    section: 'Pet (response record)',
    level: 'implied',
    quote: [
      '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
      'Transitions: not shown.',
    ],
    derivation:
      'The id uniquely identifies an animal, and the interface has no operation that changes an animal. So every response that shows the id of a created animal shows that animal as it was created.',
    requirement: 'Every list and every read shows a created animal with the name, category, and status it was created with.',
    likelyCause:
      'The value was stored wrong when the animal was created, or a query joins, caches, or serializes animals incorrectly. Compare the response shown with the creation of that id.',
  },
} as const satisfies Record<CatalogClauseId, Said>;
