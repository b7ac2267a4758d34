import { VERDICTS } from '../../clause/outcome.ts';
import { type RunGauge, writeGauges } from '../metrics/write-gauges.ts';
import { FAILURE_REASONS, type Phases, type Sample } from '../sample.ts';

/** The measured phases; a phase that was not measured has no sample, because 0 would say that it took no time. */
const PHASES = ['resolve', 'connect', 'tls'] as const satisfies readonly (keyof Phases)[];

/** The response of /probe: with the names of blackbox_exporter, so that rules and dashboards made for it work. The scraper adds targets. */
export function probeExposition(sample: Sample): string {
  const gauge = (name: string, help: string, samples: RunGauge['samples']): RunGauge => ({ name, help, samples });
  const one = (value: number): RunGauge['samples'] => [{ labels: {}, value }];
  const { verdict, reason, phases, certificateExpiry } = sample;
  return writeGauges([
    gauge('probe_success', 'Displays whether or not the probe was a success', one(verdict === 'pass' || verdict === 'degraded' ? 1 : 0)),
    gauge('probe_duration_seconds', 'Returns how long the probe took to complete in seconds', one(sample.duration / 1000)),
    gauge('probe_dns_lookup_time_seconds', 'Returns the time taken for probe dns lookup in seconds', one(phases.resolve ?? 0)),
    gauge('probe_http_status_code', 'HTTP status code of the first response', one(sample.httpStatus)),
    gauge('probe_http_ssl', 'Indicates if SSL was used', one(phases.tls === undefined ? 0 : 1)),
    gauge(
      'probe_http_duration_seconds',
      'Duration of http request by phase',
      PHASES.flatMap((phase) => (phases[phase] === undefined ? [] : [{ labels: { phase }, value: phases[phase] }])),
    ),
    gauge(
      'probe_ssl_earliest_cert_expiry',
      'Returns earliest SSL cert expiry in unixtime',
      certificateExpiry === undefined ? [] : one(certificateExpiry),
    ),
    gauge('petstore_probe_degraded', 'Whether the service responds, but is degraded', one(verdict === 'degraded' ? 1 : 0)),
    gauge('petstore_probe_unknown', "Whether the fault is the probe's own", one(verdict === 'unknown' ? 1 : 0)),
    gauge(
      'petstore_probe_failure',
      'Why the run failed',
      FAILURE_REASONS.map((name) => ({ labels: { reason: name }, value: verdict === 'fail' && reason === name ? 1 : 0 })),
    ),
    gauge(
      'petstore_probe_clauses',
      'Clauses of the run by verdict',
      VERDICTS.map((name) => ({ labels: { verdict: name }, value: sample.clauses[name] })),
    ),
  ]);
}

/** Milliseconds that a scrape leaves for the run: the header of Prometheus minus the time for the response, at most the target's own. */
export function deadlineOf(header: string | undefined, own: number): number {
  const seconds = Number(header);
  if (header === undefined || !Number.isFinite(seconds) || seconds <= 0) return own;
  const margin = Math.min(500, seconds * 200);
  return Math.max(100, Math.min(own, seconds * 1000 - margin));
}
