// Frameworks of the JVM and of .NET.
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

export const micronaut: readonly Fingerprint[] = [
  {
    product: 'Micronaut',
    writer: "Micronaut's JsonError",
    source: 'micronaut-projects/micronaut-core, HateoasErrorResponseProcessor.java; docs.micronaut.io, Error Handling',
    advice:
      'Add a bean of your own that implements ErrorResponseProcessor, and set application/json there: a JsonErrorResponseBodyProvider leaves browsers their pages',
    matches: ({ members }) =>
      ['_links,_embedded,message', 'message,_links,_embedded', 'message,_embedded,_links', '_embedded,_links,message'].includes(members),
  },
];

const TYPES = /^https:\/\/tools\.ietf\.org\/html\/rfc(?:7231|7235|4918|9110)#section-/;

export const aspnet: readonly Fingerprint[] = [
  {
    product: 'ASP.NET Core',
    writer: "ASP.NET Core's validation of models",
    source: 'dotnet/aspnetcore, src/Mvc/Mvc.Core/src/ApiBehaviorOptions.cs',
    advice:
      'With controllers set ApiBehaviorOptions.InvalidModelStateResponseFactory, elsewhere return Error bodies in place of ValidationProblem',
    matches: (traces) => textMember(traces, 'title') === 'One or more validation errors occurred.',
  },
  {
    product: 'ASP.NET Core',
    writer: "ASP.NET Core's ProblemDetails",
    source:
      'dotnet/aspnetcore, src/Shared/ProblemDetails/ProblemDetailsDefaults.cs and src/Mvc/Mvc.Core/src/ApiBehaviorOptions.cs; learn.microsoft.com, Handle errors in ASP.NET Core',
    advice:
      'Write Error bodies in an IExceptionHandler and in a handler that UseStatusCodePages is given; with controllers set ApiBehaviorOptions.SuppressMapClientErrors too',
    matches: (traces) => traces.members.startsWith('type,title,status') && TYPES.test(textMember(traces, 'type')),
  },
  {
    product: 'ASP.NET Core',
    writer: 'ASP.NET Core, which leaves errors without a body',
    source:
      'dotnet/aspnetcore, src/Servers/Kestrel/Core/src/Internal/Http/HttpProtocol.cs and src/Middleware/Diagnostics/src/StatusCodePage/StatusCodePagesMiddleware.cs',
    advice: 'Call UseStatusCodePages, before the middleware that authenticates, with a handler that writes Error bodies',
    matches: ({ text, header }) => text === '' && header('server') === 'Kestrel',
  },
];
