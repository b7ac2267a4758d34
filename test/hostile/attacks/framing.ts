import { type Attack, conformingUntil, connectionServer, message, rawServer } from '../attacker.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

function says(text: string, end = true): Attack['start'] {
  return () => rawServer(({ socket }) => (end ? socket.end(text) : socket.write(text)));
}

const PET = '{"id":1,"name":"rex","categoryId":1,"status":"sold"}';

/** A list of that many bytes, mostly spaces, each byte in a separate chunk. */
export function oneByteChunks(size: number): Buffer {
  const body = `[${PET}${' '.repeat(size - PET.length - 2)}]`;
  return Buffer.from(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${body.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`);
}

/** Servers that break the framing of HTTP. */
export const framing: readonly Attack[] = [
  {
    name: 'one-byte-chunks',
    does: 'responds to every twenty-fifth request with a list in a million chunks of one byte, with or without a key',
    exits: [1],
    names: /auth\.missing-credential/,
    start() {
      const pieces = oneByteChunks(1_000_000);
      return rawServer(({ socket, number }) => socket.write(number % 25 === 1 ? pieces : message('200 OK', `[${PET}]`)));
    },
  },
  {
    name: 'chunked-cut-off',
    does: 'closes in the middle of a chunked body',
    exits: [1],
    names: /connection was closed after \d+ bytes? of the body|not valid HTTP/,
    start: says(`${HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\n[`),
  },
  {
    name: 'chunk-size-of-nonsense',
    does: 'sends a chunk size that is no number',
    exits: [1],
    names: /not valid HTTP/,
    start: says(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n0\r\n\r\n`, false),
  },
  {
    name: 'content-length-too-large',
    does: 'closes before as many bytes came as announced',
    exits: [1],
    names: /connection was closed after 2 bytes of the body|not valid HTTP/,
    start: says(`${HEAD}Content-Length: 100\r\n\r\n[]`),
  },
  {
    name: 'content-length-too-small',
    does: 'sends more bytes than announced',
    exits: [1],
    names: /JSON|not valid HTTP|connection was closed/,
    start: says(`${HEAD}Content-Length: 1\r\n\r\n[{"id":1}]`, false),
  },
  {
    name: 'two-framings',
    does: 'sends Content-Length and Transfer-Encoding at once',
    exits: [1],
    names: /not valid HTTP/,
    start: says(`${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`, false),
  },
  {
    name: 'two-lengths',
    does: 'sends two Content-Lengths that differ',
    exits: [1],
    names: /not valid HTTP/,
    start: says(`${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]`, false),
  },
  {
    name: 'http-1-0-without-length',
    does: 'responds with HTTP/1.0 without a length and closes; the list is empty for ever',
    exits: [1, 3],
    names: /create\.success|list/,
    start: says('HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n[]'),
  },
  {
    name: 'garbage',
    does: 'speaks no HTTP at all',
    exits: [1],
    names: /not valid HTTP/,
    start: () => connectionServer((socket) => socket.write('SSH-2.0-OpenSSH_9.7\r\n')),
  },
  {
    name: 'random-bytes',
    does: 'sends bytes without meaning',
    exits: [1],
    names: /not valid HTTP/,
    start: () => rawServer(({ socket }) => socket.end(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10]))),
  },
  {
    name: 'header-with-nul',
    does: 'sends a header with a NUL in it',
    exits: [1],
    names: /not valid HTTP/,
    start: says(`${HEAD}X-Nul: a\0b\r\nContent-Length: 2\r\n\r\n[]`, false),
  },
  {
    name: 'header-named-proto',
    does: 'sends headers named __proto__ and constructor',
    exits: [1, 3],
    names: /./,
    start: says(`${HEAD}__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nContent-Length: 2\r\n\r\n[]`, false),
  },
  {
    name: 'answers-to-another-request',
    does: 'responds to each request with the response to the one before',
    exits: [1],
    names: /./,
    start: () => {
      let before = message('200 OK', '[]');
      return rawServer(({ socket, method, target }) => {
        socket.write(before);
        const pet = `{"id":${target.length},"name":"rex","categoryId":1}`;
        before = message(method === 'POST' ? '201 Created' : '200 OK', target.includes('/pets/') || method === 'POST' ? pet : `[${pet}]`);
      });
    },
  },
  {
    name: 'answers-twice',
    does: 'sends each response twice',
    exits: [1],
    names: /./,
    start: says(`${message('200 OK', '[{"id":1,"name":"rex","categoryId":1}]').toString().repeat(2)}`, false),
  },
  {
    name: 'answers-before-it-is-asked',
    does: 'sends a response as soon as somebody connects',
    exits: [1, 3],
    names: /not valid HTTP|connection was closed|create\./,
    start: () => connectionServer((socket) => socket.write(message('200 OK', '[]'))),
  },
  {
    name: 'speaks-http-2',
    does: 'speaks HTTP/2 from the first byte on',
    exits: [1, 3],
    names: /not valid HTTP/,
    start: () => connectionServer((socket) => socket.write(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]))),
  },
  {
    name: 'lengths-that-are-none',
    does: 'sends lengths with signs, lists, hexadecimal digits and more than any number holds, by turns',
    exits: [1],
    names: /not valid HTTP|connection was closed|within 1000 ms/,
    start: () => {
      const lengths = ['+2', '-2', '0x2', '2, 2', '2 2', '18446744073709551618', '9'.repeat(400), '', '2e0', '\u00b2'];
      return rawServer(({ socket, number }) =>
        socket.end(Buffer.from(`${HEAD}Content-Length: ${lengths[number % lengths.length]}\r\n\r\n[]`, 'latin1')),
      );
    },
  },
  {
    name: 'an-answer-too-many',
    does: 'conforms, and sends a response that nobody asked for behind every ninth (nothing that was asked for is wrong)',
    exits: [0],
    names: /sent a response that no request had asked for/,
    start: () =>
      conformingUntil((request, genuine) => {
        const { socket } = request;
        if (request.number % 9 !== 0) return genuine();
        const write = socket.write.bind(socket);
        const stray = message('200 OK', '{"id":424242,"name":"stray","categoryId":1,"status":"sold"}');
        socket.write = (bytes: unknown): boolean => {
          socket.write = write;
          return write(Buffer.concat([bytes as Buffer, stray]));
        };
        genuine();
      }),
  },
  {
    name: 'swaps-answers-in-flight',
    does: 'conforms, but responds to every fifth read with an animal that nobody asked for',
    exits: [1],
    names: /get\./,
    start: () =>
      conformingUntil((request, genuine) => {
        const stray = message('200 OK', '{"id":424242,"name":"stray","categoryId":1,"status":"sold"}');
        if (request.target.includes('/pets/') && request.headers['authorization'] !== undefined && request.number % 5 === 0)
          request.socket.write(stray);
        else genuine();
      }),
  },
];
