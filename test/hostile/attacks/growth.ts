import { type Attack, conformingUntil, message, nowAndThen, pour, rawServer } from '../attacker.ts';

const JSON_TYPE = 'Content-Type: application/json\r\n';
const HEAD = `HTTP/1.1 200 OK\r\n${JSON_TYPE}`;

const petOf = (id: string, more = ''): string => `{"id":${id},"name":"rex","categoryId":1,"status":"sold"${more}}`;

const LONG = 50_000;
/** Header values for which patterns with nested repetitions would take practically unlimited time. */
const SLOW_VALUES = [
  `Deprecation: @${'9'.repeat(LONG)}x`,
  `Sunset: ${'Sat, '.repeat(LONG / 5)}`,
  `Link: ${'<'.repeat(LONG)}`,
  `Link: <a>${';a="\\"'.repeat(LONG / 6)}`,
  `Content-Type: application/json${'; a="\\"'.repeat(LONG / 8)}`,
  `Content-Type: application/json${' '.repeat(LONG)};`,
  `WWW-Authenticate: Bearer ${'a="'.repeat(LONG / 3)}`,
  `WWW-Authenticate: ${'Bearer,'.repeat(LONG / 7)}`,
  `Retry-After: ${'1 '.repeat(LONG / 2)}`,
  `Set-Cookie: ${'='.repeat(LONG)}`,
  `Set-Cookie: ${'a=;'.repeat(LONG / 3)}`,
  `Content-Encoding: ${'identity,'.repeat(LONG / 9)}`,
  `Server: ${'a.'.repeat(LONG / 2)}`,
];
const SLOW_BODIES = [
  '\n'.repeat(LONG),
  '\n ::'.repeat(LONG / 4),
  '","'.repeat(LONG / 3),
  '0x6b, '.repeat(LONG / 6),
  '%25'.repeat(LONG / 3),
  '\\'.repeat(LONG),
];

