import { spawn } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY } from '../../proof/judge-reference.ts';
import type { Command, Ended, Peer, Verdict } from './peer.ts';
import type { Subject } from './registry.ts';

const MOST_OUTPUT = 200_000;

/** The verdict of a program on one server. */
export type Judged = {
  readonly peer: string;
  readonly kind: Subject['kind'];
  readonly name: string;
  readonly verdict: Verdict;
  readonly code: number | null;
  readonly milliseconds: number;
  /** Processor time in milliseconds of the program alone, without the server. */
  readonly processor: number;
  readonly requests: number;
};

/** The shell prints the processor time of the program and its children: a busy machine does not increase it. */
const COUNTING = '"$@"; code=$?; times >&2; exit $code';
const TIMES = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/;

/** Processor time in milliseconds from the last line of `times`; 0 for a program that was killed. */
function processorTime(output: string): number {
  const [, ...numbers] = TIMES.exec(output) ?? [];
  const [minutes = 0, seconds = 0, systemMinutes = 0, systemSeconds = 0] = numbers.map(Number);
  return Math.round(((minutes + systemMinutes) * 60 + seconds + systemSeconds) * 1_000);
}

/** Runs a program and its children to the end; keeps a bounded part of its output. */
export function runCommand({ argv: [file, ...args], env = {}, cwd }: Command, patience: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A separate process group: a tool may be a script that starts others.
    const child = spawn(file, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    let output = '';
    let timedOut = false;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MOST_OUTPUT);
      });
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, patience);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output, timedOut });
    });
  });
}

/** Counts the requests that reach a port of this process, before any fault can affect them. */
function countRequests(port: number): () => number {
  let requests = 0;
  const count = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort === port) requests++;
  };
  const started = channel('http.server.request.start');
  started.subscribe(count);
  return () => {
    started.unsubscribe(count);
    return requests;
  };
}

/** Starts the server, lets the program judge it, and stops it. */
export async function judgeServer(
  peer: Peer,
  cache: string,
  { subject, patience }: { readonly subject: Subject; readonly patience: number },
): Promise<Judged & { readonly output: string }> {
  const reference = await subject.start();
  const folder = mkdtempSync(join(tmpdir(), 'petstore-peer-'));
  const requests = countRequests(Number(new URL(reference.baseUrl).port));
  const begin = performance.now();
  try {
    const now = subject.now?.toISOString();
    const command = peer.judge({ baseUrl: reference.baseUrl, apiKey: KEY, now, folder, cache });
    const ended = await runCommand({ cwd: folder, ...command, argv: ['sh', '-c', COUNTING, 'sh', ...command.argv] }, patience);
    return {
      peer: peer.name,
      kind: subject.kind,
      name: subject.name,
      verdict: peer.verdict(ended),
      code: ended.code,
      milliseconds: Math.round(performance.now() - begin),
      processor: processorTime(ended.output),
      requests: requests(),
      output: ended.output,
    };
  } finally {
    requests();
    rmSync(folder, { recursive: true, force: true });
    await reference.close();
  }
}
