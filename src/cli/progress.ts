import type { Progress } from '../gate/run-gate.ts';

const PLAIN_INTERVAL = 5_000;
const TTY_INTERVAL = 80;

/** Shows how a run stands: one line rewritten on a terminal, elsewhere a plain line now and then. Goes to stderr. */
export function createProgress(): { show(progress: Progress): void; clear(): void } {
  const tty = process.stderr.isTTY === true;
  let shownAt = performance.now();
  let dirty = false;
  return {
    show({ done, of, failed, requests }) {
      if (performance.now() - shownAt < (tty ? TTY_INTERVAL : PLAIN_INTERVAL)) return;
      shownAt = performance.now();
      const line = `${done} of ${of} checks judged, ${failed} failed, ${requests} requests`;
      process.stderr.write(tty ? `\r\u001b[2K${line.slice(0, (process.stderr.columns ?? 80) - 1)}` : `${line}\n`);
      dirty = tty;
    },
    clear() {
      if (dirty) process.stderr.write('\r\u001b[2K');
      dirty = false;
    },
  };
}
