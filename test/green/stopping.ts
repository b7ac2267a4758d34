import { KEY } from '../../proof/judge-reference.ts';
import { type Attacker, conformingUntil, message } from '../hostile/attacker.ts';

const errorOf = (status: number): string => JSON.stringify({ code: 'stopped', message: 'Not any more', status });
const PAGE = '<!doctype html><title>Welcome</title>';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const HTML_TYPE = 'Content-Type: text/html\r\n';
const LATER = 'Retry-After: 3600\r\n';

/** Ways in which a service stops conforming: the complete response to any request; undefined for none at all. */
export const WAYS = {
  'asks to wait': message('503 Unavailable', errorOf(503), JSON_TYPE + LATER),
  'asks to wait with a page': message('503 Unavailable', PAGE, HTML_TYPE + LATER),
  'asks to come back at once with a page': message('503 Unavailable', PAGE, `${HTML_TYPE}Retry-After: 0\r\n`),
  'is unavailable': message('503 Unavailable', errorOf(503)),
  'limits the rate': message('429 Too Many Requests', errorOf(429), JSON_TYPE + LATER),
  'forbids everything': message('403 Forbidden', errorOf(403)),
  'rejects every key': message('401 Unauthorized', errorOf(401)),
  'finds nothing': message('404 Not Found', errorOf(404)),
  'shows a page': message('200 OK', PAGE, HTML_TYPE),
  redirects: message('302 Found', '', 'Location: /elsewhere\r\n'),
  'shows an empty list': message('200 OK', '[]'),
  'is silent': undefined,
} as const;
export type Way = keyof typeof WAYS;

/** A conforming server that stops conforming after that many requests, whatever they are. */
export function stoppingAfter(requests: number, way: Way): Promise<Attacker> {
  const response = WAYS[way];
  let seen = 0;
  return conformingUntil(
    ({ socket }, genuine) => {
      seen += 1;
      if (seen <= requests) genuine();
      else if (response !== undefined) socket.write(response);
    },
    { apiKey: KEY, seedAnimals: 8 },
  );
}
