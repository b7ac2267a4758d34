import { EXIT_CODES, type ExitCode } from '../clause/run-record.ts';
import { inertJson } from '../report/inert.ts';
import { count } from '../report/text.ts';
import { post } from '../wire/post.ts';
import { explainTransport } from '../wire/transport-failure.ts';
import { messageOf } from '../wire/wording.ts';
import { renderPrometheus } from './metrics/run-metrics.ts';
import type { SmokeFormat } from './sample.ts';
import { assessAlone, createSmoke, leftOpen, type SmokeOptions, type SmokeResult, type SmokeTarget } from './smoke.ts';

export type SmokeCommand = {
  readonly target: SmokeTarget;
  readonly reference: boolean;
  readonly strict: boolean;
  readonly now: Date | undefined;
  readonly today: Date;
  readonly format: SmokeFormat;
  /** For node_exporter's textfile collector. */
  readonly textfile: string | undefined;
  readonly pingUrl: string | undefined;
  readonly pingProxy: string | undefined;
  readonly version: string;
  readonly session?: NonNullable<SmokeOptions['session']>;
  readonly turn?: NonNullable<SmokeOptions['turn']>;
  readonly ownClauses?: NonNullable<SmokeOptions['ownClauses']>;
  /** Aborted with the name of the signal that ends the run. */
  readonly stop: AbortSignal;
  readonly notices?: readonly string[];
};

export type SmokeOutput = {
  readonly out: (text: string) => void;
  readonly err: (line: string) => void;
  readonly color: boolean;
  readonly width: number;
};

async function render(result: SmokeResult, command: SmokeCommand, output: SmokeOutput): Promise<string> {
  const { format, version } = command;
  if (format === 'prometheus') return renderPrometheus(result.sample, version);
  if (result.run === undefined) return format === 'json' ? `${inertJson(JSON.stringify(result.sample))}\n` : `${summarize(result)}\n`;
  const { record: judged } = result.run;
  const record = { ...judged, notices: [...judged.notices, ...(command.notices ?? [])] };
  // Each format is loaded on demand, so that a one-shot command starts fast.
  switch (format) {
    case 'text':
      return (await import('../report/render-terminal.ts')).renderTerminal(record, { color: output.color, width: output.width });
    case 'json':
      return (await import('../report/render-json.ts')).renderJson(record);
    case 'junit':
      return (await import('../report/render-junit.ts')).renderJunit(record);
    default:
      return format satisfies never;
  }
}

/** node_exporter runs as another user, and there is nothing secret in it. */
const FOR_EVERYBODY = 0o644;

async function writeTextfile(path: string, text: string): Promise<string | undefined> {
  const { writeAtomically } = await import('../report/write-reports.ts');
  return writeAtomically(path, text, { mode: FOR_EVERYBODY }).then(
    () => undefined,
    (error: unknown) => `could not write ${path}: ${messageOf(error)}`,
  );
}

/** A sample without a run is a failure of the suite. */
function exitCodeOf({ run }: SmokeResult): ExitCode {
  return run?.record.conclusion.exitCode ?? EXIT_CODES.unjudged;
}

/** Judges once, with reads only, and writes every requested output. */
export async function runSmoke(command: SmokeCommand, output: SmokeOutput): Promise<ExitCode> {
  const { pingUrl, pingProxy, textfile, version, now } = command;
  const sendPing = async (moment: 'start' | 'success' | 'fail', body = ''): Promise<void> => {
    // The last word does not wait for the first.
    const stop = moment === 'start' ? command.stop : undefined;
    const problem =
      pingUrl === undefined ? undefined : await ping(pingUrl, { moment, body, ca: command.target.ca, proxy: pingProxy, stop });
    if (problem !== undefined) output.err(problem);
  };
  const rest = {
    ...(command.turn === undefined ? {} : { turn: command.turn }),
    ...(command.ownClauses === undefined ? {} : { ownClauses: command.ownClauses }),
    today: command.today,
    stop: command.stop,
    ...(now === undefined ? {} : { now: () => now }),
    ...(command.session === undefined ? {} : { session: command.session }),
  };
  const smoke = createSmoke(command.target, { version, strict: command.strict, reference: command.reference, ...rest });
  const [{ sample, run }] = await Promise.all([smoke.run(), sendPing('start')]);
  const result = { run, sample: run === undefined ? sample : assessAlone(sample, run) };
  output.out(await render(result, command, output));
  const code = exitCodeOf(result);
  const unwritten = textfile === undefined ? undefined : await writeTextfile(textfile, renderPrometheus(result.sample, version));
  if (unwritten !== undefined) output.err(unwritten);
  await sendPing(code === EXIT_CODES.conformant ? 'success' : 'fail', summarize(result));
  // A requested file that is missing must not look like success: the collector would show the old one permanently.
  return code === EXIT_CODES.conformant && unwritten !== undefined ? EXIT_CODES.unjudged : code;
}

/** The moments of a run that are sent to a heartbeat service (the conventions of healthchecks.io). */
export type PingMoment = 'start' | 'success' | 'fail';

const PATIENCE = 10_000;
const LONGEST_BODY = 10_000;
const SUFFIX: Readonly<Record<PingMoment, string>> = { start: '/start', success: '', fail: '/fail' };

/** The path is extended, and a query stays after it. */
export function pingUrl(base: string, moment: PingMoment): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + SUFFIX[moment];
  return url.href;
}

type Ping = {
  readonly moment: PingMoment;
  readonly body: string;
  readonly ca: string | undefined;
  readonly proxy: string | undefined;
  readonly stop: AbortSignal | undefined;
};

/** Sends a moment to a heartbeat service; returns what went wrong, which is never a reason to fail the run. */
async function ping(base: string, { moment, body, ca, proxy, stop }: Ping): Promise<string | undefined> {
  const host = new URL(base).host;
  try {
    const status = await post({
      url: pingUrl(base, moment),
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: body.slice(0, LONGEST_BODY),
      patience: PATIENCE,
      ca,
      proxy,
      stop,
    });
    return status < 300 ? undefined : `ping (${moment}) to ${host} returned ${status}`;
  } catch (error) {
    // Never the URL: its path may be a secret.
    return `ping (${moment}) to ${host} failed: ${explainTransport(error, PATIENCE)}`;
  }
}

const MOST_LISTED = 10;

/** A run in a few lines, for a heartbeat body or a log: no URL, no body, no key. */
export function summarize({ sample, run }: SmokeResult): string {
  const head = `${sample.target}: ${sample.verdict} in ${Math.round(sample.duration)} ms, ${count(sample.requests, 'request')}`;
  const failures = sample.failures.slice(0, MOST_LISTED).map(({ clause, level, summary }) => `- ${clause} (${level}): ${summary}`);
  const missing = [...new Set(run === undefined ? [] : leftOpen(run.record))].slice(0, MOST_LISTED).map((note) => `- not judged: ${note}`);
  return [head, sample.note, ...failures, ...missing].join('\n');
}
