// A single run as metrics: the textfile of `smoke`, and the response of /probe.

import { VERDICTS } from '../../clause/outcome.ts';
import { FAILURE_REASONS } from '../failure.ts';
import { type Phases, PROBE_VERDICTS, type Sample } from '../sample.ts';
import { PREFIX } from './metrics.ts';
import { writeExposition, writeLabels } from './registry.ts';

/**
 * One run as a textfile for node_exporter. Everything is a gauge, because the file describes only its last run; the time of that run is a
 * value, so that an alert can detect a cron job that no longer runs.
 */
export function renderPrometheus(sample: Sample, version: string): string {
  const target = sample.target;
  const gauge = (name: string, help: string, samples: RunGauge['samples']): RunGauge => ({ name: PREFIX + name, help, samples });
  const one = (value: number, labels: Record<string, string> = {}): RunGauge['samples'] => [{ labels: { target, ...labels }, value }];
  const bool = (value: boolean): number => (value ? 1 : 0);
  return writeGauges([
    gauge('build_info', 'Version of the probe.', [{ labels: { version }, value: 1 }]),
    gauge(
      'check_success',
      'Whether the last run passed (a degraded run is a success).',
      one(bool(sample.verdict === 'pass' || sample.verdict === 'degraded'), { check: 'smoke' }),
    ),
    gauge(
      'check_last_verdict',
      'The verdict of the last run.',
      PROBE_VERDICTS.map((verdict) => ({ labels: { target, check: 'smoke', verdict }, value: bool(sample.verdict === verdict) })),
    ),
    gauge(
      'check_last_failure',
      'Why the last run failed; all 0 if it passed.',
      FAILURE_REASONS.map((reason) => ({
        labels: { target, check: 'smoke', reason },
        value: bool(sample.verdict === 'fail' && sample.reason === reason),
      })),
    ),
    gauge('check_last_duration_seconds', 'Duration of the last run.', one(sample.duration / 1000, { check: 'smoke' })),
    gauge('check_last_run_timestamp_seconds', 'Start time of the last run.', one(sample.at / 1000, { check: 'smoke' })),
    gauge(
      'clauses',
      'Clauses by the verdict of the last run.',
      VERDICTS.map((verdict) => ({ labels: { target, verdict }, value: sample.clauses[verdict] })),
    ),
    gauge(
      'http_responses',
      'Responses of the last run.',
      sample.responses.map(({ operation, code, count }) => ({ labels: { target, operation, code }, value: count })),
    ),
    gauge(
      'tls_certificate_expiry_timestamp_seconds',
      'Earliest expiry in the certificate chain of the service.',
      sample.certificateExpiry === undefined ? [] : one(sample.certificateExpiry),
    ),
    gauge(
      'tls_client_certificate_expiry_timestamp_seconds',
      'Earliest expiry in the client certificate that the probe presents.',
      sample.clientCertificateExpiry === undefined ? [] : one(sample.clientCertificateExpiry),
    ),
  ]);
}

/** The measured phases; a phase that was not measured has no sample, because 0 would say that it took no time. */
const PHASES = ['resolve', 'connect', 'tls'] as const satisfies readonly (keyof Phases)[];

/** The response of /probe: with the names of blackbox_exporter, so that rules and dashboards made for it work. The scraper adds targets. */
export function probeExposition(sample: Sample): string {
  const gauge = (name: string, help: string, samples: RunGauge['samples']): RunGauge => ({ name, help, samples });
  const one = (value: number): RunGauge['samples'] => [{ labels: {}, value }];
  const { verdict, reason, phases, certificateExpiry, clientCertificateExpiry } = sample;
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
    gauge(
      'petstore_probe_client_cert_expiry',
      'Earliest expiry in the client certificate that the probe presents, in unixtime',
      clientCertificateExpiry === undefined ? [] : one(clientCertificateExpiry),
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

type RunGauge = {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
};

/**
 * The text of a single run, in which everything is a gauge. A gauge without values is left out: nothing was measured, and no later scrape
 * adds it.
 */
function writeGauges(gauges: readonly RunGauge[]): string {
  return writeExposition(
    gauges
      .filter(({ samples }) => samples.length > 0)
      .map(({ name, help, samples }) => ({
        name,
        help,
        type: 'gauge',
        samples: samples.map(({ labels, value }) => ({ labels: writeLabels(Object.entries(labels)), value })),
      })),
  );
}
