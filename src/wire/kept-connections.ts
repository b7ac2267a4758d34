// The connections that are kept alive between requests, and how many of them a service can afford.

import type { Dispatcher } from 'undici';

/** Milliseconds without a first byte after which a request on an open connection may be waiting for a thread of the service. */
const LONG_WAIT = 1_000;
/** The same, as a factor to the usual duration: where all responses are slow, that says nothing. */
const TIMES_USUAL = 5;
/** The fraction of that time for which this process may be held up without being the reason. */
const OWN_PART = 0.1;

export type Waiting = { readonly connected: boolean; readonly bytes: number };

/** Where to send a request; call `done` after its response. */
export type ConnectionPlace = { readonly dispatcher: Dispatcher; done(): void };

export type KeptConnectionsParts = {
  /** At most this many connections stay open; 0 keeps none. */
  readonly open: (connections: number) => Dispatcher;
  readonly most: number;
  /** Milliseconds. */
  readonly usual: () => number;
  /** The longest delay of this process since that moment of `performance.now()`, in milliseconds. */
  readonly ownDelaySince: (begin: number) => number;
};

/**
 * A service with a thread for each connection serves no more connections than it has threads, however long the others are idle: a new one waits
 * until one of ours is closed, and what looks like a service that hangs is our own doing. So where a request waits while we keep idle connections,
 * these are closed, and half as many are kept from then on. If it then still waits, they were not the reason: as many as before are kept, and
 * nothing is closed any more. What waits while nothing else is served either, or while this process is held up, shows nothing of that.
 */
export class KeptConnections {
  private readonly parts: KeptConnectionsParts;
  private readonly dispatchers: Dispatcher[] = [];
  private limit: number;
  private current: Dispatcher;
  private connected = 0;
  private inUse = 0;
  /** When the latest of the requests that got a response was sent. */
  private lastServed = Number.NEGATIVE_INFINITY;
  private areIdleConnectionsReason: boolean | undefined;
  private isDestroyed = false;

  constructor(parts: KeptConnectionsParts) {
    this.parts = parts;
    this.limit = parts.most;
    this.current = this.keep(parts.most);
  }

  private keep(connections: number): Dispatcher {
    const dispatcher = this.parts.open(connections);
    this.dispatchers.push(dispatcher);
    dispatcher.on('connect', () => {
      this.connected += 1;
    });
    dispatcher.on('disconnect', () => {
      this.connected -= 1;
    });
    return dispatcher;
  }

  take(): ConnectionPlace {
    this.inUse += 1;
    const done = (): void => {
      this.inUse -= 1;
    };
    return { dispatcher: this.current, done };
  }

  /** Watches a request, whatever connection it uses, until the returned function is called. */
  watch(request: Waiting): () => void {
    const patience = Math.max(LONG_WAIT, TIMES_USUAL * this.parts.usual());
    const isWaiting = (): boolean => !this.isDestroyed && request.connected && request.bytes === 0;
    const begin = performance.now();
    let before: number | undefined;
    /** Whether others were served for half of the time that it waited: neither they nor this process were held up. */
    let waitsAlone = false;
    const waitOn = (): void => {
      if (before !== undefined && isWaiting()) this.keepAgain(before);
    };
    const look = (since: number): void => {
      if (!isWaiting()) return;
      // What has arrived may be unread.
      if (this.parts.ownDelaySince(since) > OWN_PART * patience) {
        const now = performance.now();
        timer = setTimeout(() => look(now), patience);
        return;
      }
      before = this.closeIdle();
      waitsAlone = this.lastServed > begin + patience / 2;
      if (before !== undefined) timer = setTimeout(waitOn, patience);
    };
    let timer = setTimeout(() => look(begin), patience);
    return () => {
      clearTimeout(timer);
      if (request.bytes > 0) this.lastServed = Math.max(this.lastServed, begin);
      if (before !== undefined && request.bytes > 0 && waitsAlone) this.areIdleConnectionsReason ??= true;
      // It ended without a response although there was room.
      waitOn();
    };
  }

  /** Closes idle connections; returns how many were kept until now, or undefined if none is closed. */
  private closeIdle(): number | undefined {
    if (this.areIdleConnectionsReason === false || this.connected <= this.inUse || this.limit === 0) return undefined;
    const before = this.limit;
    this.replace(Math.floor(Math.min(before, this.connected) / 2));
    return before;
  }

  private keepAgain(connections: number): void {
    if (this.areIdleConnectionsReason === true) return;
    this.areIdleConnectionsReason = false;
    this.replace(connections);
  }

  private replace(connections: number): void {
    const old = this.current;
    this.limit = connections;
    this.current = this.keep(connections);
    // Closes idle connections at once, and the others after their responses. It rejects if they are destroyed first, which closes them too.
    old.close().catch(() => undefined);
  }

  /** What the report says about a service that serves few connections; undefined if it does not. */
  fewServed(): string | undefined {
    if (this.areIdleConnectionsReason !== true) return undefined;
    const kept = this.limit === 0 ? 'none' : `at most ${this.limit}`;
    return `The service serves few connections at a time: a request got its response only after idle connections of the run were closed, so it kept ${kept} from then on`;
  }

  async destroy(reason: Error): Promise<void> {
    this.isDestroyed = true;
    await Promise.all(this.dispatchers.map((dispatcher) => dispatcher.destroy(reason)));
  }
}
