import type { Socket } from 'node:net';
import type { Attack } from '../attack.ts';
import { conformingUntil } from '../forward.ts';
import { connectionServer, rawServer } from '../raw-server.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';
const CLOSED = /connection was closed|not valid HTTP/;

const reset = (socket: Socket): void => void socket.resetAndDestroy();

/** Servers that drop connections. */
export const connections: readonly Attack[] = [
  {
    name: 'reset-at-connect',
    does: 'resets each connection as it comes',
    exits: [1, 3],
    names: CLOSED,
    start: () => connectionServer(reset),
  },
  {
    name: 'close-at-connect',
    does: 'closes each connection as it comes',
    exits: [1, 3],
    names: CLOSED,
    start: () => connectionServer((socket) => socket.end()),
  },
  {
    name: 'reset-at-request',
    does: 'resets when a request has come',
    exits: [1],
    names: CLOSED,
    start: () => rawServer(({ socket }) => reset(socket)),
  },
  {
    name: 'reset-in-headers',
    does: 'resets in the middle of the headers',
    exits: [1],
    names: CLOSED,
    start: () => rawServer(({ socket }) => void socket.write(HEAD, () => reset(socket))),
  },
  {
    name: 'reset-in-body',
    does: 'resets in the middle of the body',
    exits: [1],
    names: CLOSED,
    start: () => rawServer(({ socket }) => void socket.write(`${HEAD}\r\n[`, () => reset(socket))),
  },
  {
    name: 'drops-every-tenth-request',
    does: 'conforms, but resets on every tenth request',
    exits: [1],
    names: /errors\.answers[\s\S]*connection was closed/,
    start: () => conformingUntil((request, genuine) => (request.number % 10 === 0 ? reset(request.socket) : genuine())),
  },
  {
    name: 'closes-every-second-use',
    does: 'conforms, but closes a kept connection instead of answering its second request (within its rights for reads)',
    exits: [0],
    names: /Reads repeated because the service had closed a kept-alive connection: \d+/,
    start: () => conformingUntil((request, genuine) => (request.onConnection % 2 === 0 ? request.socket.destroy() : genuine())),
  },
  {
    name: 'loses-every-post-answer',
    does: 'conforms, stores each POST and drops its answer',
    exits: [1],
    names: /errors\.answers/,
    start: () =>
      conformingUntil((request, genuine) => {
        if (request.method !== 'POST') return genuine();
        request.socket.write = () => {
          request.socket.destroy();
          return true;
        };
        genuine();
      }),
  },
];
