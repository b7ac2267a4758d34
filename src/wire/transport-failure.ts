import type { TransportFailure, TransportReason } from './exchange.ts';

/** A body that went over the cap. */
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
const TIMEOUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_ABORTED']);
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/;

type Coded = Error & { code?: string };

function innermost(error: unknown): Coded {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}

function reasonOf(error: Coded): TransportReason {
  const code = error.code ?? '';
  if (error instanceof BodyTooLargeError || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'too_large';
  if (error.name === 'TimeoutError' || error.name === 'AbortError' || TIMEOUT.has(code)) return 'timeout';
  if (DNS.has(code)) return 'dns';
  if (CONNECT.has(code)) return 'connect';
  if (TLS.test(code)) return 'tls';
  return 'protocol';
}

function explain(reason: TransportReason, error: Coded): string {
  const detail = error.code === undefined || error.message.includes(error.code) ? error.message : `${error.message} (${error.code})`;
  switch (reason) {
    case 'timeout':
      return 'the answer was not complete within the deadline';
    case 'dns':
      return `the host name does not resolve: ${detail}`;
    case 'connect':
      return `no connection: ${detail}`;
    case 'tls':
      return `no trusted TLS connection: ${detail}`;
    case 'too_large':
      return detail;
    case 'protocol':
      return error.code === 'UND_ERR_HEADERS_OVERFLOW'
        ? 'the headers are larger than 64 KiB'
        : `the connection broke or carried no valid HTTP: ${detail}`;
    default:
      return reason satisfies never;
  }
}

/** Why no complete answer came, in a word and a sentence. */
export function transportFailure(error: unknown): TransportFailure {
  const inner = innermost(error);
  const reason = reasonOf(inner);
  return { reason, message: explain(reason, inner) };
}

/** True when a reused connection was closed by the other side before any byte of an answer (RFC 9112, section 9.3.1). */
export function isStaleConnection(error: unknown): boolean {
  const inner = innermost(error) as Coded & { socket?: { bytesRead?: number } };
  if (inner.code === 'UND_ERR_SOCKET') return (inner.socket?.bytesRead ?? 0) > 0;
  return inner.code === 'ECONNRESET' || inner.code === 'EPIPE';
}
