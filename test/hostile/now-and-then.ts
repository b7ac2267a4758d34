import type { Attack } from './attack.ts';
import { conformingUntil } from './forward.ts';
import type { RawRequest } from './raw-server.ts';

const CONFORMS_FOR = 20;
const EVERY = 3;

/** What a credential contains: the whole header, and the key alone. */
export type Credential = { readonly header: string; readonly key: string };
type Respond = (credential: Credential, request: RawRequest) => string | Buffer;

/**
 * Conforms for its first requests, so that the run continues, and from then on sends one of these responses, in turn, to every third
 * request with a credential. They need the credential, because they return it.
 */
export function nowAndThen(...responses: readonly Respond[]): Attack['start'] {
  return () => {
    let turn = 0;
    return conformingUntil((request, genuine) => {
      const header = request.headers['authorization'];
      if (header === undefined || request.number < CONFORMS_FOR || request.number % EVERY !== 0) return genuine();
      const respond = responses[turn % responses.length];
      turn += 1;
      if (respond !== undefined) request.socket.write(respond({ header, key: header.replace(/^Bearer /, '') }, request));
    });
  };
}
