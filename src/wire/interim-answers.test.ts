import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { skipInterimAnswers } from './interim-answers.ts';

const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n';

/** Everything that is read from a connection on which these pieces arrive one by one. */
async function readAll(pieces: readonly string[]): Promise<string> {
  const socket = new PassThrough();
  const arrive = socket.write.bind(socket);
  skipInterimAnswers(socket);
  let text = '';
  for (const piece of pieces) {
    arrive(piece);
    await new Promise((resolve) => setImmediate(resolve));
    for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) text += chunk.toString();
  }
  return text;
}

describe('a connection', () => {
  test.each([
    ['none', FINAL, FINAL],
    ['100', CONTINUE + FINAL, FINAL],
    ['100 without a reason', `HTTP/1.1 100\r\n\r\n${FINAL}`, FINAL],
    ['many of several kinds', CONTINUE + HINTS + HINTS + CONTINUE + FINAL, FINAL],
    ['101, which is final', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['garbage that is shorter than a status line', '\0\x01\r\n\r\n', '\0\x01\r\n\r\n'],
    ['garbage, which is for the parser', 'HTTP/9 100 what is this', 'HTTP/9 100 what is this'],
    ['a body that looks like one', `${FINAL}${CONTINUE}`, `${FINAL}${CONTINUE}`],
  ])('is read without its interim answers: %s', async (_name, wire, wanted) => {
    expect(await readAll([wire])).toBe(wanted);
    expect(await readAll([...wire])).toBe(wanted);
    for (let at = 1; at < wire.length; at += 5) expect(await readAll([wire.slice(0, at), wire.slice(at)])).toBe(wanted);
  });

  test('is read with spaces for the tabs at the ends of field lines, and with its body as it is', async () => {
    const head = (space: string): string => `HTTP/1.1 200 OK\r\nX-A: a\tb\r\nContent-Length: 4${space}\r\n\r\n`;
    expect(await readAll([`${head('\t \t')}[1\t\r\n]`])).toBe(`${head('   ')}[1\t\r\n]`);
  });

  test('is read without them again when another request has been sent', () => {
    // Whatever is written into a PassThrough also arrives from it: each write is a request and its response.
    const socket = new PassThrough();
    skipInterimAnswers(socket);
    for (const interim of [CONTINUE, HINTS, '']) {
      socket.write(interim + FINAL);
      expect(String(socket.read())).toBe(FINAL);
    }
  });

  test('with an endless interim response is left to the parser', async () => {
    const endless = `HTTP/1.1 103 Early Hints\r\nX: ${'a'.repeat(70_000)}`;
    expect(await readAll([endless])).toBe(endless);
  });
});
