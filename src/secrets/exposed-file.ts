import { statSync } from 'node:fs';

const EVERYBODY = 0o004;
const GROUP = 0o040;

/**
 * A warning if others may read a file that contains a secret; undefined if they can't, or if file modes mean nothing. A file of another
 * owner that its group may read is fine: this process reads it as a member of that group (Kubernetes with fsGroup).
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
