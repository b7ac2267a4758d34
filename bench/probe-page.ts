import type { Machine, Measurement } from './measure.ts';
import type { BlackboxCost } from './probe-blackbox.ts';

/** The cost of a number of targets, and that of the exporter for the same requests. */
export type ProbeRow = {
  readonly probe: {
    readonly targets: number;
    readonly tls: boolean;
    readonly runs: number;
    readonly failed: number;
    readonly skipped: number;
    readonly requestsARun: number;
    readonly cpuMsARun: number;
    readonly atTheEnd: { readonly rss: number };
  };
  readonly blackbox: BlackboxCost | undefined;
};

const aRequest = (cpuMsARun: number, requests: number): number => cpuMsARun / Math.max(1, requests);

function cells(requests: number, { probe, blackbox }: ProbeRow): readonly (string | number)[] {
  const { targets, tls, runs, failed, skipped, requestsARun, cpuMsARun, atTheEnd } = probe;
  const own = aRequest(cpuMsARun, requestsARun);
  const ours = [targets, tls ? 'yes' : 'no', runs, failed, skipped, requestsARun, cpuMsARun, own.toFixed(2), atTheEnd.rss];
  if (blackbox === undefined) return [...ours, 'not installed', '', ''];
  const theirs = aRequest(blackbox.cpuMsARun, requests);
  return [...ours, theirs.toFixed(2), blackbox.rss, (own / Math.max(0.01, theirs)).toFixed(1)];
}

/** The page about the cost of the probe, compared with blackbox_exporter. `requests` are those of one run. */
export function probeMeasurement(rows: readonly ProbeRow[], requests: number, machine: Machine): Measurement {
  return {
    name: 'probe',
    title: 'What the probe costs',
    command: 'npm run bench:probe',
    about: [
      `A run of \`smoke\` sends ${requests} requests, and judges what comes back; runs of the monitor add the next requests of a plan (20 by default), which is measured here, too. blackbox_exporter asks for the URLs of a run of \`smoke\`, with the same methods and credentials, on the same service, in the same command; it looks at the status, and nothing else. What Prometheus takes to ask it is not counted. With TLS, both verify the certificate.`,
      'Processor time and memory are those of the monitor and of the exporter alone, after a warm-up. A single target runs each 2 s, 100 each 30 s, and 1,000 each 300 s, so about three runs a second at most: at 33 runs a second the code is warmer, and a run costs less. The exporter holds no history and serves no page; the monitor does both in the time that is shown. One process measures all rows of the monitor in turn, so its memory is at most what is shown.',
    ],
    machine,
    versions: { node: process.versions.node },
    tables: [
      {
        title: 'Processor time and memory',
        columns: [
          'targets',
          'TLS',
          'runs',
          'failed',
          'skipped',
          'requests a run',
          'CPU a run (ms)',
          'CPU a request (ms)',
          'memory (MB)',
          'blackbox: CPU a request (ms)',
          'blackbox: memory (MB)',
          'ratio a request',
        ],
        rows: rows.map((row) => cells(requests, row)),
        notes: [
          'The service has no fault. Failed runs mean that the machine was too busy, or the monitor too slow for so many targets: such a row is no basis for a comparison.',
        ],
      },
    ],
    figures: { requests, rows },
  };
}
