import type { SmokeResult } from './create-smoke.ts';

const MOST_LISTED = 10;

/** A run in a few lines, for a heartbeat body or a log: no URL, no body, no key. */
export function summarize({ sample, run }: SmokeResult): string {
  const head = `${sample.target}: ${sample.verdict} in ${Math.round(sample.duration)} ms, ${sample.requests} requests`;
  const failures = sample.failures.slice(0, MOST_LISTED).map(({ clause, level, summary }) => `- ${clause} (${level}): ${summary}`);
  const unjudged = (run?.record.checks ?? []).filter(({ verdict, kind }) => verdict === 'inconclusive' && kind === 'check');
  const missing = [...new Set(unjudged.map(({ note }) => note))].slice(0, MOST_LISTED).map((note) => `- not judged: ${note}`);
  return [head, sample.note, ...failures, ...missing].join('\n');
}
