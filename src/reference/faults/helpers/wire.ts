import type { ServerResponse } from 'node:http';
import type { Call, Patch, Reply } from '../../core/parts.ts';

/** Writes a reply to the connection in its own way. */
export type Wire = (reply: Reply, outgoing: ServerResponse) => void;

/** Writes the replies that meet the condition in another way. */
export function onWire(condition: (call: Call, reply: Reply) => boolean, wire: Wire): Patch {
  return (parts) => ({
    send: (reply, outgoing, call) => (condition(call, reply) ? wire(reply, outgoing) : parts.send(reply, outgoing, call)),
  });
}
