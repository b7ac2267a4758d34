import { toolVersion } from '../gate/own-package.ts';
import type { MonitorOptions } from '../probe/monitor.ts';
import type { Environment } from './option-spec.ts';

/** OpenTelemetry variables that name a collector. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const PACKAGES = 'api@1.10.0 exporter-trace-otlp-http@0.301.0 resources@3.1.0 sdk-trace@3.1.0'.split(' ');

type Opened = { readonly spans: NonNullable<MonitorOptions['spans']> | undefined; readonly warnings: readonly string[] };

/**
 * The export of runs as spans if the variables of this process name a collector. The packages are optional: missing ones are a warning,
 * because a cluster may set the variables for every container.
 */
export async function openSpanExport(variables: Environment): Promise<Opened> {
  const named = ENDPOINTS.find((name) => (variables[name] ?? '') !== '');
  const isOff = variables['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || variables['OTEL_TRACES_EXPORTER'] === 'none';
  if (named === undefined || isOff) return { spans: undefined, warnings: [] };
  try {
    const { openSpans } = await import('../probe/spans/open-spans.ts');
    return { spans: (options) => openSpans(toolVersion, options), warnings: [] };
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const install = `npm install ${PACKAGES.map((name) => `@opentelemetry/${name}`).join(' ')}`;
    const warning = `${named} is set, but no spans are exported, because the packages of OpenTelemetry are missing: "${install}", or set OTEL_SDK_DISABLED=true`;
    return { spans: undefined, warnings: [warning] };
  }
}
