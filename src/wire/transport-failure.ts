// Why there was no complete response: who ended it, in a sentence of our own with advice. What undici, OpenSSL, and llhttp say reaches nobody.

import { statSync } from 'node:fs';
import { errors } from 'undici';
import { hasBegun, hasNoAddressOf, headBefore, isStaleConnection, rejectionBehind } from './connection.ts';
import type { TransportFailure, TransportReason } from './exchange.ts';
import { DIRECT, type Route } from './route.ts';

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

export class ContentCodingError extends Error {
  override readonly name = 'ContentCodingError';
}

type Coded = Error & { readonly code?: string; readonly syscall?: string };

export type Progress = {
  /** The deadline in milliseconds. */
  readonly deadline: number;
  /** The proxy that it was sent through, without credentials. */
  readonly proxy: string | undefined;
  /** How the connection was to be made. */
  readonly way: Pick<Route, 'cert' | 'family' | 'unixSocket'> & { readonly address: string | undefined };
  /** Whether the request was written to a connection. */
  connected: boolean;
  /** The status, once the headers were complete. */
  status?: number;
  bytes: number;
};

type Explained = Pick<TransportFailure, 'reason' | 'message' | 'party'>;

const UNRESOLVED: Readonly<Record<string, string>> = {
  EAI_AGAIN: ': no name server answers',
  EAI_FAIL: ': the name server fails',
};
const DNS = /^(?:ENOTFOUND|EAI_)/;

const UNCONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'this machine has no route to that network',
  ETIMEDOUT: 'the host does not react, as behind a firewall',
  UND_ERR_PRX_CONN: 'it was closed before the proxy had reached the service',
  EADDRNOTAVAIL: 'this machine has no address or port for it',
  EACCES: 'this machine does not permit it',
  EPERM: 'this machine does not permit it',
  EINVAL: 'this is not the address of a host',
};

const UNKNOWN_CA =
  'its certificate is signed by no CA that is trusted here: name the file of its CA with --ca (`ca` of a target in the configuration)';
const OTHER_NAME = 'its certificate is for other host names: use one of these, or give the service a certificate for this one';

const UNTRUSTED: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  CERT_UNTRUSTED: UNKNOWN_CA,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, unless the clock of this machine is slow',
  CERT_REVOKED: 'its certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  HOSTNAME_MISMATCH: OTHER_NAME,
  UND_ERR_PRX_TLS: 'the certificate of the proxy is for other host names',
};
const CERTIFICATE = /^(?:CERT_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|UNABLE_TO_|ERR_TLS_CERT_)/;

/** What a service says that asks for a client certificate, and how to go on. */
export const WANTS_CERTIFICATE = 'asks for a client certificate: name yours with --cert and --key (`cert` and `key` of a target)';

/** Why the other side rejected a TLS connection, by the number of its alert (RFC 8446, section 6). */
const ALERTS: Readonly<Record<number, string>> = {
  40: `${WANTS_CERTIFICATE}; or it shares no cipher with this client`,
  49: 'does not let this client in',
  70: 'speaks no version of TLS that this client speaks (1.2 and 1.3)',
  71: 'asks for stronger ciphers than this client has',
  80: 'failed in the TLS handshake',
  112: 'has no certificate for this host name: check the host of the address',
  120: 'speaks neither HTTP/1.1 nor HTTP/2 there',
};
/** Alerts that are only about a client certificate: what they mean for one that was presented. */
const CLIENT_CERTIFICATE_ALERTS: Readonly<Record<number, string>> = {
  42: 'rejects it',
  43: 'does not support certificates of its kind',
  44: 'says that it has been revoked',
  45: 'says that it has expired',
  46: 'rejects it',
  48: 'does not trust its CA; its file must have the intermediate certificates too',
  116: 'does not accept it in place of one that it asks for',
};

