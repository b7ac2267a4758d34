import { faultsOf } from '../fault.ts';
import type { Wire } from '../helpers/wire.ts';
import { onWire } from '../helpers/wire.ts';

/** Framed by Node in chunks, whatever else the header names. */
function codedAs(codings: string): Wire {
  return ({ status, headers, body }, outgoing) => {
    outgoing.writeHead(status, { ...headers, 'transfer-encoding': codings });
    outgoing.end(body);
  };
}

/** Responses that lenient clients read and strict ones reject. */
export const mediaTransport = faultsOf('media.transport', {
  'list-chunked-twice': [
    'The list handler sets Transfer-Encoding itself, in addition to the HTTP library.',
    onWire((call) => call.operation === 'listPets', codedAs('chunked, chunked')),
  ],
  'coding-of-own': [
    'Responses to reads have a made-up transfer coding.',
    onWire((call) => call.operation === 'getPet', codedAs('cow, chunked')),
  ],
});
