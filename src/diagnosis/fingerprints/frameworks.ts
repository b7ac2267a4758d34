// Fingerprints of frameworks and mock servers, by language.

import { isRecord } from '../../wire/parse-json.ts';
import { type Fingerprint, reasonPhrase, textMember, type WriterClues } from './fingerprint.ts';

// Frameworks and mock servers of Node.js.

export const hapi: readonly Fingerprint[] = [
  {
    product: 'hapi',
    writer: "hapi's Boom errors",
    source:
      'hapijs/boom, lib/index.js (unauthorized, reformat); hapijs/hapi, lib/headers.js, lib/validation.js and API.md (Error transformation)',
    advice: 'Replace Boom errors (request.response.isBoom) in an onPreResponse extension',
    // Fastify writes the first three members too, but no Cache-Control. A scheme adds attributes, a rejected request `validation`.
    matches: ({ members, header }) =>
      /^statusCode,error,message(?:,attributes|,validation)?$/.test(members) && header('cache-control') === 'no-cache',
  },
];

export const fastify: readonly Fingerprint[] = [
  {
    product: 'Fastify',
    writer: "Fastify's router",
    source: 'fastify/fastify, lib/four-oh-four.js',
    advice: 'Call setNotFoundHandler, and set frameworkErrors for paths that the router itself rejects',
    matches: (clues) => clues.members === 'message,error,statusCode' && /^Route \w+:.* not found$/.test(textMember(clues, 'message')),
  },
  {
    product: 'Fastify',
    writer: '@fastify/bearer-auth',
    source: 'fastify/fastify-bearer-auth, lib/verify-bearer-auth-factory.js',
    advice: 'Give @fastify/bearer-auth an errorResponse, or set addHook to false and verify the key in a hook of your own',
    matches: (clues) =>
      clues.members === 'error' && ['missing authorization header', 'invalid authorization header'].includes(textMember(clues, 'error')),
  },
  {
    product: 'Fastify',
    writer: "Fastify's default error handler",
    source: 'fastify/fastify, lib/error-handler.js and lib/error-serializer.js',
    advice: 'Call setErrorHandler with a handler that writes Error bodies',
    matches: ({ members }) => members === 'statusCode,code,error,message' || members === 'statusCode,error,message',
  },
];

const NEST_MEMBERS = ['message,error,statusCode', 'message,statusCode', 'statusCode,message,error', 'statusCode,message'];

export const nestjs: readonly Fingerprint[] = [
  {
    product: 'NestJS',
    writer: "NestJS's exceptions layer",
    source: 'nestjs/nest, packages/common/exceptions/http.exception.ts',
    advice: 'Register a global exception filter (app.useGlobalFilters) that writes Error bodies',
    matches: ({ members }) => NEST_MEMBERS.includes(members),
  },
];

export const hono: readonly Fingerprint[] = [
  {
    product: 'Hono',
    writer: "Hono's default not-found handler",
    source: 'honojs/hono, src/hono-base.ts',
    advice: 'Set app.notFound to a handler that writes Error bodies',
    matches: ({ contentType, text }) => text === '404 Not Found' && contentType === 'text/plain; charset=UTF-8',
  },
  {
    product: 'Hono',
    writer: "Hono's HTTPException",
    source: 'honojs/hono, src/http-exception.ts and src/middleware/bearer-auth/index.ts',
    advice: 'Set app.onError to a handler that turns HTTPException into Error bodies',
    matches: (clues) =>
      clues.contentType === 'text/plain;charset=UTF-8' && [reasonPhrase(clues), 'Malformed JSON in request body'].includes(clues.text),
  },
  {
    product: 'Hono',
    writer: '@hono/zod-validator',
    source: 'honojs/middleware, packages/zod-validator/src/index.ts',
    advice: 'Give zValidator a third argument, the hook that writes the response when validation fails',
    matches: ({ json, members }) =>
      members === 'success,error' && isRecord(json) && isRecord(json['error']) && json['error']['name'] === 'ZodError',
  },
];

