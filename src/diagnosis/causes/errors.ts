// Causes about errors and their authors.
import { CLAUSE_IDS } from '../../clause/clause-ids.ts';
import { OPERATIONS } from '../../wire/exchange.ts';
import { isRecord } from '../../wire/parsed.ts';
import { adviceFor, type CauseRule, type Failure, type RunView, type Sign } from '../cause.ts';
import { bodyOf, describeExchange, hasValidKey, shownAnimals, shownObject, statusOf } from '../exchanges.ts';
import { writerOf } from '../fingerprints/index.ts';
import { type Fingerprint, tracesOf } from '../fingerprints/traces.ts';

const ADVICE_ON_422: Readonly<Record<string, string>> = {
  FastAPI: 'Register @app.exception_handler(RequestValidationError) and return 400 there',
  Laravel: 'Override failedValidation of the FormRequest, or render ValidationException as 400',
  Rails: 'Render status: :bad_request in place of :unprocessable_content (before Rack 3.1 :unprocessable_entity)',
};

/** The reasons why a creation may be rejected. */
export const REJECTIONS = [
  ...(['create.body-json', 'create.body-object', 'create.category-range', 'create.category-required', 'create.category-type'] as const),
  ...(['create.name-required', 'create.name-type', 'create.status-invalid'] as const),
] as const;

export const rejectedWith422: CauseRule = {
  id: 'rejected-with-422',
  title: 'The validator rejects with 422 where the document says 400',
  advice: (_signs, { products }) =>
    adviceFor(products, ADVICE_ON_422, 'Set the status of validation errors to 400 where the validator is configured'),
  clauses: REJECTIONS,
  sign: ({ exchange }) => (exchange.method === 'POST' && statusOf(exchange) === 422 ? describeExchange(exchange) : undefined),
};

/** Spring MVC handles errors by a second dispatch to /error, which Spring Security guards too. */
export const errorsAskForCredentials: CauseRule = {
  id: 'errors-ask-for-credentials',
  title: 'The error page itself asks for credentials, so that other errors become 401',
  advice:
    'Permit the error dispatch in Spring Security: authorizeHttpRequests(a -> a.dispatcherTypeMatchers(DispatcherType.ERROR).permitAll()), and write errors in a @RestControllerAdvice',
  clauses: [
    'auth.valid-key',
    ...(['create.body-json', 'create.body-object', 'create.category-range', 'create.category-required', 'create.category-type'] as const),
    ...(['create.name-required', 'create.name-type', 'create.status-invalid', 'get.not-found'] as const),
  ],
  sign: ({ exchange }) => {
    const rejected = statusOf(exchange) === 401 && hasValidKey(exchange);
    return rejected && writerOf(exchange)?.product === 'Spring Boot' ? describeExchange(exchange) : undefined;
  },
  suffices: (_signs, run) => run.statuses('listPets').has('200'),
};

/** Who wrote the responses; if a product is among them, it also wrote those that several products write. */
function writersOf(signs: readonly Sign[]): readonly Fingerprint[] {
  const all = [...new Set(signs.map(({ failure }) => writerOf(failure.exchange)).filter((writer) => writer !== undefined))];
  const named = all.filter(({ product }) => product !== undefined);
  return named.length > 0 ? named : all;
}

const isRejection = ({ clause }: Failure): boolean => REJECTIONS.some((id) => id === clause.id);

const list = new Intl.ListFormat('en-US');

/** Errors that the framework, its router, or a middleware wrote in place of the service. */
export const errorsByFramework: CauseRule = {
  id: 'errors-by-framework',
  title: (signs) => {
    const products = [...new Set(writersOf(signs).flatMap(({ product }) => product ?? []))];
    const subject = products.length === 0 ? 'A framework or a proxy' : list.format(products);
    return `${subject} ${products.length > 1 ? 'write' : 'writes'} error responses instead of the service`;
  },
  advice: (signs) => [...new Set(writersOf(signs).map(({ advice }) => advice))].join('. '),
  clauses: ['errors.shape', 'errors.status-agrees', 'media.json', 'media.well-formed', ...REJECTIONS],
  sign: (failure) => {
    const { exchange } = failure;
    const writer = statusOf(exchange) >= 400 ? writerOf(exchange) : undefined;
    // The status of a rejection is repaired separately, unless the same line of code decides it.
    if (isRejection(failure) && !(writer?.validates === true && statusOf(exchange) === 422)) return undefined;
    return writer === undefined ? undefined : `${describeExchange(exchange)}: written by ${writer.writer}`;
  },
};

const WRITERS: Readonly<Record<number, string>> = {
  400: 'the body parser or the validator',
  401: 'the authentication layer or a gateway',
  404: 'the router or a gateway',
};

/** A body that the service's own error handler would not write: empty, not JSON, or with other members. */
function isForeign({ exchange }: Failure): boolean {
  const traces = tracesOf(exchange);
  if (traces === undefined || WRITERS[traces.status] === undefined) return false;
  const { json } = traces;
  return !(isRecord(json) && typeof json['code'] === 'string' && typeof json['message'] === 'string');
}

const statusOfSigns = (signs: readonly Sign[]): number => signs.map(({ failure }) => statusOf(failure.exchange))[0] ?? 0;

