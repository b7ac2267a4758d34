import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

const SECURITY = 'no-cache, no-store, max-age=0, must-revalidate';

export const springBoot: readonly Fingerprint[] = [
  {
    product: 'Spring Boot',
    writer: "Spring Boot's error attributes",
    source: 'spring-projects/spring-boot, DefaultErrorAttributes.java',
    advice: 'Write a @RestControllerAdvice that extends ResponseEntityExceptionHandler, and an ErrorController for what never reaches it',
    matches: ({ members, text }) =>
      /^timestamp,(?:path,)?status,error(?:,|$)/.test(members) || text.includes('<h1>Whitelabel Error Page</h1>'),
  },
  {
    product: 'Spring Boot',
    writer: "Spring's ProblemDetail",
    source: 'spring-projects/spring-framework, ResponseEntityExceptionHandler.java and ProblemDetail.java',
    advice: 'Write a @RestControllerAdvice that extends ResponseEntityExceptionHandler and overrides createResponseEntity',
    matches: (traces) =>
      /^(?:type,)?(?:title,status,detail|detail,instance,status,title),?(?:instance)?/.test(traces.members) &&
      traces.members.split(',').includes('instance') &&
      ['', 'about:blank'].includes(textMember(traces, 'type')),
  },
  {
    product: 'Spring Boot',
    writer: "Spring Security's entry point",
    source: 'spring-projects/spring-security, HttpStatusEntryPoint.java and CacheControlHeadersWriter.java',
    advice: 'Give exceptionHandling an authenticationEntryPoint and an accessDeniedHandler that write Error bodies',
    matches: ({ status, text, header }) =>
      [401, 403].includes(status) && text === '' && header('cache-control') === SECURITY && header('pragma') === 'no-cache',
  },
  {
    product: 'Tomcat',
    writer: "Tomcat's error pages",
    source: 'apache/tomcat, java/org/apache/catalina/valves/ErrorReportValve.java',
    advice: 'Replace the ErrorReportValve: such a request never reached the application',
    matches: ({ text }) => /<title>HTTP Status \d{3} – /.test(text),
  },
];