export const express: readonly Fingerprint[] = [
  {
    product: 'Express',
    writer: "Express's final handler",
    source: 'pillarjs/finalhandler, index.js',
    advice: 'Register a 404 handler after all routes and, last, an error handler with four parameters (err, req, res, next)',
    matches: ({ text }) => text.includes('<title>Error</title>') && text.includes('<pre>'),
  },
  {
    product: 'Express',
    writer: "Express's res.sendStatus",
    source: 'expressjs/express, lib/response.js (sendStatus)',
    advice: 'Replace res.sendStatus by res.status and res.json with an Error body',
    matches: (clues) =>
      clues.header('x-powered-by') === 'Express' && clues.contentType === 'text/plain; charset=utf-8' && clues.text === reasonPhrase(clues),
  },
];

export const jsonServer: readonly Fingerprint[] = [
  {
    product: 'json-server',
    writer: 'the mock server json-server',
    source: 'typicode/json-server v0.17, src/server/router/index.js and src/server/defaults.js',
    advice: 'This is a mock server: judge the service itself',
    matches: (clues) =>
      clues.status === 404 &&
      clues.text === '{}' &&
      clues.header('x-powered-by') === 'Express' &&
      clues.header('access-control-allow-credentials') === 'true',
  },
];

export const prism: readonly Fingerprint[] = [
  {
    product: 'Prism',
    writer: 'the mock server Prism',
    source: 'stoplightio/prism, packages/http/src/types.ts, docs/guides/01-mocking.md and docs/guides/06-errors.md',
    advice:
      'This is a mock server: judge the service itself (Prism returns a 401, 422 or 400 that the OpenAPI file describes, and its own for a path that is not in the file)',
    matches: (clues) => textMember(clues, 'type').startsWith('https://stoplight.io/prism/errors#'),
  },
];

// Frameworks of Python.

const FIELD_PHRASES = ['This field is required.', 'A valid integer is required.', 'Not a valid string.', 'This field may not be null.'];

function isFieldErrors({ status, json }: WriterClues): boolean {
  if (status !== 400 || !isRecord(json)) return false;
  return Object.values(json).some(
    (texts) => Array.isArray(texts) && texts.some((text) => FIELD_PHRASES.includes(text) || /^Invalid data\. /.test(text)),
  );
}

export const djangoRestFramework: readonly Fingerprint[] = [
  {
    product: 'Django REST framework',
    writer: "Django REST framework's exception handler",
    source:
      'encode/django-rest-framework, rest_framework/views.py and rest_framework/exceptions.py; rest_framework/serializers.py (is_valid)',
    advice:
      'Set EXCEPTION_HANDLER in REST_FRAMEWORK to a function that writes Error bodies, and call is_valid(raise_exception=True) where a view returns serializer.errors itself',
    matches: (clues) => (clues.members === 'detail' && textMember(clues, 'detail').endsWith('.')) || isFieldErrors(clues),
  },
  {
    product: 'Django',
    writer: "Django's error pages",
    source: 'django/django, django/views/defaults.py and django/core/handlers/exception.py',
    advice: 'Set DEBUG to False, and handler400, handler404 and handler500 in the root URLconf to views that write Error bodies',
    matches: ({ text }) =>
      text.includes('<p>The requested resource was not found on this server.</p>') || text.includes('<title>Page not found at /'),
  },
];

function isValidationError({ members, json }: WriterClues): boolean {
  if (members !== 'detail' || !isRecord(json) || !Array.isArray(json['detail'])) return false;
  const [first] = json['detail'] as readonly unknown[];
  return isRecord(first) && 'loc' in first && 'msg' in first;
}

