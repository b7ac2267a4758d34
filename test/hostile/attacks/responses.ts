import { type Attack, message, rawServer } from '../attacker.ts';

const ERROR = '{"code":"x","message":"y","status":500}';

function status(line: string, body = ERROR, headers?: string): Attack['start'] {
  return () => rawServer(({ socket }) => socket.write(message(line, body, headers)));
}

/** Servers that return impossible statuses, or redirect the client. */
export const statuses: readonly Attack[] = [
  { name: 'status-99', does: 'returns 099', exits: [1], names: /not valid HTTP|\b99\b/, start: status('099 Odd') },
  { name: 'status-999', does: 'returns 999', exits: [1, 3], names: /\b999\b/, start: status('999 Odd') },
  { name: 'status-1000', does: 'returns a status of four digits', exits: [1], names: /not valid HTTP/, start: status('1000 Odd') },
  { name: 'status-500', does: 'returns 500 for everything', exits: [1], names: /\b500\b/, start: status('500 Broken') },
  {
    name: 'status-204-with-body',
    does: 'returns 204 with a body',
    exits: [1],
    names: /\b204\b|not valid HTTP/,
    start: status('204 No Content', '[]'),
  },
  { name: 'status-304', does: 'returns 304 for everything', exits: [1], names: /\b304\b/, start: status('304 Not Modified', '') },
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
    does: 'returns 403 for everything',
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
  { name: 'empty-objects', does: 'returns 200 {} for everything', exits: [1], names: /list\.|record\./, start: status('200 OK', '{}') },
  { name: 'empty-lists', does: 'returns 200 [] for everything', exits: [1], names: /create\./, start: status('200 OK', '[]') },
];

const PET = '{"id":1,"name":"rex","categoryId":1,"status":"sold"}';

function body(make: () => string | Buffer): Attack['start'] {
  return () => {
    const bytes = message('200 OK', make());
    return rawServer(({ socket }) => socket.write(bytes));
  };
}

function attack(name: string, does: string, expected: { names: RegExp; exits?: Attack['exits']; body: () => string | Buffer }): Attack {
  return { name, does, exits: expected.exits ?? [1], names: expected.names, start: body(expected.body) };
}

const DEEP = 1e6;
const DIGITS = 1e6;

/** Servers with correct framing and wrong bodies. */
export const bodies: readonly Attack[] = [
  attack('invalid-utf-8', 'sends bytes that are not UTF-8', {
    names: /not UTF-8/,
    body: () => Buffer.from('[{"name":"\xff\xfe"}]', 'latin1'),
  }),
  attack('byte-order-mark', 'puts a byte order mark before the JSON', { names: /byte order mark/, body: () => `\ufeff[${PET}]` }),
  attack('utf-16', 'sends UTF-16 with its mark', { names: /UTF-16/, body: () => Buffer.from(`\ufeff[${PET}]`, 'utf16le') }),
  attack('utf-16-unmarked', 'sends UTF-16 without a mark', { names: /UTF-16/, body: () => Buffer.from(`[${PET}]`, 'utf16le') }),
  attack('deep-arrays', 'nests half a million arrays', {
    names: /nested more than 500 levels/,
    body: () => '['.repeat(DEEP / 2) + ']'.repeat(DEEP / 2),
  }),
  attack('deep-objects', 'nests a quarter of a million objects', {
    names: /nested more than 500 levels/,
    body: () => `${'{"a":'.repeat(DEEP / 4)}1${'}'.repeat(DEEP / 4)}`,
  }),
  attack('deep-in-a-valid-animal', 'nests a hundred thousand arrays in a member nobody asked for', {
    names: /nested more than 500 levels/,
    body: () => `[{"id":1,"name":"rex","categoryId":1,"extra":${'['.repeat(1e5)}${']'.repeat(1e5)}}]`,
  }),
  attack('million-digits', 'sends an id of a million digits', {
    names: /outside int64/,
    body: () => `[{"id":${'9'.repeat(DIGITS)},"name":"rex","categoryId":1}]`,
  }),
  attack('million-zeros', 'sends a fraction with a million zeros', {
    names: /integer/,
    body: () => `[{"id":1.${'0'.repeat(DIGITS)}1,"name":"rex","categoryId":1}]`,
  }),
  attack('huge-exponent', 'sends an id of 1e999999999', {
    names: /outside int64/,
    body: () => '[{"id":1e999999999,"name":"rex","categoryId":1}]',
  }),
  attack('duplicate-members', 'gives an animal two ids', {
    names: /"?id"?.*twice|twice.*id|duplicate/i,
    body: () => '[{"id":1,"id":2,"name":"rex","categoryId":1}]',
  }),
  attack('many-long-numbers', 'lists animals whose ids have a hundred thousand digits each', {
    exits: [3],
    names: /body is larger than/,
    body: () => `[${Array.from({ length: 30 }, () => `{"id":${'9'.repeat(1e5)},"name":"rex","categoryId":1}`).join(',')}]`,
  }),
  attack('lone-surrogates', 'has halves of characters in names and in the names of members, escaped and as bytes', {
    names: /not UTF-8|record\.pet|list\./,
    body: () => Buffer.from('[{"id":1,"name":"\\ud800","categoryId":1,"\\udfff":"\\udc00\\ud800","\xed\xa0\x80":1}]', 'latin1'),
  }),
  attack('escapes-to-backtrack-on', 'has tens of thousands of backslashes, quotes and entities that never end', {
    names: /./,
    body: () => `[{"id":1,"name":"${'\\\\'.repeat(1e4)}${'\\"'.repeat(5e3)}${'&#x'.repeat(5e3)}${'%'.repeat(5e3)}","categoryId":1}]`,
  }),
  attack('proto-member', 'sends a member named __proto__ instead of an id', {
    names: /no field "id"/,
    body: () => '[{"__proto__":{"id":1},"name":"rex","categoryId":1}]',
  }),
  attack('million-items', 'lists a million empty objects', {
    exits: [3],
    names: /body is larger than/,
    body: () => `[${'{},'.repeat(999_999)}{}]`,
  }),
  attack('many-empty-items', 'lists six hundred thousand empty objects, just below the bound of a body', {
    names: /more than 50000 members and items/,
    body: () => `[${'{},'.repeat(599_999)}{}]`,
  }),
  attack('many-valid-items', 'lists twelve thousand valid animals, whatever the limit', {
    names: /list\.limit|limit/,
    body: () => `[${Array.from({ length: 12_000 }, (_unused, id) => `{"id":${id},"name":"r","categoryId":1,"status":"sold"}`).join(',')}]`,
  }),
  attack('many-members', 'sends an object with a hundred and fifty thousand members', {
    names: /more than 50000 members and items/,
    body: () => `{${Array.from({ length: 150_000 }, (_unused, index) => `"m${index}":1`).join(',')}}`,
  }),
  attack('huge-name', 'has an animal with a name of 7 MB', {
    exits: [3],
    names: /./,
    body: () => `[{"id":1,"name":"${'\\u001b[2J'.repeat(780_000)}","categoryId":1}]`,
  }),
  attack('html', 'returns HTML for everything', {
    names: /HTML|text\/html/,
    body: () => '<!doctype html><h1>It works!</h1><script>alert(1)</script>',
  }),
  attack('terminal-controls', 'sends terminal control sequences as an error', {
    names: /./,
    body: () => '{"code":"\u001b]0;owned\u0007","message":"\u001b[2J\u202e","status":200}',
  }),
];
