// Frameworks of Ruby and PHP.
import type { Fingerprint } from './fingerprint.ts';
import { isRecord, type Traces, textMember } from './traces.ts';

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

function isValidation({ members, status, json }: Traces): boolean {
  return status === 422 && members === 'message,errors' && isRecord(json) && isRecord(json['errors']);
}

export const laravel: readonly Fingerprint[] = [
  {
    product: 'Laravel',
    writer: "Laravel's exception handler",
    source: 'laravel/framework, src/Illuminate/Foundation/Exceptions/Handler.php; laravel.com, Error Handling (Rendering Exceptions)',
    advice:
      'Render Error bodies in withExceptions of bootstrap/app.php (before Laravel 11 by renderable in register of App\\Exceptions\\Handler)',
    matches: (traces) =>
      textMember(traces, 'message') === 'Unauthenticated.' ||
      (traces.status === 500 && traces.members === 'message' && textMember(traces, 'message') === 'Server Error') ||
      isValidation(traces) ||
      traces.members === 'message,exception,file,line,trace' ||
      /^The route .+ could not be found\.$/.test(textMember(traces, 'message')),
  },
];

export const symfony: readonly Fingerprint[] = [
  {
    product: 'Symfony',
    writer: "Symfony's problem normalizer",
    source: 'symfony/symfony, src/Symfony/Component/Serializer/Normalizer/ProblemNormalizer.php; symfony.com, How to Customize Error Pages',
    advice: 'Write a normalizer for FlattenException, or a listener for kernel.exception that sets the response',
    matches: (traces) =>
      traces.members.startsWith('type,title,status') &&
      /^https:\/\/(?:tools\.ietf\.org\/html\/rfc2616#section-10|symfony\.com\/errors\/)/.test(textMember(traces, 'type')),
  },
];
