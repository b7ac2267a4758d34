import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { runJudged } from '../support/judged-program.ts';
import { ownFolder } from '../support/own-folder.ts';
import { needs, STRACE } from '../support/tool.ts';

const KEY = 'nw-5tR8wQ2zX6vB';

/** Every internet address that system calls named, and every program that was started, as the kernel saw it. */
function readTrace(file: string): { readonly addresses: readonly string[]; readonly programs: readonly string[] } {
  const trace = readFileSync(file, 'utf8');
  const inet4 = [...trace.matchAll(/sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g)].map(([, port, host]) => `${host}:${port}`);
  const inet6 = [...trace.matchAll(/sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"/g)].map(
    ([, port, host]) => `[${host}]:${port}`,
  );
  return {
    addresses: [...new Set([...inet4, ...inet6])],
    programs: [...trace.matchAll(/execve\("([^"]+)".*= 0$/gm)].map(([, program = '']) => program),
  };
}

/** Runs the command under strace, which sees every connection, datagram, and started program of the process and its threads. */
async function traced(args: readonly string[]) {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 7 });
  const file = join(ownFolder(), 'strace');
  const calls = 'trace=connect,bind,sendto,sendmsg,sendmmsg,execve';
  const ended = await runJudged({
    args: [...args, '--base-url', reference.baseUrl],
    apiKey: KEY,
    under: ['strace', '--follow-forks', '--output', file, '--string-limit', '64', '-e', calls],
  });
  await reference.close();
  return { ...ended, ...readTrace(file), target: new URL(reference.baseUrl).host };
}

describe('the network that is reached', () => {
  test.for([
    ['run', ['run', '--depth', 'quick']],
    ['smoke', ['smoke']],
  ] as const)('by %s is the target and nothing else', async ([, args], context) => {
    needs(context, STRACE);
    const { exit, output, addresses, programs, target } = await traced(args);
    expect(exit, output).toBe(0);
    expect(addresses).toEqual([target]);
    expect(programs).toEqual([process.execPath]);
  });
});
