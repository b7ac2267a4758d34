/** Requests that are sent at the same moment: each one waits in its turn until all are ready. */
export type Meeting = {
  arrive(): Promise<void>;
};

/** Milliseconds after which those that are ready stop waiting: one may be held back until the others are done. */
const PATIENCE = 250;

/** A meeting of this many requests. A request that is repeated finds it over and does not wait. */
export function createMeeting(expected: number): Meeting {
  const over = Promise.withResolvers<void>();
  let arrived = 0;
  let patience: NodeJS.Timeout | undefined;
  return {
    async arrive() {
      arrived += 1;
      patience ??= setTimeout(over.resolve, PATIENCE);
      if (arrived >= expected) {
        clearTimeout(patience);
        over.resolve();
      }
      await over.promise;
    },
  };
}
