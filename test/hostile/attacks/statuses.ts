import type { Attack } from '../attack.ts';
import { message, rawServer } from '../raw-server.ts';

const ERROR = '{"code":"x","message":"y","status":500}';

function status(line: string, body = ERROR, headers?: string): Attack['start'] {
  return () => rawServer(({ socket }) => socket.write(message(line, body, headers)));
}

/** Servers that return impossible statuses, or redirect the client. */
export const statuses: readonly Attack[] = [
  { name: 'status-99', does: 'answers 099', exits: [1], names: /not valid HTTP|\b99\b/, start: status('099 Odd') },
  { name: 'status-999', does: 'answers 999', exits: [1, 3], names: /\b999\b/, start: status('999 Odd') },
  { name: 'status-1000', does: 'answers a status of four digits', exits: [1], names: /not valid HTTP/, start: status('1000 Odd') },
  { name: 'status-500', does: 'answers 500 to everything', exits: [1], names: /\b500\b/, start: status('500 Broken') },
  {
    name: 'status-204-with-body',
    does: 'answers 204 with a body',
    exits: [1],
    names: /\b204\b|not valid HTTP/,
    start: status('204 No Content', '[]'),
  },
  { name: 'status-304', does: 'answers 304 to everything', exits: [1], names: /\b304\b/, start: status('304 Not Modified', '') },
  {
    name: 'status-101',
    does: 'switches protocols unasked',
    exits: [1, 3],
    names: /not valid HTTP|upgrade|within 1000 ms/i,
    start: status('101 Switching Protocols', '', 'Connection: upgrade\r\nUpgrade: x\r\n'),
  },
  {
    name: 'redirects-to-itself',
    does: 'redirects every request to itself',
    exits: [1],
    names: /\b302\b/,
    start: () => rawServer(({ socket, target }) => socket.write(message('302 Found', '', `Location: ${target}\r\n`))),
  },
  {
    name: 'redirects-to-a-file',
    does: 'redirects to file:',
    exits: [1],
    names: /\b301\b/,
    start: status('301 Moved', '', 'Location: file:///etc/passwd\r\n'),
  },
  {
    name: 'status-403',
    does: 'answers 403 to everything',
    exits: [1],
    names: /\b403\b/,
    start: status('403 No', ERROR.replace('500', '403')),
  },
  {
    name: 'status-426',
    does: 'asks for HTTP/2 with every response',
    exits: [1],
    names: /\b426\b/,
    start: status('426 Upgrade Required', '', 'Upgrade: h2c\r\nConnection: Upgrade\r\n'),
  },
  { name: 'empty-objects', does: 'answers 200 {} to everything', exits: [1], names: /list\.|record\./, start: status('200 OK', '{}') },
  { name: 'empty-lists', does: 'answers 200 [] to everything', exits: [1], names: /create\./, start: status('200 OK', '[]') },
];
