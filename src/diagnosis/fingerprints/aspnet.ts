import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

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
