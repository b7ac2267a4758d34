import type { ServerResponse } from 'node:http';
import type { Call, Patch, Reply } from '../../core/parts.ts';

/** Puts a reply on the wire in its own way. */
export type Wire = (reply: Reply, outgoing: ServerResponse) => void;

/** Puts the replies of which the condition holds on the wire in another way. */
export function onWire(condition: (call: Call, reply: Reply) => boolean, wire: Wire): Patch {
  return (parts) => ({
    send: (reply, outgoing, call) => (condition(call, reply) ? wire(reply, outgoing) : parts.send(reply, outgoing, call)),
  });
}
