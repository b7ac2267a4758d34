import type { Attacker } from '../hostile/attack.ts';
import { conformingUntil } from '../hostile/forward.ts';
import { message } from '../hostile/raw-server.ts';

/** Ways in which a server returns the key to its sender. */
const ECHOES = [
  'error-message',
  'header',
  'member-name',
  'redirect',
  'animal-name',
  'status-line',
  'encodings',
  'dumps',
  'not-json',
  'broken-http',
] as const;
type Echo = (typeof ECHOES)[number];

function answer(echo: Echo, credential: string): Buffer | string {
  const key = credential.replace(/^Bearer /, '');
  const error = (text: string): string => JSON.stringify({ code: text, message: `unknown token ${text}`, status: 500 });
  switch (echo) {
    case 'error-message':
      return message('500 Oops', error(credential));
    case 'header':
      return message(
        '200 OK',
        '[]',
        `Content-Type: application/json\r\nX-Debug: ${credential}\r\nX-${key.replace(/[^\w]/g, '-')}: 1\r\nWWW-Authenticate: ${credential}\r\n`,
      );
    case 'member-name':
      return message('200 OK', JSON.stringify([{ [key]: key, id: key }]));
    case 'redirect':
      return message('302 Found', '', `Location: http://elsewhere.example/?token=${encodeURIComponent(key)}\r\n`);
    case 'animal-name':
      return message('200 OK', JSON.stringify([{ id: 1, name: key, categoryId: 1, status: key }]));
    case 'status-line':
      return message(`599 ${key}`, key, `Content-Type: ${key}\r\n`);
    case 'encodings':
      return message(
        '500 Oops',
        error(
          [Buffer.from(credential).toString('base64'), Buffer.from(`user:${key}`).toString('base64url'), encodeURIComponent(key)].join(
            ' ',
          ) +
            key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;') +
            Buffer.from(key).toString('hex') +
            key.slice(3, 15),
        ),
      );
    case 'dumps': {
      const bytes = Array.from(Buffer.from(key), (byte) => byte.toString(16).padStart(2, '0'));
      const twice = Buffer.from(Buffer.from(credential).toString('base64')).toString('base64');
      return message('500 Oops', error([bytes.join(' '), bytes.join(':'), [...key].join(' '), [...key].join('.'), twice].join(' | ')));
    }
    case 'not-json':
      return message('200 OK', `${key} ${key}`);
    case 'broken-http':
      return `HTTP/1.1 ${key}\r\n${key}\r\n\r\n`;
    default:
      return echo satisfies never;
  }
}

/**
 * Conforms for the first requests, so that the run continues; from then on every third response echoes the key, each time in another way.
 */
export function echoingServer(apiKey: string): Promise<Attacker> {
  return conformingUntil(
    (request, genuine) => {
      const credential = request.headers['authorization'];
      const echo = ECHOES[Math.floor(request.number / 3) % ECHOES.length];
      if (credential === undefined || echo === undefined || request.number < 20 || request.number % 3 !== 0) genuine();
      else request.socket.write(answer(echo, credential));
    },
    { apiKey },
  );
}
