// Causes about errors and their authors.
import { CLAUSE_IDS } from '../../clause/clause-ids.ts';
import type { CauseRule, DiagnosedRun, Failure, Sign } from '../cause.ts';
import { bodyOf, describeExchange, hasValidKey, statusOf } from '../exchanges.ts';
import type { Fingerprint } from '../fingerprints/fingerprint.ts';
import { writerOf } from '../fingerprints/index.ts';

const REJECTIONS = [
  ...(['create.body-json', 'create.body-object', 'create.category-range', 'create.category-required', 'create.category-type'] as const),
  ...(['create.name-required', 'create.name-type', 'create.status-invalid'] as const),
] as const;

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
    const isRejected = statusOf(exchange) === 401 && hasValidKey(exchange);
    return isRejected && writerOf(exchange)?.product === 'Spring Boot' ? describeExchange(exchange) : undefined;
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

/** Messages of databases when one connection locks out another: SQLite, PostgreSQL, MySQL. */
const LOCKED_DATABASE_MESSAGE =
  /database (?:table )?is locked|SQLITE_(?:BUSY|LOCKED)|could not serialize access|deadlock detected|Deadlock found when trying to get lock|Lock wait timeout exceeded/;

function isConcurrent({ exchange }: Failure, { failures }: DiagnosedRun): boolean {
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
  sign: ({ exchange }) =>
    statusOf(exchange) >= 500 && LOCKED_DATABASE_MESSAGE.test(bodyOf(exchange))
      ? describeExchange(exchange, LOCKED_DATABASE_MESSAGE)
      : undefined,
  suffices: (signs, run) => signs.some(({ failure }) => isConcurrent(failure, run)),
};
