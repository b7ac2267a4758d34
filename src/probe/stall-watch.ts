import type { Clock } from './clock.ts';

/** Detects whether this process itself was blocked: measurements during that time say nothing about a service. */
export type StallWatch = {
  /** The longest stall in milliseconds that ended after a moment of the monotonic clock. */
  worstSince(monotonic: number): number;
  stop(): void;
};

const BEAT = 250;
const WORTH_NOTING = 500;
const MOST_KEPT = 100;

export function createStallWatch(clock: Clock): StallWatch {
  const stalls: { readonly end: number; readonly length: number }[] = [];
  let cancel = (): void => undefined;
  function beat(): void {
    const due = clock.monotonic() + BEAT;
    cancel = clock.after(BEAT, () => {
      const end = clock.monotonic();
      if (end - due >= WORTH_NOTING) stalls.push({ end, length: end - due });
      if (stalls.length > MOST_KEPT) stalls.shift();
      beat();
    });
  }
  beat();
  return {
    worstSince: (monotonic) => Math.max(0, ...stalls.filter(({ end }) => end >= monotonic).map(({ length }) => length)),
    stop: () => cancel(),
  };
}