export const fastapi: readonly Fingerprint[] = [
  {
    product: 'FastAPI',
    writer: "FastAPI's handler of validation errors",
    source: 'fastapi/fastapi, fastapi/exception_handlers.py',
    advice: 'Register @app.exception_handler(RequestValidationError) and return 400 with an Error body',
    validates: true,
    matches: isValidationError,
  },
  {
    product: 'FastAPI',
    writer: "FastAPI's handler of HTTPException",
    source: 'fastapi/fastapi, fastapi/exception_handlers.py; encode/starlette, starlette/exceptions.py',
    advice: "Register @app.exception_handler for Starlette's HTTPException, which covers the router and fastapi.security too",
    // Django REST framework ends its texts with a full stop.
    matches: (clues) => {
      if (clues.members !== 'detail' || clues.header('x-frame-options') !== undefined) return false;
      const text = textMember(clues, 'detail');
      return text === '' ? isRecord(clues.json) && isRecord(clues.json['detail']) : !text.endsWith('.');
    },
  },
];

export const starlette: readonly Fingerprint[] = [
  {
    product: 'Starlette',
    writer: "Starlette's own handlers of errors",
    source:
      'encode/starlette, starlette/middleware/errors.py (error_response) and starlette/middleware/exceptions.py (http_exception); encode/uvicorn, uvicorn/protocols/http/httptools_impl.py',
    advice: 'Register handlers of Exception and of HTTPException that write Error bodies (FastAPI: @app.exception_handler(Exception))',
    // Uvicorn writes the same if an application without such a handler crashes.
    matches: (clues) =>
      clues.header('server') === 'uvicorn' && clues.contentType === 'text/plain; charset=utf-8' && clues.text === reasonPhrase(clues),
  },
];

export const flask: readonly Fingerprint[] = [
  {
    product: 'Flask',
    writer: "Flask's error pages (Werkzeug)",
    source: 'pallets/werkzeug, src/werkzeug/exceptions.py',
    advice: 'Register @app.errorhandler(HTTPException) and write Error bodies there',
    matches: ({ text }) => /^<!doctype html>\s*<html lang=en>\s*<title>\d{3} /.test(text),
  },
];

// Frameworks of the JVM and of .NET.

