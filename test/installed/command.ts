import { spawn } from 'node:child_process';

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

type Options = { readonly cwd: string; readonly env?: Readonly<Record<string, string>> };

/** Variables that npm, vitest and CI systems leave in the environment of a test, and which a user's shell does not have. */
const FOREIGN =
  /^(?:npm_(?:lifecycle|package|execpath|node_execpath|command)|VITEST|TEST$|NODE_(?:ENV|OPTIONS|PATH|COMPILE_CACHE)|INIT_CWD$|GITHUB_|PETSTORE_|FORCE_COLOR|NO_COLOR)/i;

/** Runs a program to its end, in the environment of a user's shell. */
export function runCommand(command: readonly string[], { cwd, env = {} }: Options): Promise<Ended> {
  const [file = '', ...args] = command;
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
  const child = spawn(file, args, { cwd, env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs a program that must succeed, and returns its output. */
export async function mustRun(command: readonly string[], options: Options): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, options);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}
