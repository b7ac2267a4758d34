import { createServer } from 'node:net';
import { startReference } from '../src/reference/server.ts';

/** The service that bench/probe.ts asks, in a process of its own; a second port takes connections and never answers. */
const server = await startReference({ apiKey: process.env['KEY'] ?? '', seedAnimals: 30 });
const hung = createServer((socket) => socket.on('error', () => undefined));
hung.listen(0, '127.0.0.1', () => {
  const address = hung.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.send?.({ baseUrl: server.baseUrl, hungUrl: `http://127.0.0.1:${port}/v1` });
});
