import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

const TYPES = /^https:\/\/tools\.ietf\.org\/html\/rfc(?:7231|7235|4918|9110)#section-/;

export const aspnet: readonly Fingerprint[] = [
  {
    product: 'ASP.NET Core',
    writer: "ASP.NET Core's validation of models",
    source: 'dotnet/aspnetcore, src/Mvc/Mvc.Core/src/ApiBehaviorOptions.cs',
    advice: 'Set ApiBehaviorOptions.InvalidModelStateResponseFactory',
    matches: (traces) => textMember(traces, 'title') === 'One or more validation errors occurred.',
  },
  {
    product: 'ASP.NET Core',
    writer: "ASP.NET Core's ProblemDetails",
    source: 'dotnet/aspnetcore, src/Shared/ProblemDetails/ProblemDetailsDefaults.cs',
    advice: 'Write Error bodies in an IExceptionHandler and with UseStatusCodePages, in place of AddProblemDetails',
    matches: (traces) => traces.members.startsWith('type,title,status') && TYPES.test(textMember(traces, 'type')),
  },
  {
    product: 'ASP.NET Core',
    writer: 'ASP.NET Core, which leaves errors without a body',
    source:
      'dotnet/aspnetcore, src/Servers/Kestrel/Core/src/Internal/Http/HttpProtocol.cs; learn.microsoft.com, Handle errors in ASP.NET Core',
    advice: 'Write Error bodies with UseStatusCodePages, and in OnChallenge of the authentication handler',
    matches: ({ text, header }) => text === '' && header('server') === 'Kestrel',
  },
];
