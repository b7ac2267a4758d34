import { type Attack, type Attacker, conformingUntil, message, type RawRequest, rawServer } from '../attacker.ts';

type Way = (elsewhere: string, request: RawRequest) => string | Buffer;

const JSON_TYPE = 'Content-Type: application/json\r\n';
const redirect =
  (status: number): Way =>
  (elsewhere, { target }) =>
    message(`${status} Moved`, '', `Location: ${elsewhere}${target}\r\n`);

const WAYS: readonly Way[] = [
  ...[300, 301, 302, 303, 305, 307, 308].map(redirect),
  (elsewhere) => message('300 Choices', '[]', `${JSON_TYPE}Refresh: 0; url=${elsewhere}\r\n`),
  (elsewhere) =>
    message(
      '200 OK',
      '[]',
      `${JSON_TYPE}Alt-Svc: h2="${new URL(elsewhere).host}"\r\nContent-Location: ${elsewhere}\r\nLink: <${elsewhere}>; rel=next\r\n`,
    ),
  (elsewhere) => message('201 Created', '{}', `${JSON_TYPE}Location: ${elsewhere}/pets/1\r\n`),
  () => message('302 Found', '', 'Location: file:///etc/passwd\r\n'),
  () => message('302 Found', '', 'Location: data:application/json,[]\r\n'),
  (_elsewhere, { target }) => message('307 Again', '', `Location: //169.254.169.254${target}\r\n`),
];

/** A conforming server that redirects some requests, and records who followed. */
async function sending(ways: readonly Way[]): Promise<Attacker> {
  const arrived: string[] = [];
  const bait = await rawServer(({ socket, target }) => {
    arrived.push(target);
    socket.write(message('200 OK', '[]'));
  });
  let turn = 0;
  const front = await conformingUntil((request, genuine) => {
    if (request.number < 20 || request.number % 3 !== 0) return genuine();
    turn += 1;
    request.socket.write(ways[turn % ways.length]?.(bait.baseUrl.replace('/v1', ''), request) ?? '');
  });
  return {
    baseUrl: front.baseUrl,
    misdeeds: () => arrived.map((target) => `went elsewhere: ${target}`),
    close: async () => {
      await front.close();
      await bait.close();
    },
  };
}

async function withCookies(): Promise<Attacker> {
  const returned: string[] = [];
  const front = await rawServer(({ socket, headers, number }) => {
    // Whether the cookies of a service stand in for the API key is asked without it: nothing else takes them along.
    const { cookie, authorization } = headers;
    if (cookie?.includes('planted') === true && authorization !== undefined) returned.push(cookie);
    const cookies = `Set-Cookie: session=planted${number}; Path=/; Max-Age=99999\r\nSet-Cookie: __Host-a=planted\r\n`;
    socket.write(message('200 OK', '[]', `${JSON_TYPE}${cookies.repeat(5)}`));
  });
  return { ...front, misdeeds: () => returned.map((cookie) => `sent back a cookie: ${cookie}`) };
}

const IDS = [
  '../../admin',
  '1?limit=1',
  '1#x',
  '1\r\nX-Evil: 1\r\n',
  "1'; $(touch owned) #",
  '%2e%2e%2f',
  '1/../../secret',
  '\u{1f436}',
  '',
];

/** Shows ids that lead elsewhere if they are put into a path unescaped. */
async function withLeadingIds(): Promise<Attacker> {
  const strayed: string[] = [];
  const pets = IDS.map((id) => ({ id, name: 'rex', categoryId: 1, status: 'sold' }));
  const front = await rawServer(({ socket, method, target, headers }) => {
    const path = target.split('?')[0] ?? '';
    if (headers['x-evil'] !== undefined || /admin|secret/.test(path.replaceAll(/%2f/gi, ' '))) strayed.push(`${method} ${target}`);
    if (headers['authorization'] === undefined) socket.write(message('401 No', '{"code":"x","message":"y","status":401}'));
    else if (method === 'POST') socket.write(message('201 Created', JSON.stringify(pets[0])));
    else socket.write(message('200 OK', JSON.stringify(path.endsWith('/pets') ? pets : pets[1])));
  });
  return { ...front, misdeeds: () => strayed.filter((target) => !/%2F|%3F|%23/i.test(target)).map((target) => `strayed to ${target}`) };
}

/** Servers that redirect the client, or make it take something along. */
export const elsewhere: readonly Attack[] = [
  {
    name: 'sends-elsewhere',
    does: 'conforms, but sends every third request to another address, in thirteen ways',
    exits: [1],
    names: /\b30[1278]\b/,
    start: () => sending(WAYS),
  },
  {
    name: 'plants-cookies',
    does: 'sets ten cookies with every response and watches who brings them back',
    exits: [1],
    names: /create\./,
    start: withCookies,
  },
  {
    name: 'ids-that-lead-elsewhere',
    does: 'has ids that are paths, queries, headers and shell commands',
    exits: [1],
    names: /id is not|\/id|record\.pet/,
    start: withLeadingIds,
  },
];
