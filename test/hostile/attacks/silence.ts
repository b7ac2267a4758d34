import { type Attack, conformingUntil, connectionServer, drip, message, pour, rawServer } from '../attacker.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const DEADLINE = /no response from 127\.0\.0\.1 port \d+: connected, but no response within 1000 ms/;
const IN_BODY = /the response was not complete within 1000 ms: a 200 and \d+ bytes? of its body/;

/** Servers that never finish. */
export const silence: readonly Attack[] = [
  {
    name: 'accepts-and-never-answers',
    does: 'accepts connections and says nothing',
    exits: [3],
    names: DEADLINE,
    start: () => connectionServer((socket) => void socket.resume()),
  },
  {
    name: 'hangs-in-the-middle-of-the-run',
    does: 'conforms for thirty requests and says nothing from then on',
    exits: [1],
    names: /has ceased to answer: 5 transport failures in a row \(timeout\)|within 1000 ms/,
    start: () => conformingUntil((request, genuine) => (request.number <= 30 ? genuine() : undefined)),
  },
  {
    name: 'hangs-every-other-request',
    does: 'responds to every other request only',
    exits: [1],
    names: /no response within 1000 ms/,
    start: () => conformingUntil((request, genuine) => (request.number % 2 === 1 ? genuine() : undefined)),
  },
  {
    name: 'one-byte-at-a-time-in-headers',
    does: 'sends its headers byte by byte',
    exits: [3],
    names: DEADLINE,
    start: () => rawServer(({ socket }) => drip(socket, `${HEAD}Content-Length: 2\r\n\r\n[]`)),
  },
  {
    name: 'one-byte-at-a-time-in-body',
    does: 'sends its body byte by byte',
    exits: [3],
    names: IN_BODY,
    start: () =>
      rawServer(({ socket }) => {
        socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`);
        drip(socket, `[${' '.repeat(998)}]`);
      }),
  },
  {
    name: 'endless-headers',
    does: 'sends headers without end',
    exits: [1],
    names: /headers are larger than 64 KiB/,
    start: () =>
      rawServer(({ socket }) => {
        socket.write(HEAD);
        pour(socket, `X-Padding: ${'x'.repeat(1000)}\r\n`.repeat(10));
      }),
  },
  {
    name: 'endless-trailers',
    does: 'sends trailers without end behind a chunked body',
    exits: [1],
    names: /headers are larger than 64 KiB|within 1000 ms/,
    start: () =>
      rawServer(({ socket }) => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n`);
        pour(socket, `X-Padding: ${'x'.repeat(1000)}\r\n`.repeat(10));
      }),
  },
  {
    name: 'endless-informational-answers',
    does: 'sends 103 after 103 and never a final response',
    exits: [1, 3],
    names: /no response within 1000 ms|not valid HTTP/,
    start: () => rawServer(({ socket }) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50))),
  },
  {
    name: 'endless-body',
    does: 'sends a chunked body without end',
    exits: [3],
    names: /body is larger than \d+ bytes/,
    start: () =>
      rawServer(({ socket }) => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
        pour(socket, `10000\r\n${' '.repeat(0x10000)}\r\n`);
      }),
  },
  {
    name: 'endless-body-until-close',
    does: 'sends a body without a length and never closes',
    exits: [3],
    names: /body is larger than \d+ bytes/,
    start: () =>
      rawServer(({ socket }) => {
        socket.write(`${HEAD}Connection: close\r\n\r\n`);
        pour(socket, ' '.repeat(0x10000));
      }),
  },
  {
    name: 'gigabyte-body',
    does: 'announces and sends a body of 1 GB',
    exits: [3],
    names: /body is larger than \d+ bytes/,
    start: () =>
      rawServer(({ socket }) => {
        socket.write(`${HEAD}Content-Length: 1073741824\r\n\r\n`);
        pour(socket, ' '.repeat(0x10000));
      }),
  },
  {
    name: 'wants-to-be-asked-later',
    does: 'returns 429 with a long Retry-After for everything',
    exits: [3],
    names: /the service asked to wait \d+ times/,
    start: () =>
      rawServer(({ socket }) =>
        socket.write(message('429 Too Many Requests', '{}', 'Content-Type: application/json\r\nRetry-After: 3600\r\n')),
      ),
  },
];
