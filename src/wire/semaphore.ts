/** Lets at most `places()` pieces of work run at a time, in the order of asking; the bound may move while work waits. */
export function createSemaphore(places: () => number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const admit = (): void => {
    while (waiting.length > 0 && running < places()) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return async (work) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      admit();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      admit();
    }
  };
}
