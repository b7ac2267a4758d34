import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

export const quarkus: readonly Fingerprint[] = [
  {
    product: 'Quarkus',
    writer: "Quarkus's error handler",
    source: 'quarkusio/quarkus, extensions/vertx-http, QuarkusErrorHandler.java',
    advice: 'Write an ExceptionMapper for Throwable that keeps the status of a WebApplicationException',
    matches: (traces) => traces.members.startsWith('details,stack') && textMember(traces, 'details').startsWith('Error id '),
  },
  {
    product: 'Quarkus',
    writer: "Quarkus's report of constraint violations",
    source:
      'quarkusio/quarkus, extensions/hibernate-validator, ResteasyReactiveViolationExceptionMapper.java and ResteasyViolationExceptionMapper.java',
    advice: 'Write an ExceptionMapper for ConstraintViolationException',
    matches: ({ members, header }) => members === 'title,status,violations' || header('validation-exception') === 'true',
  },
];
