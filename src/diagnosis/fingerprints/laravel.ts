import type { Fingerprint } from './fingerprint.ts';
import { isRecord, type Traces, textMember } from './traces.ts';

function isValidation({ members, status, json }: Traces): boolean {
  return status === 422 && members === 'message,errors' && isRecord(json) && isRecord(json['errors']);
}

export const laravel: readonly Fingerprint[] = [
  {
    product: 'Laravel',
    writer: "Laravel's exception handler",
    source: 'laravel/framework, src/Illuminate/Foundation/Exceptions/Handler.php',
    advice: 'Render Error bodies in withExceptions of bootstrap/app.php (register or render of the Handler before Laravel 11)',
    matches: (traces) =>
      textMember(traces, 'message') === 'Unauthenticated.' ||
      isValidation(traces) ||
      traces.members === 'message,exception,file,line,trace' ||
      /^The route .+ could not be found\.$/.test(textMember(traces, 'message')),
  },
];
