import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

export const quarkus: readonly Fingerprint[] = [
  {
    product: 'Quarkus',
    writer: "Quarkus's error handler",
    source: 'quarkusio/quarkus, QuarkusErrorHandler.java',
    advice: 'Write a @ServerExceptionMapper for Throwable',
    matches: (traces) => traces.members.startsWith('details,stack') && textMember(traces, 'details').startsWith('Error id '),
  },
  {
    product: 'Quarkus',
    writer: "Quarkus's report of constraint violations",
    source: 'quarkusio/quarkus, ResteasyReactiveViolationExceptionMapper.java',
    advice: 'Write an ExceptionMapper for ConstraintViolationException',
    matches: ({ members, header }) => members === 'title,status,violations' || header('validation-exception') === 'true',
  },
];
