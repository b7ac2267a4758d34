// The connections to a service: how they are opened, and which request goes on which.

import { Agent, buildConnector, type Dispatcher, errors, ProxyAgent } from 'undici';
import { LARGEST_FACTOR } from './concurrency.ts';
import { lookupFor, secureContextOf, skipInterimResponses } from './connection.ts';
import { KeptConnections, type KeptConnectionsParts } from './kept-connections.ts';
import { basicAuthorization } from './login.ts';
import type { Route } from './route.ts';

export type ConnectionOptions = Route & {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly concurrency: number;
  /** Milliseconds from DNS to the last body byte. */
  readonly timeout: number;
};

const HEADER_CAP = 64 * 1024;
/** Shared: undici would create one, with its stack, for each closed connection. */
const CLOSED = new errors.ClientDestroyedError();

/** Opens connections on which unexpected interim responses do no harm. */
function tolerantConnector(settings: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(settings);
  return (target, callback) =>
    connect(target, (...result) => {
      const [failure, socket] = result;
      if (failure === null && !('alpnProtocol' in socket && socket.alpnProtocol === 'h2')) skipInterimResponses(socket);
      callback(...result);
    });
}

/**
 * Milliseconds before the end of the time that a service says it keeps a connection open for; no request is sent on it from then on. With the two
 * seconds that undici leaves by default, a service that says `Keep-Alive: timeout=2` gets each request on a connection of its own.
 */
const BEFORE_IT_CLOSES = 500;

/** Opens connections to the host and port of an address, on the way that the options say. */
export function dispatcherFor(
  options: Pick<ConnectionOptions, 'timeout'> & Route,
  shape: { readonly address: string; readonly connections: number; readonly pipelining: 0 | 1 },
): Dispatcher {
  const asTls = (route: Pick<Route, 'ca' | 'cert' | 'key'>) => {
    const secureContext = secureContextOf(route);
    return secureContext === undefined ? {} : { secureContext };
  };
  const common = {
    connections: shape.connections,
    pipelining: shape.pipelining,
    headersTimeout: options.timeout,
    bodyTimeout: options.timeout,
    maxHeaderSize: HEADER_CAP,
    connectTimeout: options.timeout,
    keepAliveTimeoutThreshold: BEFORE_IT_CLOSES,
  };
  if (options.proxy !== undefined) {
    // undici drops a password without a user name.
    const token = basicAuthorization(options.proxy);
    // The client certificate is for the service.
    const proxyTls = asTls({ ...options, cert: undefined, key: undefined });
    return new ProxyAgent({
      ...common,
      uri: options.proxy,
      requestTls: asTls(options),
      proxyTls,
      ...(token === undefined ? {} : { token }),
    });
  }
  const { unixSocket } = options;
  const lookup = lookupFor(options, new URL(shape.address));
  const socket = unixSocket === undefined ? {} : { socketPath: unixSocket };
  return new Agent({ ...common, connect: tolerantConnector({ timeout: options.timeout, lookup, ...socket, ...asTls(options) }) });
}

/** How undici closes a connection that received a response without a request. */
function isUnasked(error: Error): boolean {
  return error instanceof errors.SocketError && error.message === 'bad response';
}

/** The connections of one client. A POST can't be repeated if a kept-alive connection turns out to be closed, so it never uses one. */
export class Dispatchers {
  /** A connection for each request. */
  readonly unpooled: Dispatcher;
  readonly kept: KeptConnections;
  private readonly options: ConnectionOptions;
  private readonly singles: Dispatcher[] = [];
  private closedUnasked = 0;

  constructor(options: ConnectionOptions, measured: Pick<KeptConnectionsParts, 'usual' | 'ownDelaySince'>) {
    this.options = options;
    const most = options.concurrency * LARGEST_FACTOR;
    this.unpooled = this.open(most, 0);
    this.kept = new KeptConnections({
      ...{ ...measured, most },
      open: (connections) => {
        const dispatcher = connections === 0 ? this.open(most, 0) : this.open(connections, 1);
        return dispatcher.on('disconnect', (_origin, _targets, error) => {
          if (isUnasked(error)) this.closedUnasked += 1;
        });
      },
    });
  }

  private open(connections: number, pipelining: 0 | 1): Dispatcher {
    return dispatcherFor(this.options, { address: this.options.baseUrl, connections, pipelining });
  }

  /** One connection, kept alive, for whoever asks. */
  connect(): Dispatcher {
    const single = this.open(1, 1);
    this.singles.push(single);
    return single;
  }

  /** Kept-alive connections on which the service sent a response without a request. */
  unasked(): number {
    return this.closedUnasked;
  }

  async destroy(): Promise<void> {
    await Promise.all([this.kept.destroy(CLOSED), ...[this.unpooled, ...this.singles].map((dispatcher) => dispatcher.destroy(CLOSED))]);
  }
}
