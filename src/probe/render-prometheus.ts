import { VERDICTS } from '../clause/outcome.ts';
import { PREFIX } from './metrics/families.ts';
import { type RunGauge, writeGauges } from './metrics/write-gauges.ts';
import { FAILURE_REASONS, PROBE_VERDICTS, type Sample } from './sample.ts';

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
  ]);
}
