import type { Fingerprint } from './fingerprint.ts';
import { isRecord, type Traces, textMember } from './traces.ts';

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