/** Servers whose responses cost more the longer they are processed. */
export const growth: readonly Attack[] = [
  {
    name: 'ids-for-ever-new',
    does: 'lists a hundred animals that nobody has seen before, whatever is asked, with ids of up to eighteen digits',
    exits: [1],
    names: /list\.|get\./,
    start() {
      let next = 10n ** 17n;
      return rawServer(({ socket, method, headers }) => {
        if (headers['authorization'] === undefined) socket.write(message('401 No', '{"code":"x","message":"y","status":401}'));
        else if (method === 'POST') socket.write(message('201 Created', petOf(String(next++))));
        else socket.write(message('200 OK', `[${Array.from({ length: 100 }, () => petOf(String(next++))).join(',')}]`));
      });
    },
  },
  {
    name: 'seven-hundred-headers',
    does: 'conforms, with seven hundred headers of its own in every response (within its rights)',
    exits: [0],
    names: /conformant/i,
    start() {
      const more = Array.from({ length: 700 }, (_unused, index) => `X-${index.toString(36)}-${'y'.repeat(8)}: z\r\n`).join('');
      return conformingUntil(({ socket }, genuine) => {
        const write = socket.write.bind(socket);
        socket.write = (bytes: unknown): boolean => {
          const [head = '', ...rest] = Buffer.from(bytes as Buffer)
            .toString('latin1')
            .split('\r\n\r\n');
          return write(Buffer.from(`${head}\r\n${more}\r\n${rest.join('\r\n\r\n')}`, 'latin1'));
        };
        genuine();
        socket.write = write;
      });
    },
  },
  {
    name: 'endless-chunk-extension',
    does: 'sends a chunk size whose extension has no end, which is neither header nor body',
    exits: [1, 3],
    names: /not valid HTTP|within 1000 ms|larger than/,
    start: () =>
      rawServer(({ socket }) => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2;`);
        pour(socket, 'a=b;'.repeat(10_000));
      }),
  },
  {
    name: 'endless-zeros-of-a-chunk-size',
    does: 'sends a chunk size of zeros without end',
    exits: [1, 3],
    names: /not valid HTTP|within 1000 ms|larger than/,
    start: () =>
      rawServer(({ socket }) => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
        pour(socket, '0'.repeat(40_000));
      }),
  },
  {
    name: 'hundred-interim-answers',
    does: 'conforms, with a hundred 100, 102 and 103 before each response (within its rights)',
    exits: [0],
    names: /conformant/i,
    start: () =>
      conformingUntil(({ socket }, genuine) => {
        for (const status of ['100 Continue', '102 Processing', '103 Early Hints']) socket.write(`HTTP/1.1 ${status}\r\n\r\n`.repeat(33));
        genuine();
      }),
  },
  {
    name: 'times-beyond-any-timer',
    does: 'conforms, and promises to keep connections for longer than a timer can count, or for less than nothing (within its rights)',
    exits: [0],
    names: /conformant/i,
    start() {
      const values = ['timeout=99999999999', 'timeout=-1', 'timeout=0, max=-1', `timeout=${'9'.repeat(400)}`, 'timeout=1e99, max=NaN'];
      return conformingUntil(({ socket, number }, genuine) => {
        const write = socket.write.bind(socket);
        socket.write = (bytes: unknown): boolean => {
          const text = Buffer.from(bytes as Buffer).toString('latin1');
          return write(
            Buffer.from(text.replace('\r\n', `\r\nConnection: keep-alive\r\nKeep-Alive: ${values[number % values.length]}\r\n`), 'latin1'),
          );
        };
        genuine();
        socket.write = write;
      });
    },
  },
  {
    name: 'waits-beyond-any-timer',
    does: 'asks to wait for longer than a timer can count, for less than nothing, and until dates that there are not',
    exits: [0, 3],
    names: /asked to wait/,
    start: () => {
      const values = [
        '99999999999',
        '4294967296',
        '-1',
        '1e99',
        '0x10',
        'NaN',
        '9'.repeat(500),
        'Sat, 01 Jan 275761 00:00:00 GMT',
        'Thu, 01 Jan 1970 00:00:00 GMT',
      ];
      let turn = 0;
      return conformingUntil(({ socket, number }, genuine) => {
        if (number < 20 || number % 40 !== 0) return genuine();
        turn += 1;
        socket.write(message('503 Later', '{}', `${JSON_TYPE}Retry-After: ${values[turn % values.length]}\r\n`));
      });
    },
  },
  {
    name: 'slow-to-read',
    does: 'has headers and bodies that careless patterns take for ever to read',
    exits: [1],
    names: /./,
    start: nowAndThen(
      ...SLOW_VALUES.map((line) => () => message('500 Oops', '{}', `${JSON_TYPE}${line}\r\n`)),
      ...SLOW_BODIES.map((body) => () => message('500 Oops', JSON.stringify({ code: body, message: body, status: 500 }))),
      ...SLOW_BODIES.map((body) => () => message('404 Oops', body, 'Content-Type: text/plain\r\n')),
    ),
  },
  {
    name: 'members-of-every-prototype',
    does: 'has members named __proto__, constructor, toString, then and so on, with values that a merge would spread, and one member in four thousand spellings',
    exits: [1],
    names: /./,
    start: nowAndThen(
      () =>
        message(
          '200 OK',
          `[{"id":1,"name":"rex","categoryId":1,"__proto__":{"id":2,"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"valueOf":2,"toJSON":3,"then":4,"hasOwnProperty":5,"length":-1,"":6,"a/b":7,"m~n":8,"~01":9}]`,
        ),
      () => message('500 Oops', '{"__proto__":{"code":"x","message":"y","status":500}}'),
      () => message('500 Oops', '{"code":{"toString":null},"message":["__proto__"],"status":{"valueOf":null,"toJSON":"x"}}'),
      () => message('200 OK', `[{${'"\\u0069d":1,"id":2,'.repeat(20_000)}"name":"rex","categoryId":1}]`),
      () => message('200 OK', `[{${Array.from({ length: 4_000 }, (_unused, at) => `"__proto__${at}":1`).join(',')}}]`),
    ),
  },
];
