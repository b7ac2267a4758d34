type Waiting = {
  /** The position in the order of requests. */
  readonly turn: number;
  readonly enter: () => void;
};

/** The waiting work of one asker, in order. */
type Queue = Waiting[];

function isBefore(one: Queue, other: Queue, fewestFirst: boolean): boolean {
  if (fewestFirst && one.length !== other.length) return one.length < other.length;
  return (one[0]?.turn ?? 0) < (other[0]?.turn ?? 0);
}

/**
 * Lets at most `places()` pieces of work run at a time, in the order of requests; the bound may change while work waits. While
 * `fewestFirst()`, the asker with the fewest waiting pieces goes first: an asker that sends one request after another then does not have to
 * wait each time for all rows of the others' tables.
 */
export function createSemaphore(
  places: () => number,
  fewestFirst: () => boolean = () => false,
): <Result>(work: () => Promise<Result>, asker?: string) => Promise<Result> {
  let running = 0;
  let turns = 0;
  const queues = new Map<string | undefined, Queue>();

  function next(): Waiting | undefined {
    const fewest = fewestFirst();
    let chosen: [asker: string | undefined, queue: Queue] | undefined;
    for (const [asker, queue] of queues) if (chosen === undefined || isBefore(queue, chosen[1], fewest)) chosen = [asker, queue];
    if (chosen === undefined) return undefined;
    const [asker, queue] = chosen;
    if (queue.length === 1) queues.delete(asker);
    return queue.shift();
  }

  const admit = (): void => {
    while (queues.size > 0 && running < places()) {
      running += 1;
      next()?.enter();
    }
  };
  return async (work, asker) => {
    await new Promise<void>((enter) => {
      turns += 1;
      const queue = queues.get(asker) ?? [];
      queue.push({ turn: turns, enter });
      queues.set(asker, queue);
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
