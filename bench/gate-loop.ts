import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import type { Recorded } from './gate-service.ts';

/**
 * The lower bound for a run in bench/gate.ts: the same requests in the same order, sent only by undici, with the same concurrency.
 * `gate-loop.ts FILE ORIGIN CONCURRENCY`; prints the milliseconds of the loop.
 */
const [file = '', origin = '', concurrency = '8'] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
/** Headers that undici adds itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

function headersOf(raw: readonly string[]): string[] {
  const pairs = Array.from({ length: raw.length / 2 }, (_unused, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''] as const);
  return pairs.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())).flat();
}

const dispatcher = new Agent({ connections: Number(concurrency), pipelining: 1 });
const begin = performance.now();
let next = 0;
async function work(): Promise<void> {
  for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
    const { method, path, headers, body } = one;
    const bytes = body === '' ? null : Buffer.from(body, 'latin1');
    const response = await request(`${origin}${path}`, { dispatcher, method, headers: headersOf(headers), body: bytes });
    await response.body.text();
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, work));
console.log(Math.round((performance.now() - begin) * 10) / 10);
await dispatcher.close();
