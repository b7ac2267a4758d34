import type { CauseRule } from '../cause.ts';
import { describeExchange, hasValidKey } from '../describe.ts';
import { writerOf } from '../fingerprints/index.ts';
import { statusOf } from './reads.ts';

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
