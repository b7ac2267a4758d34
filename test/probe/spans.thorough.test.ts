import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { end, listening, startMonitor, startTarget, until } from './running-monitor.ts';
import { KEY } from './samples.ts';

type Value = { readonly stringValue?: string; readonly intValue?: number };
type Attributes = readonly { readonly key: string; readonly value: Value }[];
type Span = {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly status: { readonly code: number; readonly message?: string };
};
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
};

/** A collector of OTLP over HTTP with JSON. */
async function startCollector(status = 200) {
  const exports: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Export }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    exports.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as Export });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  const port = await listening(server);
  onTestFinished(() => server.closeAllConnections());
  const spans = (): readonly Span[] =>
    exports.flatMap(({ body }) => body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  return { url: `http://127.0.0.1:${port}`, exports, spans };
}

const attribute = (attributes: Attributes, key: string): string | number | undefined => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};
const verdictOf = ({ attributes }: Span): unknown => attribute(attributes, 'petstore.verdict');

const configOf = (baseUrl: string): string => `server: { port: 0 }
modules: { lists: { only: [list-pets] } }
targets:
  - { name: production, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 3s, latencyLimit: 10s }
`;

test('Runs are exported as spans according to the OpenTelemetry variables, the last of them when the monitor stops.', async () => {
  const [collector, target] = [await startCollector(), await startTarget()];
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop',
    OTEL_SERVICE_NAME: 'probe-of-the-shop',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  };
  const monitor = await startMonitor(configOf(target.baseUrl), ownFolder(), [], { env });
  await until('a run that passed', () => collector.spans().some((span) => verdictOf(span) === 'pass'), { details: monitor.output });
  const [first] = collector.exports;
  expect(first).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'shop' } });
  const resource = first?.body.resourceSpans[0]?.resource.attributes ?? [];
  expect(attribute(resource, 'service.name')).toBe('probe-of-the-shop');
  expect(attribute(resource, 'deployment.environment.name')).toBe('test');
  const passed = collector.spans().find((span) => verdictOf(span) === 'pass');
  expect(passed).toMatchObject({ name: 'petstore probe', events: [] });
  expect(passed?.status.code).toBe(0);
  expect(Number(passed?.endTimeUnixNano)).toBeGreaterThan(Number(passed?.startTimeUnixNano));
  expect(attribute(passed?.attributes ?? [], 'petstore.requests')).toBeGreaterThan(10);

  target.set('nonsense');
  // The run that was cut off in the middle has failed without a broken clause.
  const failing = (): Span | undefined => collector.spans().find((span) => verdictOf(span) === 'fail' && span.events.length > 0);
  await until('a run that failed', () => failing() !== undefined, { details: monitor.output });
  expect(failing()?.status.code).toBe(2);
  expect(failing()?.events.map(({ name }) => name)).toContain('petstore.failure');
  expect(new Set(collector.spans().map(({ traceId }) => traceId)).size).toBe(collector.spans().length);

  await fetch(`${monitor.url}/probe?target=production&module=lists`);
  await end(monitor.child, 'SIGTERM');
  const asked = collector.spans().find(({ attributes }) => attribute(attributes, 'petstore.trigger') === 'probe');
  expect(attribute(asked?.attributes ?? [], 'petstore.module')).toBe('lists');
  const told = JSON.stringify(collector.exports);
  for (const unsaid of [KEY, new URL(target.baseUrl).host]) expect(told).not.toContain(unsaid);
});

test('A collector that accepts nothing is a problem on the page, and stops no run.', async () => {
  const [collector, target] = [await startCollector(400), await startTarget()];
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/custom` };
  const monitor = await startMonitor(configOf(target.baseUrl), ownFolder(), [], { env });
  await until('the problem is shown', async () => (await monitor.status()).problems.some((one) => /spans were not exported/.test(one)), {
    details: monitor.output,
  });
  expect(collector.exports[0]?.path).toBe('/custom');
  expect(await monitor.health()).toBe('up');
});

test('Without the OpenTelemetry packages, or with the export switched off, the monitor runs as usual.', async () => {
  const [collector, target] = [await startCollector(), await startTarget()];
  const folder = ownFolder();
  // As if they were not installed: Prometheus's client only brings the API.
  const hidden = `import { registerHooks } from 'node:module';
registerHooks({ resolve(name, context, next) {
  if (name.startsWith('@opentelemetry/') && name !== '@opentelemetry/api') throw Object.assign(new Error('hidden'), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
} });`;
  writeFileSync(join(folder, 'hidden.mjs'), hidden);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const missing = await startMonitor(configOf(target.baseUrl), folder, [], {
    env: { ...env, NODE_OPTIONS: `--import ${join(folder, 'hidden.mjs')}` },
  });
  expect(missing.output()).toContain('warning: OTEL_EXPORTER_OTLP_ENDPOINT is set, but no spans are exported');
  const off = await startMonitor(configOf(target.baseUrl), ownFolder(), [], { env: { ...env, OTEL_SDK_DISABLED: 'true' } });
  for (const monitor of [missing, off]) {
    await until('the target is up', async () => (await monitor.health()) === 'up', { details: monitor.output });
    await end(monitor.child, 'SIGTERM');
  }
  expect(off.output()).not.toContain('warning');
  expect(collector.exports).toEqual([]);
});
