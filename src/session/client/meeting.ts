/** Requests that are sent at the same moment: each one waits, when its turn has come, until all have come. */
export type Meeting = {
  arrive(): Promise<void>;
};

/** Milliseconds after which those that have come wait no longer: one may be held back for what the others have to do first. */
const PATIENCE = 250;

/** A meeting of so many requests. One that is sent again finds it over and waits for nobody. */
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
