import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'vitest';

/** What a live test needs from the machine, in addition to Node and npm packages. */
export type Tool = {
  readonly name: string;
  /** How to get it, on Debian. */
  readonly remedy: string;
  readonly isThere: () => boolean;
};

/** The start of the note of every test that was skipped for a missing tool; no other skip is allowed. */
export const MISSING = 'missing tool: ';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first of these programs that is on the PATH. */
export function findProgram(...names: readonly string[]): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

function program(name: string, debian: string): Tool {
  return { name, remedy: `apt-get install ${debian}`, isThere: () => findProgram(name) !== undefined };
}

export const STRACE = program('strace', 'strace');
export const PROMTOOL = program('promtool', 'prometheus');
export const PROMETHEUS = program('prometheus', 'prometheus');
export const ALERTMANAGER = program('prometheus-alertmanager', 'prometheus-alertmanager');
export const AMTOOL = program('amtool', 'prometheus-alertmanager');
export const KUBECTL = program('kubectl', 'kubernetes-client');
export const SYSTEMD = program('systemd-analyze', 'systemd');
export const NGINX = program('nginx', 'nginx-light');
export const PRLIMIT = program('prlimit', 'util-linux');

const NAMESPACES = [
  ['unshare', '--mount'],
  ['unshare', '--user', '--map-root-user', '--mount'],
] as const;

/**
 * The command that starts a program in its own mount namespace: as root, or as a user who may be root in a namespace. Undefined if neither
 * is allowed.
 */
export function mountNamespace(): readonly string[] | undefined {
  return NAMESPACES.find(([command, ...flags]) => spawnSync(command, [...flags, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0);
}

export const MOUNTS: Tool = {
  name: 'unshare, with the right to mount',
  remedy: 'apt-get install util-linux mount, and run as root',
  isThere: () => mountNamespace() !== undefined,
};

function firstUnprivilegedPort(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return 1024;
  }
}

export const PORT_53: Tool = {
  name: 'the right to listen on port 53',
  remedy: 'run as root',
  isThere: () => process.getuid?.() === 0 || firstUnprivilegedPort() <= 53,
};

export const SCRIPT = program('script', 'bsdutils');

export const DEV_FULL: Tool = { name: '/dev/full', remedy: 'run on Linux', isThere: () => existsSync('/dev/full') };

export const IPV6: Tool = {
  name: 'the address ::1',
  remedy: 'switch on IPv6',
  isThere: () =>
    Object.values(networkInterfaces())
      .flat()
      .some((one) => one?.address === '::1'),
};

/** The note of a skipped test: which of these tools are missing, and how to get them. Undefined if none is missing. */
export function missingNote(tools: readonly Tool[]): string | undefined {
  const missing = tools.filter(({ isThere }) => !isThere());
  return missing.length === 0 ? undefined : MISSING + missing.map(({ name, remedy }) => `${name} (${remedy})`).join(', ');
}

/** Skips the test if a tool is missing, with a note that says how to get it; with `CI=true` a missing tool fails the test. */
export function needs({ skip }: Pick<TestContext, 'skip'>, ...tools: readonly Tool[]): void {
  const note = missingNote(tools);
  if (note === undefined) return;
  if (process.env['CI'] === 'true') throw new Error(note);
  skip(note);
}
