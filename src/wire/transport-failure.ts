import { isStaleConnection } from './connection.ts';
import type { TransportFailure, TransportReason } from './exchange.ts';

/** A body that exceeded the size limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** A body whose content coding does not decode. */
export class ContentCodingError extends Error {
  override readonly name = 'ContentCodingError';
}

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const CONNECT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'EACCES',
  'EINVAL',
]);
const TIMEOUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/;
const HANDSHAKE = /before secure TLS connection/;
const TUNNEL = /^Proxy response/;

type Coded = Error & { code?: string };

/** How far a response got before it failed. */
export type Progress = {
  /** The deadline in milliseconds. */
  readonly deadline: number;
  /** The proxy that it was sent through, without credentials. */
  readonly proxy: string | undefined;
  /** Whether the request was written to a connection. */
  connected: boolean;
  /** The status, once the headers were complete. */
  status?: number;
  /** Bytes of the body that were received. */
  bytes: number;
};

function innermost(error: unknown): Coded {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}

function reasonOf(error: Coded): TransportReason {
  const code = error.code ?? '';
  if (error instanceof BodyTooLargeError || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'too_large';
  if (error.name === 'TimeoutError' || TIMEOUT.has(code)) return 'timeout';
  if (DNS.has(code)) return 'dns';
  if (CONNECT.has(code) || TUNNEL.test(error.message)) return 'connect';
  if (TLS.test(code) || HANDSHAKE.test(error.message)) return 'tls';
  return 'protocol';
}

/** How far it got, in words. */
function stage({ status, bytes }: Progress): string {
  if (status === undefined) return 'before the response headers were complete';
  return `after ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} of the body of a ${status}`;
}

/** How servers that do not speak TLS respond to a TLS greeting. */
const NOT_TLS = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNKNOWN_PROTOCOL',
]);

function explainTls(error: Coded, detail: string): string {
  if (NOT_TLS.has(error.code ?? '')) return 'the port speaks plain HTTP, not TLS; did you mean http:// instead of https://?';
  return `no trusted TLS connection: ${detail}`;
}

function explainTimeout({ deadline, connected, status, bytes }: Progress): string {
  if (status !== undefined)
    return `the response was not complete within ${deadline} ms: a ${status} and ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} of its body`;
  return connected ? `connected, but no response within ${deadline} ms` : `no connection within ${deadline} ms`;
}

function explainProtocol(error: Coded, detail: string, progress: Progress): string {
  if (error instanceof ContentCodingError) return detail;
  if (error.code === 'UND_ERR_HEADERS_OVERFLOW') return 'the headers are larger than 64 KiB';
  if (BROKEN.has(error.code ?? '')) return `the connection was closed ${stage(progress)} (${detail})`;
  return `the response is not valid HTTP: ${detail}`;
}

function explain(reason: TransportReason, error: Coded, progress: Progress): string {
  const detail = error.code === undefined || error.message.includes(error.code) ? error.message : `${error.message} (${error.code})`;
  switch (reason) {
    case 'timeout':
      return explainTimeout(progress);
    case 'dns':
      return `the host name does not resolve: ${detail}`;
    case 'connect':
      return `no connection: ${detail}`;
    case 'tls':
      return explainTls(error, detail);
    case 'too_large':
      return detail;
    case 'protocol':
      return explainProtocol(error, detail, progress);
    default:
      return reason satisfies never;
  }
}

/** Why there was no complete response, as a word and a sentence. */
export function transportFailure(error: unknown, progress: Progress): TransportFailure {
  const inner = innermost(error);
  const reason = reasonOf(inner);
  const through = progress.proxy === undefined || reason === 'too_large' ? '' : ` (through the proxy ${progress.proxy})`;
  return { reason, message: explain(reason, inner, progress) + through, stale: isStaleConnection(error) };
}