/** Why the other side rejected TLS with this alert. */
function whyRejected(alert: number, cert: string | undefined): string {
  const ofCertificate = CLIENT_CERTIFICATE_ALERTS[alert];
  if (ofCertificate !== undefined)
    return cert === undefined ? WANTS_CERTIFICATE : `was shown the client certificate of ${cert}, and ${ofCertificate}`;
  if (alert === 40 && cert !== undefined) return `rejects the client certificate of ${cert}, or shares no cipher with this client`;
  return ALERTS[alert] ?? 'does not accept this client';
}

const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO$|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|UND_ERR_PRX_TLS)/;
const HANDSHAKE = /before secure TLS connection/;
/** How servers that do not speak TLS respond to a TLS greeting. */
const NOT_TLS = /wrong.version.number|packet.length.too.long|http.request|unknown.protocol/i;

const TIMEOUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const CLOSED =
  /^(?:UND_ERR_(?:SOCKET|CLOSED|DESTROYED|ABORT|ABORTED|INFO|SOCKS5)|ECONNRESET|ECONNABORTED|EPIPE|ENOTCONN|ERR_STREAM_|ERR_HTTP2_)/;
const HTTP_2 = /^HTTP\/2/;

/** What this machine lacks for a connection: that says nothing about the service. */
const LACKING_HERE: Readonly<Record<string, string>> = {
  EMFILE: 'this process may open no more connections and files: raise its limit, as with ulimit -n',
  ENFILE: 'this machine may open no more connections and files',
  ENOBUFS: 'this machine has no memory for another connection',
  ENOMEM: 'this machine has no memory for another connection',
};

const MALFORMED: readonly (readonly [RegExp, string])[] = [
  [/interim/, 'more than 64 KiB of interim responses (1xx) come before it'],
  [/Expected HTTP/i, 'it does not begin with HTTP/'],
  [/version|Expected dot/i, 'its first line has no version of HTTP'],
  [/status/i, 'its status is not a number of three digits'],
  [/Content-Length.*(?:Transfer-Encoding)|Transfer-Encoding.*Content-Length/i, 'it has both Content-Length and Transfer-Encoding'],
  [/Content-Length already/i, 'it has Content-Length twice'],
  [/Content-Length/i, 'its Content-Length is not a number'],
  [/Transfer-Encoding/i, 'its Transfer-Encoding is none of HTTP'],
  [/chunk/i, 'its body is not divided into chunks as Transfer-Encoding says'],
  [/header|space/i, 'a line of its headers is malformed'],
  [/CR|LF/, 'a line does not end in CR LF'],
  [/EOF/, 'it ends too early'],
];

function innermost(error: unknown): Coded {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}

