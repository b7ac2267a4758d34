import type { Fingerprint } from './fingerprint.ts';

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
