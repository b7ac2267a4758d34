// One request as undici takes it, and its response, read to the last byte.

import { Readable } from 'node:stream';
import { setImmediate as afterReading, setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, errors } from 'undici';
import type { BodySink, Source } from './body.ts';
import { type ConnectionDetails, connectionFacts } from './connection.ts';
import type { HttpResponse, Outgoing } from './exchange.ts';
import { type ExtraHeaders, withExtra } from './extra-headers.ts';
import type { Progress } from './transport-failure.ts';

/** Milliseconds. */
const BETWEEN_PIECES = 30;

/**
 * A body in two pieces that can't arrive as one. A response that arrived before a piece is read before that piece is written: a service
 * that rejects a body early may close the connection (RFC 9112, section 9.5), and a failed write would end it with the response unread.
 */
async function* inTwoPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  const middle = Math.ceil(bytes.byteLength / 2);
  yield bytes.subarray(0, middle);
  await pause(BETWEEN_PIECES);
  await afterReading();
  yield bytes.subarray(middle);
  await afterReading();
}

/** Where requests go: the path before that of the interface, and the headers that are sent with each. */
export type Destination = { readonly origin: string; readonly basePath: string; readonly extra: ExtraHeaders };

/** With `reset`, the connection is closed after the response. */
export function dispatchOptions(
  { path, query, method, headers, body, divided = false, chunked = false }: Outgoing,
  { origin, basePath, extra, reset }: Destination & { readonly reset: boolean },
): Dispatcher.DispatchOptions {
  const target = `${basePath}${path}${query === '' ? '' : `?${query}`}`;
  const whole = { origin, path: target, method, headers: withExtra(headers, extra).flat(), body: body ?? null, reset };
  if (!(divided || chunked) || body === undefined) return whole;
  const bytes = Buffer.from(body);
  const length = chunked ? [] : ['content-length', String(bytes.byteLength)];
  return { ...whole, headers: [...whole.headers, ...length], body: Readable.from(inTwoPieces(bytes)) };
}

type AskOptions = {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly sinkFor: (coding: string, source: Source) => BodySink;
};

/**
 * A field value without the surrounding white space, which is not part of it (RFC 9112, section 5); undici removes only what precedes it.
 */
function withoutOuterSpace(value: string): string {
  let end = value.length;
  // Not by a pattern, which takes quadratic time for white space in the middle of a long value.
  while (value[end - 1] === ' ' || value[end - 1] === '\t') end -= 1;
  return value.slice(0, end);
}

function headerList(headers: Readonly<Record<string, string | string[] | undefined>>): HttpResponse['headers'] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name.toLowerCase(), withoutOuterSpace(String(one ?? ''))] as const),
  );
}

/** Whether undici has mistaken white space after Content-Length for a digit, although the body has the stated length. */
function isMisread(error: Error & { readonly code?: string }, headers: HttpResponse['headers'], { bytes }: Progress): boolean {
  const lengths = headers.filter(([name]) => name === 'content-length');
  return error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && lengths.length === 1 && lengths[0]?.[1] === String(bytes);
}

function codingOf(headers: HttpResponse['headers']): string {
  return headers
    .filter(([name]) => name === 'content-encoding')
    .map(([, value]) => value)
    .join(',');
}

type Begun = Pick<HttpResponse, 'status' | 'headers'> & { readonly body: BodySink; readonly facts: ConnectionDetails | undefined };

/** What undici tells about a response, from its first byte to its last. */
class ResponseReceiver implements Dispatcher.DispatchHandler {
  readonly done = Promise.withResolvers<HttpResponse>();
  private readonly options: AskOptions;
  private begun: Begun | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private readonly abort = (): void => this.controller?.abort(this.options.signal.reason as Error);

  constructor(options: AskOptions) {
    this.options = options;
    options.signal.addEventListener('abort', this.abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.options.progress.connected = true;
    if (this.options.signal.aborted) this.abort();
  }

  onResponseStart(source: Dispatcher.DispatchController, status: number, fields: Parameters<typeof headerList>[0]): void {
    // 1xx (RFC 9110, section 15.2): the final response is still to come.
    if (status < 200) return;
    const headers = headerList(fields);
    this.options.progress.status = status;
    const body = this.options.sinkFor(codingOf(headers), source);
    this.begun = { status, headers, body, facts: connectionFacts(source.rawHeaders) };
  }

  onResponseData(source: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.options.progress.bytes += chunk.length;
    try {
      this.begun?.body.write(chunk);
    } catch (error) {
      source.abort(error as Error);
    }
  }

  onResponseEnd(): void {
    this.stopListening();
    if (this.begun === undefined) {
      this.done.reject(new errors.SocketError('the connection ended before a response'));
      return;
    }
    const { status, headers, body, facts } = this.begun;
    const connection = facts === undefined ? {} : { connection: facts };
    this.done.resolve(body.end().then((read) => ({ status, headers, ...connection, ...read })));
  }

  onResponseError(_source: Dispatcher.DispatchController, error: Error): void {
    if (isMisread(error, this.begun?.headers ?? [], this.options.progress)) {
      this.onResponseEnd();
      return;
    }
    this.stopListening();
    this.begun?.body.abandon();
    this.done.reject(error);
  }

  private stopListening(): void {
    this.options.signal.removeEventListener('abort', this.abort);
  }
}

/**
 * Sends one request and reads its response to the last byte. It avoids the streams of undici's `request`, which cost more than the rest of
 * an exchange. Rejects with undici's error, the signal's reason, BodyTooLargeError, or ContentCodingError.
 */
export function ask(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, options: AskOptions): Promise<HttpResponse> {
  const receiving = new ResponseReceiver(options);
  dispatcher.dispatch(request, receiving);
  return receiving.done.promise;
}