const inCode = ({ code }: Coded): string => (code === undefined ? '' : ` (${code})`);
const bytesOf = (bytes: number): string => `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;

const LOGIN = 'asks for a login: give it in the address of the proxy, http://USER:PASSWORD@HOST:PORT (407)';

/** What the proxy itself says instead of passing a request on; undefined for other errors. */
function explainProxy({ message }: Coded, { proxy = '' }: Progress): Explained | undefined {
  const [, tunnel] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  const status = /^Proxy Authentication Required/.test(message) ? '407' : tunnel;
  if (status === undefined) return undefined;
  // A gateway error is about the service behind it.
  const isOfProxy = status.startsWith('4');
  const why = status === '407' ? LOGIN : isOfProxy ? `does not permit it (${status})` : `could not reach the service (${status})`;
  return { reason: 'connect', message: `no connection: the proxy ${proxy} ${why}`, ...(isOfProxy ? { party: 'proxy' } : {}) };
}

/** Why there is no connection to a Unix socket; undefined for errors of anything else. */
function explainSocket(error: Coded, path: string): Explained | undefined {
  const { code = '' } = error;
  if (error.syscall !== 'connect') return undefined;
  const isSocket = statSync(path, { throwIfNoEntry: false })?.isSocket();
  const whys: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist',
    ENOTDIR: 'it does not exist',
    ECONNREFUSED: isSocket === false ? 'it is not a socket' : 'nothing listens on it',
    ENOTSOCK: 'it is not a socket',
    EACCES: 'this process may not write to it',
  };
  const why = whys[code];
  return why === undefined ? undefined : { reason: 'connect', message: `no connection to the Unix socket ${path}: ${why}${inCode(error)}` };
}

function explainConnection(error: Coded, progress: Progress): Explained | undefined {
  const { code = '' } = error;
  const { proxy } = progress;
  const ofProxy = proxy === undefined ? {} : { party: 'proxy' as const };
  if (hasNoAddressOf(error)) {
    const message = `the host name has no IPv${progress.way.family} address, and no other is to be used (--family)`;
    return { reason: 'dns', message, party: 'settings' };
  }
  if (DNS.test(code) || error.syscall === 'getaddrinfo') {
    const whose = proxy === undefined ? 'the host name' : `the host name of the proxy ${proxy}`;
    return { reason: 'dns', message: `${whose} does not resolve${UNRESOLVED[code] ?? ''}${inCode(error)}`, ...ofProxy };
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const message = `no connection within ${progress.deadline} ms, as behind a firewall or where TLS never begins${inCode(error)}`;
    return { reason: 'connect', message };
  }
  const { address, unixSocket } = progress.way;
  const socketFault = unixSocket === undefined ? undefined : explainSocket(error, unixSocket);
  if (socketFault !== undefined) return socketFault;
  const why = UNCONNECTED[code];
  if (why === undefined) return undefined;
  const to = proxy !== undefined ? `the proxy ${proxy}` : address === undefined ? undefined : `${address} (--resolve)`;
  const where = to === undefined ? 'no connection' : `no connection to ${to}`;
  return { reason: 'connect', message: `${where}: ${why}${inCode(error)}`, ...ofProxy };
}

function alertOf({ message }: Coded): number | undefined {
  const [, number] = /SSL alert number (\d+)/.exec(message) ?? [];
  return number === undefined ? undefined : Number(number);
}

function explainTls(error: Coded, peer: string, cert: string | undefined): Explained | undefined {
  const { code = '' } = error;
  const tls = (message: string): Explained => ({ reason: 'tls', message });
  const alert = alertOf(error);
  if (alert !== undefined) {
    return {
      ...tls(`no TLS connection: ${peer} ${whyRejected(alert, cert)} (TLS alert ${alert})`),
      ...(CLIENT_CERTIFICATE_ALERTS[alert] === undefined ? {} : { party: 'settings' }),
    };
  }
  if (HANDSHAKE.test(error.message)) return tls(`no TLS connection: ${peer} closed it during the handshake${inCode(error)}`);
  if (UNTRUSTED[code] !== undefined || CERTIFICATE.test(code))
    return tls(`no trusted TLS connection: ${UNTRUSTED[code] ?? 'its certificate is invalid'}${inCode(error)}`);
  if (!TLS.test(code)) return undefined;
  if (NOT_TLS.test(`${code} ${error.message}`))
    return tls('the port speaks plain HTTP, not TLS; did you mean http:// instead of https://?');
  return tls(`no TLS connection: the TLS of ${peer} does not fit this client's${inCode(error)}`);
}

function explainTimeout({ deadline, connected, status, bytes }: Progress): string {
  if (status !== undefined) return `the response was not complete within ${deadline} ms: a ${status} and ${bytesOf(bytes)} of its body`;
  return connected ? `connected, but no response within ${deadline} ms` : `no connection within ${deadline} ms`;
}

function stage({ status, bytes }: Progress, begun: boolean): string {
  if (status !== undefined) return `after ${bytesOf(bytes)} of the body of a ${status}`;
  return begun ? 'before the response headers were complete' : 'without a byte of a response';
}

