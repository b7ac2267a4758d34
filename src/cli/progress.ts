import type { Progress } from '../gate/judge-in-worker.ts';

const PLAIN_INTERVAL = 5_000;
const TTY_INTERVAL = 80;
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Shows the progress of a run: one line rewritten on a terminal, elsewhere a plain line periodically. Writes to stderr. Each line says what
 * slowed the run down since the previous line, even if that has ended.
 */
export function createProgress(): { show(progress: Progress): void; clear(): void } {
  const tty = process.stderr.isTTY === true;
  let shownAt = tty ? 0 : performance.now();
  let dirty = false;
  let slowed: string | undefined;
  return {
    show({ done, of, failed, requests, slowBecause }) {
      slowed = slowBecause ?? slowed;
      if (performance.now() - shownAt < (tty ? TTY_INTERVAL : PLAIN_INTERVAL)) return;
      shownAt = performance.now();
      const why = slowed === undefined ? '' : `; ${slowed}`;
      slowed = undefined;
      const line = `${done} of ${of} checks judged, ${failed} failed, ${requests} requests${why}`;
      process.stderr.write(tty ? `${CLEAR_LINE}${line.slice(0, (process.stderr.columns ?? 80) - 1)}` : `${line}\n`);
      dirty = tty;
    },
    clear() {
      if (dirty) process.stderr.write(CLEAR_LINE);
      dirty = false;
    },
  };
}
