// The connections that are kept alive between requests, and how many of them a service can afford.

import type { Dispatcher } from 'undici';

/** Milliseconds without a first byte after which a request on an open connection may be waiting for a thread of the service. */
const WAITING = 1_000;
/** The same, as a factor to the usual duration: where all responses are slow, that says nothing. */
const TIMES_USUAL = 5;

export type Waiting = { readonly connected: boolean; readonly bytes: number };

export type KeptConnections = {
  /** Where to send a request that may use a kept connection; call `done` after its response. */
  take(): { readonly dispatcher: Dispatcher; done(): void };
  /** Watches a request, whatever connection it uses, until the returned function is called. */
  watch(request: Waiting): () => void;
  /** What the report says about a service that serves few connections; undefined if it does not. */
  fewServed(): string | undefined;
  destroy(reason: Error): Promise<void>;
};

export type KeptConnectionsParts = {
  /** At most this many connections stay open; 0 keeps none. */
  readonly open: (connections: number) => Dispatcher;
  readonly most: number;
  /** Milliseconds. */
  readonly usual: () => number;
};

/**
 * A service with a thread for each connection serves no more connections than it has threads, however long the others are idle: a new one waits
 * until one of ours is closed, and what looks like a service that hangs is our own doing. So where a request waits while we keep idle connections,
 * these are closed, and half as many are kept from then on. If it then still waits, they were not the reason: as many as before are kept, and
 * nothing is closed any more.
 */
export function createKeptConnections({ open, most, usual }: KeptConnectionsParts): KeptConnections {
  let limit = most;
  let connected = 0;
  let inUse = 0;
  let isReason: boolean | undefined;
  let isDestroyed = false;
  const dispatchers: Dispatcher[] = [];

  function keep(connections: number): Dispatcher {
    const dispatcher = open(connections);
    dispatchers.push(dispatcher);
    dispatcher.on('connect', () => {
      connected += 1;
    });
    dispatcher.on('disconnect', () => {
      connected -= 1;
    });
    return dispatcher;
  }
  let current = keep(limit);

  function replace(connections: number): void {
    const old = current;
    limit = connections;
    current = keep(connections);
    // Closes idle connections at once, and the others after their responses. It rejects if they are destroyed first, which closes them too.
    old.close().catch(() => undefined);
  }

  return {
    take() {
      inUse += 1;
      return {
        dispatcher: current,
        done() {
          inUse -= 1;
        },
      };
    },
    watch(request) {
      let timer: NodeJS.Timeout | undefined;
      const isWaiting = (): boolean => request.connected && request.bytes === 0;
      const after = (milliseconds: number, work: () => void): void => {
        timer = setTimeout(() => {
          if (!isDestroyed) work();
        }, milliseconds);
      };
      const patience = Math.max(WAITING, TIMES_USUAL * usual());
      let madeRoom = false;
      after(patience, () => {
        if (isReason === false || !isWaiting() || connected <= inUse || limit === 0) return;
        const before = limit;
        replace(Math.floor(Math.min(limit, connected) / 2));
        madeRoom = true;
        after(patience, () => {
          if (isReason === true || !isWaiting()) return;
          isReason = false;
          replace(before);
        });
      });
      return () => {
        clearTimeout(timer);
        if (madeRoom && request.bytes > 0) isReason ??= true;
      };
    },
    fewServed: () =>
      isReason === true
        ? `The service serves few connections at a time: a request got its response only after idle connections of the run were closed, so it kept ${limit === 0 ? 'none' : `at most ${limit}`} from then on`
        : undefined,
    async destroy(reason) {
      isDestroyed = true;
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy(reason)));
    },
  };
}