const SPRING_SECURITY = 'no-cache, no-store, max-age=0, must-revalidate';

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
    matches: (clues) =>
      /^(?:type,)?(?:title,status,detail|detail,instance,status,title),?(?:instance)?/.test(clues.members) &&
      clues.members.split(',').includes('instance') &&
      ['', 'about:blank'].includes(textMember(clues, 'type')),
  },
  {
    product: 'Spring Boot',
    writer: "Spring Security's entry point",
    source: 'spring-projects/spring-security, HttpStatusEntryPoint.java and CacheControlHeadersWriter.java',
    advice: 'Give exceptionHandling an authenticationEntryPoint and an accessDeniedHandler that write Error bodies',
    matches: ({ status, text, header }) =>
      [401, 403].includes(status) && text === '' && header('cache-control') === SPRING_SECURITY && header('pragma') === 'no-cache',
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
    matches: (clues) => clues.members.startsWith('details,stack') && textMember(clues, 'details').startsWith('Error id '),
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

const PROBLEM_TYPES = /^https:\/\/tools\.ietf\.org\/html\/rfc(?:7231|7235|4918|9110)#section-/;

export const aspnet: readonly Fingerprint[] = [
  {
    product: 'ASP.NET Core',
    writer: "ASP.NET Core's validation of models",
    source: 'dotnet/aspnetcore, src/Mvc/Mvc.Core/src/ApiBehaviorOptions.cs',
    advice:
      'With controllers set ApiBehaviorOptions.InvalidModelStateResponseFactory, elsewhere return Error bodies in place of ValidationProblem',
    matches: (clues) => textMember(clues, 'title') === 'One or more validation errors occurred.',
  },
  {
    product: 'ASP.NET Core',
    writer: "ASP.NET Core's ProblemDetails",
    source:
      'dotnet/aspnetcore, src/Shared/ProblemDetails/ProblemDetailsDefaults.cs and src/Mvc/Mvc.Core/src/ApiBehaviorOptions.cs; learn.microsoft.com, Handle errors in ASP.NET Core',
    advice:
      'Write Error bodies in an IExceptionHandler and in a handler that UseStatusCodePages is given; with controllers set ApiBehaviorOptions.SuppressMapClientErrors too',
    matches: (clues) => clues.members.startsWith('type,title,status') && PROBLEM_TYPES.test(textMember(clues, 'type')),
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

// Frameworks of Ruby and PHP.

export const rails: readonly Fingerprint[] = [
  {
    product: 'Rails',
    writer: "Rails's public exceptions",
    source: 'rails/rails, actionpack/lib/action_dispatch/middleware/public_exceptions.rb, show_exceptions.rb and debug_exceptions.rb',
    advice:
      'Set config.exceptions_app to an app that writes Error bodies, and config.consider_all_requests_local to false where bodies have traces',
    matches: ({ members, header }) =>
      (members === 'status,error' || members === 'status,error,exception,traces') && header('x-request-id') !== undefined,
  },
  {
    product: 'Rails',
    writer: "Rails's HTTP token authentication",
    source: 'rails/rails, actionpack/lib/action_controller/metal/http_authentication.rb',
    advice: 'Use authenticate_with_http_token and render the Error yourself, in place of authenticate_or_request_with_http_token',
    matches: ({ text }) => text.trim() === 'HTTP Token: Access denied.',
  },
];

function isLaravelValidation({ members, status, json }: WriterClues): boolean {
  return status === 422 && members === 'message,errors' && isRecord(json) && isRecord(json['errors']);
}

export const laravel: readonly Fingerprint[] = [
  {
    product: 'Laravel',
    writer: "Laravel's exception handler",
    source: 'laravel/framework, src/Illuminate/Foundation/Exceptions/Handler.php; laravel.com, Error Handling (Rendering Exceptions)',
    advice:
      'Render Error bodies in withExceptions of bootstrap/app.php (before Laravel 11 by renderable in register of App\\Exceptions\\Handler)',
    matches: (clues) =>
      textMember(clues, 'message') === 'Unauthenticated.' ||
      (clues.status === 500 && clues.members === 'message' && textMember(clues, 'message') === 'Server Error') ||
      isLaravelValidation(clues) ||
      clues.members === 'message,exception,file,line,trace' ||
      /^The route .+ could not be found\.$/.test(textMember(clues, 'message')),
  },
];

export const symfony: readonly Fingerprint[] = [
  {
    product: 'Symfony',
    writer: "Symfony's problem normalizer",
    source: 'symfony/symfony, src/Symfony/Component/Serializer/Normalizer/ProblemNormalizer.php; symfony.com, How to Customize Error Pages',
    advice: 'Write a normalizer for FlattenException, or a listener for kernel.exception that sets the response',
    matches: (clues) =>
      clues.members.startsWith('type,title,status') &&
      /^https:\/\/(?:tools\.ietf\.org\/html\/rfc2616#section-10|symfony\.com\/errors\/)/.test(textMember(clues, 'type')),
  },
];

// Frameworks of Go and Rust.

export const gin: readonly Fingerprint[] = [
  {
    product: 'gin',
    writer: "gin's router",
    source: 'gin-gonic/gin, gin.go (default404Body, default405Body)',
    advice: 'Set NoRoute and NoMethod, and HandleMethodNotAllowed to true',
    matches: ({ contentType, text }) => contentType === 'text/plain' && ['404 page not found', '405 method not allowed'].includes(text),
  },
  {
    product: 'gin',
    writer: "gin's BindJSON, which sets the media type of the 400 before the handler writes its body",
    source: 'gin-gonic/gin, context.go (MustBindWith, AbortWithError)',
    advice: 'Call ShouldBindJSON in place of BindJSON, and write the response yourself',
    matches: ({ status, contentType, text }) =>
      status === 400 &&
      contentType === 'text/plain; charset=utf-8' &&
      /Field validation for|json: cannot unmarshal|invalid character '|unexpected EOF|"EOF"/.test(text),
  },
];

/** The output of http.Error, and bodies derived from it; Go sends no Server header. */
function isGoError({ contentType, text, header }: WriterClues): boolean {
  return (
    header('x-content-type-options') === 'nosniff' &&
    header('server') === undefined &&
    contentType === 'text/plain; charset=utf-8' &&
    text.endsWith('\n')
  );
}

export const goNetHttp: readonly Fingerprint[] = [
  {
    product: 'Go net/http',
    writer: "Go's http.NotFound or the ServeMux (chi and Traefik use http.NotFound too)",
    source: 'golang/go, src/net/http/server.go (NotFound, Error, ServeMux.findHandler); go-chi/chi, mux.go (NotFoundHandler)',
    advice:
      'Write Error bodies in place of http.NotFound, and for what no route takes: for the ServeMux a handler of "/", for chi NotFound and MethodNotAllowed',
    matches: (clues) =>
      isGoError(clues) &&
      ((clues.status === 404 && clues.text.trimEnd() === '404 page not found') ||
        (clues.status === 405 && clues.text.trimEnd() === reasonPhrase(clues))),
  },
  {
    product: 'Go net/http',
    writer: "Go's http.Error",
    source: 'golang/go, src/net/http/server.go (Error)',
    advice: 'Replace http.Error, in handlers and middleware, by a function of your own that writes an Error body as application/json',
    matches: isGoError,
  },
];

/** KeyAuth of v4 and of v5, and echo-jwt. */
const ECHO_PHRASES = [
  ...['missing key in request header', 'invalid key in the request header', 'missing key'],
  ...['missing or malformed jwt', 'invalid or expired jwt'],
];

export const echo: readonly Fingerprint[] = [
  {
    product: 'Echo',
    writer: "Echo's default HTTP error handler",
    source: 'labstack/echo, echo.go (DefaultHTTPErrorHandler), json.go and middleware/key_auth.go; labstack/echo-jwt, jwt.go',
    advice: 'Set e.HTTPErrorHandler to a function that writes Error bodies',
    // Its encoder ends a body with a line feed, unlike the gateways that write the same member.
    matches: (clues) =>
      clues.members === 'message' &&
      clues.text.endsWith('\n') &&
      [...ECHO_PHRASES, reasonPhrase(clues)].includes(textMember(clues, 'message')),
  },
];

const AXUM_PHRASES = [
  'Failed to parse the request body as JSON',
  'Failed to deserialize the JSON body into the target type',
  'Expected request with `Content-Type: application/json`',
  'Failed to deserialize query string',
  'Invalid URL: Cannot parse ',
];

export const axum: readonly Fingerprint[] = [
  {
    product: 'axum',
    writer: "axum's extractor rejections",
    source: 'tokio-rs/axum, axum/src/extract/rejection.rs and axum/src/extract/path/mod.rs',
    advice:
      'Wrap the extractors (WithRejection of axum-extra, or #[from_request(via(...), rejection(...))]), and return 400 with an Error body',
    validates: true,
    matches: ({ contentType, text }) => contentType.startsWith('text/plain') && AXUM_PHRASES.some((phrase) => text.startsWith(phrase)),
  },
];

const ACTIX_PHRASES = [
  'Json deserialize error: ',
  'Query deserialize error: ',
  'Path deserialize error: ',
  'Content type error',
  'can not parse ',
];

export const actix: readonly Fingerprint[] = [
  {
    product: 'Actix Web',
    writer: "Actix Web's extractor errors",
    source: 'actix/actix-web, actix-web/src/error/mod.rs and actix-router/src/de.rs',
    advice: 'Set error_handler on JsonConfig, QueryConfig and PathConfig, and default_service for what no route takes',
    matches: ({ contentType, text }) => contentType.startsWith('text/plain') && ACTIX_PHRASES.some((phrase) => text.startsWith(phrase)),
  },
];

export const reasonPhraseAlone: readonly Fingerprint[] = [
  {
    product: undefined,
    writer: 'a framework that sends the reason phrase alone',
    source: 'koajs/koa, lib/context.js (onerror) and lib/application.js (respond), and others',
    advice: 'Write Error bodies in the outermost handler or middleware, for what others throw and for a missing route',
    matches: (clues) => clues.contentType === 'text/plain; charset=utf-8' && clues.text === reasonPhrase(clues),
  },
];
