import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { messageOf } from '../wire/wording.ts';
import { type SpanExport, type SpanExportOptions, spanAttributes, spanEvents } from './span-export.ts';

/** Milliseconds that a stop waits for a collector. */
const LAST_WORDS = 5_000;
const SPAN_NAME = 'petstore probe';

/** The exporter of OTLP over HTTP, which reads its own variables; its failures are reported. */
function createExporter(onProblem: (problem: string) => void): SpanExporter {
  const exporter = new OTLPTraceExporter();
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) onProblem(`${spans.length} spans were not exported: ${messageOf(result.error)}`);
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Waits for work, but not for long. */
async function withTimeout(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LAST_WORDS);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** The export of runs as spans, each a separate trace, configured by the environment variables of OpenTelemetry. */
export function openSpans(version: string, { onProblem, redact }: SpanExportOptions): SpanExport {
  const own = resourceFromAttributes({ 'service.name': 'petstore-conformance', 'service.version': version });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: createExporter(onProblem) })],
  });
  const tracer = provider.getTracer('petstore-conformance', version);
  return {
    add(run) {
      const { sample } = run;
      const span = tracer.startSpan(SPAN_NAME, {
        root: true,
        kind: SpanKind.INTERNAL,
        startTime: sample.at,
        attributes: spanAttributes(run),
      });
      const end = sample.at + sample.duration;
      for (const attributes of spanEvents(sample)) span.addEvent('petstore.failure', attributes, end);
      if (sample.verdict === 'fail' || sample.verdict === 'unknown')
        span.setStatus({ code: SpanStatusCode.ERROR, message: redact(sample.note) });
      span.end(end);
    },
    async stop() {
      await withTimeout(provider.shutdown().catch((error: unknown) => onProblem(`spans were not exported: ${messageOf(error)}`)));
    },
  };
}