/** What is wrong with the length that a response states; the parser only tells that something is. */
function explainLength(head = ''): string {
  const lengths = [...head.matchAll(/^content-length[ \t]*:(.*)$/gim)].flatMap(([, values = '']) => values.split(','));
  if (lengths.length > 0 && /^transfer-encoding[ \t]*:/im.test(head)) return 'it has both Content-Length and Transfer-Encoding';
  if (lengths.length < 2) return 'its body does not have the length that Content-Length states';
  const values = new Set(lengths.map((value) => value.trim()));
  return `it has Content-Length ${lengths.length === 2 ? 'twice' : `${lengths.length} times`}, with ${values.size === 1 ? 'the same value' : 'different values'}`;
}

function explainProtocol(error: Coded, progress: Progress): string | undefined {
  const { code = '', message } = error;
  if (error instanceof ContentCodingError) return message;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the headers are larger than 64 KiB';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return `the response is not valid HTTP: ${explainLength(headBefore(error))}`;
  // undici asserts what it expects of a response.
  if (error instanceof errors.HTTPParserError || code === 'ERR_ASSERTION')
    return `the response is not valid HTTP: ${MALFORMED.find(([found]) => found.test(message))?.[1] ?? 'it is malformed'}`;
  if (!CLOSED.test(code) && !HTTP_2.test(message)) return undefined;
  return `the connection was closed ${stage(progress, hasBegun(error))}${inCode(error)}`;
}

/** The sentence for what undici or Node throws; undefined for what is neither the network's doing nor that of another machine. */
function explain(error: Coded, progress: Progress, peer = 'the service'): Explained | undefined {
  if (error instanceof BodyTooLargeError) return { reason: 'too_large', message: error.message };
  if (error.name === 'TimeoutError' || TIMEOUT.has(error.code ?? '')) return { reason: 'timeout', message: explainTimeout(progress) };
  const known = explainProxy(error, progress) ?? explainConnection(error, progress) ?? explainTls(error, peer, progress.way.cert);
  if (known !== undefined) return known;
  const message = explainProtocol(error, progress);
  return message === undefined ? undefined : { reason: 'protocol', message };
}

/** Whether a message already says that there is a proxy, or is not about the way to the service. */
const isWithoutProxy = ({ reason, message }: { readonly reason: TransportReason; readonly message: string }): boolean =>
  reason === 'too_large' || message.includes('the proxy');

/**
 * Why there was no complete response, as a word and a sentence. Throws the error again if it is our own: it says nothing about the service.
 */
export function transportFailure(error: unknown, progress: Progress): TransportFailure {
  const inner = innermost(rejectionBehind(error) ?? error);
  const explained = explain(inner, progress);
  if (explained === undefined) {
    const lacking = LACKING_HERE[inner.code ?? ''];
    throw lacking === undefined ? error : new Error(`${lacking}${inCode(inner)}`);
  }
  const through = progress.proxy === undefined || isWithoutProxy(explained) ? '' : ` (through the proxy ${progress.proxy})`;
  const isSilent = explained.reason === 'protocol' && progress.status === undefined && !hasBegun(inner) && CLOSED.test(inner.code ?? '');
  const hint =
    isSilent && progress.way.cert !== undefined
      ? `; this is also how some reject a client certificate, here that of ${progress.way.cert}`
      : '';
  return {
    ...explained,
    message: explained.message + through + hint,
    stale: isStaleConnection(error),
    ...(isSilent ? { silent: true as const } : {}),
  };
}

/** Why a request to another receiver than the service, with a deadline in milliseconds, failed: in a sentence. */
export function explainTransport(error: unknown, deadline: number): string {
  const inner = innermost(error);
  const explained = explain(
    inner,
    { deadline, proxy: undefined, way: { ...DIRECT, address: undefined }, connected: true, bytes: 0 },
    'the receiver',
  );
  return explained?.reason === 'timeout' ? `no response within ${deadline} ms` : (explained?.message ?? inner.message);
}
