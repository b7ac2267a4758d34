import { withoutHeaders } from '../../core/headers.ts';
import { faultsOf } from '../fault.ts';

/** A removal that is not announced where it should be, or where it should not. */
export const deprecationAnnounced = faultsOf('deprecation.announced', {
  'deprecation-not-announced': [
    'getPet does not announce its removal.',
    (parts) => ({ headers: (given, reply, call) => withoutHeaders(parts.headers(given, reply, call), ['deprecation', 'sunset']) }),
  ],
  'deprecation-on-every-operation': [
    'Every operation is announced as deprecated.',
    (parts) => ({ headers: (given, reply, call) => parts.headers(given, reply, { ...call, operation: 'getPet' }) }),
  ],
});