/** Whether every response with that status is broken, and others are correct. */
function isAllOfOneStatus(signs: readonly Sign[], run: RunView): boolean {
  const statuses = new Set(run.failed('errors.shape', 'media.json', 'media.well-formed').map(({ exchange }) => statusOf(exchange)));
  if (statuses.size !== 1) return false;
  const status = statusOfSigns(signs);
  const evidence = signs.map(({ failure }) => failure.clause.evidence).find((one) => one !== undefined);
  const all = run.statuses().get(String(status)) ?? 0;
  const others = ['400', '401', '404'].some((other) => other !== String(status) && run.statuses().has(other));
  return others && evidence?.broken === all;
}

export const errorsOfOneStatus: CauseRule = {
  id: 'errors-of-one-status',
  title: (signs) => `Something other than the error handler writes the ${statusOfSigns(signs)} responses`,
  advice: (signs) =>
    `The other errors are Error bodies. Look at what returns ${statusOfSigns(signs)} before the service does: ${WRITERS[statusOfSigns(signs)]}`,
  clauses: ['errors.shape', 'media.json', 'media.well-formed'],
  sign: (failure) => (isForeign(failure) ? describeExchange(failure.exchange) : undefined),
  suffices: isAllOfOneStatus,
};

const PAGES_ADVICE: Readonly<Record<string, string>> = {
  'Django REST framework': 'Set DEFAULT_RENDERER_CLASSES in REST_FRAMEWORK to JSONRenderer alone',
  Micronaut:
    'Set micronaut.security.redirect.enabled=false, and write errors in an ErrorResponseProcessor of your own: the default one writes pages',
};

function acceptsPages({ exchange }: Failure): boolean {
  return exchange.requestHeaders.some(([name, value]) => name === 'accept' && value.includes('text/html'));
}

function isPage({ exchange }: Failure): boolean {
  return tracesOf(exchange)?.contentType.startsWith('text/html') === true;
}

function isPageForBrowser(failure: Failure): boolean {
  const isRedirect = [302, 303].includes(tracesOf(failure.exchange)?.status ?? 0);
  return acceptsPages(failure) && (isPage(failure) || isRedirect);
}

export const browsersGetPages: CauseRule = {
  id: 'browsers-get-pages',
  title: 'Clients that accept text/html get pages or redirects instead of JSON',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      PAGES_ADVICE,
      'Return JSON whatever the Accept header says: switch off content negotiation, error pages and login redirects for these paths',
    ),
  clauses: ['media.json', 'auth.missing-credential', 'errors.answers'],
  // A service that always sends pages, whatever the client accepts, has another problem.
  suffices: (_signs, { failures }) => !failures.some((failure) => isPage(failure) && !acceptsPages(failure)),
  sign: (failure) => (isPageForBrowser(failure) ? `${describeExchange(failure.exchange)} to a client that accepts text/html` : undefined),
};

/** What servers and frameworks call a text of which they were not told what it is; some guess from its first bytes. */
const GUESSED = /^text\/plain\b/i;

export const contentTypeGuessed: CauseRule = {
  id: 'content-type-guessed',
  title: 'A response is sent as text/plain, because its Content-Type is not set, or set too late',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      { 'Go net/http': 'Call w.Header().Set("Content-Type", "application/json") before w.WriteHeader: what is set later is not sent' },
      'Set Content-Type: application/json before the status and the body are written',
    ),
  clauses: ['media.json'],
  sign: ({ exchange }) => {
    const contentType = tracesOf(exchange)?.contentType ?? '';
    const isJson = shownObject(exchange) !== undefined || shownAnimals(exchange).length > 0;
    return statusOf(exchange) < 300 && GUESSED.test(contentType) && isJson ? describeExchange(exchange) : undefined;
  },
  // Where the successes of another operation are JSON, the code that writes them is right.
  suffices: (_signs, run) => {
    const broken = new Set(run.failed('media.json').map(({ exchange }) => exchange.operation));
    return OPERATIONS.some((operation) => !broken.has(operation) && ['200', '201'].some((status) => run.statuses(operation).has(status)));
  },
};

/** Messages of databases when one connection locks out another: SQLite, PostgreSQL, MySQL. */
const SAID =
  /database (?:table )?is locked|SQLITE_(?:BUSY|LOCKED)|could not serialize access|deadlock detected|Deadlock found when trying to get lock|Lock wait timeout exceeded/;

/** Whether another request of the run was in flight at the same time. */
function isAmongOthers({ exchange }: Failure, { failures }: RunView): boolean {
  const end = exchange.startedAt + exchange.duration;
  return failures.some(
    ({ exchange: other }) =>
      other.number !== exchange.number && other.startedAt < end && exchange.startedAt < other.startedAt + other.duration,
  );
}

export const lockedDatabase: CauseRule = {
  id: 'locked-database',
  title: 'Requests that arrive at the same time lock each other out of the database',
  advice:
    'Let one wait for the other, or try again (SQLite: a busy timeout on every connection, transactions that write begun with BEGIN IMMEDIATE, or a single connection). One request alone succeeds: to see it, send many at once (xargs -P)',
  clauses: CLAUSE_IDS,
  atOnce: true,
  sign: ({ exchange }) => (statusOf(exchange) >= 500 && SAID.test(bodyOf(exchange)) ? describeExchange(exchange, SAID) : undefined),
  suffices: (signs, run) => signs.some(({ failure }) => isAmongOthers(failure, run)),
};
