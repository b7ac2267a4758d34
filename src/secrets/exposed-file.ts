import { statSync } from 'node:fs';

const EVERYBODY = 0o004;
const GROUP = 0o040;

/**
 * A warning when others may read a file that holds a secret; undefined when not, or where modes mean nothing. A file of another owner
 * that is readable by its group is not one: being in that group is how this process reads it (Kubernetes with fsGroup).
 */
export function exposedFile(path: string, holds: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const { mode, uid } = statSync(path);
  const own = uid === process.getuid?.();
  const readers = (mode & EVERYBODY) !== 0 ? 'everybody on this machine' : own && (mode & GROUP) !== 0 ? 'its group' : undefined;
  if (readers === undefined) return undefined;
  const remedy = own ? `"chmod 600 ${path}" makes it private` : 'its owner should narrow its mode (in Kubernetes: defaultMode: 0400)';
  return `${path} holds ${holds} and ${readers} can read it; ${remedy}`;
}
