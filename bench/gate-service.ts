import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { startReference } from '../proof/server.ts';

/** The options of the judged service in bench/gate.ts, as JSON in SERVICE. */
export type ServiceOptions = {
  readonly apiKey: string;
  readonly seedAnimals: number;
  readonly faults: readonly string[];
  /** Milliseconds that each request needs to reach the service. */
  readonly latency: number;
};

/** A request as it arrived, for the bare loop to repeat. */
export type Recorded = {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
};

/** What the service has received since the last query. `firstAt` is in milliseconds of the wall clock. */
export type Seen = { readonly requests: readonly Recorded[]; readonly firstAt: number };

const seen: (Omit<Recorded, 'body'> & { readonly chunks: Buffer[] })[] = [];
let firstAt = 0;

/** Records what arrives without reading it: the body is copied while node:http passes it on. */
function record(request: IncomingMessage): void {
  if (firstAt === 0) firstAt = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  seen.push({ method: request.method ?? 'GET', path: request.url ?? '/', headers: request.rawHeaders, chunks });
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk !== null) chunks.push(Buffer.from(chunk));
    return push(chunk, encoding);
  };
}

subscribe('http.server.request.start', (message) => record((message as { readonly request: IncomingMessage }).request));

/** A port in front of the service that passes everything on, requests only after the latency. */
async function delayed(port: number, latency: number): Promise<number> {
  const relay = createServer((client) => {
    const service = connect(port, '127.0.0.1');
    client.on('data', (chunk) => void setTimeout(() => service.write(chunk), latency));
    client.on('end', () => void setTimeout(() => service.end(), latency));
    service.on('data', (chunk) => void client.write(chunk));
    service.on('end', () => void client.end());
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => void setTimeout(() => other.destroy(), latency));
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  return (relay.address() as AddressInfo).port;
}

const { latency, ...options } = JSON.parse(process.env['SERVICE'] ?? '{}') as ServiceOptions;
const server = await startReference(options);
const baseUrl = latency === 0 ? server.baseUrl : server.baseUrl.replace(`:${server.port}`, `:${await delayed(server.port, latency)}`);
process.on('message', () => {
  const requests = seen.splice(0).map(({ chunks, ...rest }) => ({ ...rest, body: Buffer.concat(chunks).toString('latin1') }));
  process.send?.({ requests, firstAt } satisfies Seen);
});
process.send?.({ baseUrl });
