import type { IncomingMessage } from 'node:http';
import { type Call, type Operation, Problem } from './parts.ts';

const LARGEST_BODY = 8 * 1024 * 1024;

async function readAll(incoming: IncomingMessage, chunks: Uint8Array[]): Promise<Uint8Array | Problem> {
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > LARGEST_BODY) return new Problem(413, 'too_large', 'The body is too large', { connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function operationOf(method: string, rest: string): Operation {
  if (rest === '/pets') return method === 'GET' ? 'listPets' : method === 'POST' ? 'createPet' : 'unknown';
  return method === 'GET' && /^\/pets\/[^/]+$/.test(rest) ? 'getPet' : 'unknown';
}

/** The same request as if it had been sent to that path below the base path. */
export function atPath(call: Call, rest: string): Call {
  const operation = operationOf(call.method, rest);
  return { ...call, operation, petId: operation === 'getPet' ? decodeSegment(rest.slice('/pets/'.length)) : '' };
}

/** The target is taken as sent, without normalization. */
export function readCall(incoming: IncomingMessage, basePath: string): Call {
  const method = incoming.method ?? 'GET';
  const target = incoming.url ?? '/';
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const rest = path.startsWith(basePath) ? path.slice(basePath.length) : '';
  const operation = operationOf(method, rest);
  const chunks: Uint8Array[] = [];
  return {
    method,
    target,
    operation,
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    petId: operation === 'getPet' ? decodeSegment(rest.slice('/pets/'.length)) : '',
    connection: incoming.socket,
    body: () => readAll(incoming, chunks),
    firstPiece: () => chunks[0]?.byteLength ?? 0,
  };
}

/** How a router or a proxy changes a path before it compares it. */
export type Spelling = (path: string) => string;

/** Consecutive slashes are one. */
export const mergeSlashes: Spelling = (path) => path.replace(/\/{2,}/g, '/');
/** A slash at the end makes no difference. */
export const dropLastSlash: Spelling = (path) => path.replace(/\/+$/, '');
/** Parameters of segments make no difference. */
export const dropParameters: Spelling = (path) => path.replace(/;[^/]*/g, '');
/** `.` and `..` are resolved. */
export const resolveDots: Spelling = (path) => new URL(`http://localhost${path}`).pathname;
export const foldCase: Spelling = (path) => path.toLowerCase();
export const dropSuffix: Spelling = (path) => path.replace(/\.json$/, '');

/** Percent-encoded characters are equivalent to the characters. */
export const decodePath: Spelling = (path) => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * The request at the path that it means once its spelling is undone; undefined if that is not an operation, or the path was not changed.
 */
export function respelled(call: Call, ...undo: readonly Spelling[]): Call | undefined {
  const path = call.target.replace(/\?.*$/, '');
  const rest = /^.*?\/v1(\/.*)$/.exec(path)?.[1];
  if (rest === undefined || call.operation !== 'unknown') return undefined;
  const meant = undo.reduce((spelled, change) => change(spelled), rest);
  const found = atPath(call, meant);
  return found.operation === 'unknown' ? undefined : found;
}
