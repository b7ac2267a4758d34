import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Call, Patch, Reply } from '../../core/parts.ts';
import { faultsOf, LARGE_STORE, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { rewriteIf } from '../helpers/replies.ts';
import { header } from '../helpers/requests.ts';
import { onWire, type Wire } from '../helpers/wire.ts';

const isRejectedCreation = ({ operation }: Call, { status }: Reply): boolean => operation === 'createPet' && status === 400;
const isMissingAnimal = ({ operation }: Call, { status }: Reply): boolean => operation === 'getPet' && status === 404;

/** Writes every nth reply that meets the condition to the connection in another way. */
function onWireEveryNth(nth: number, condition: (call: Call, reply: Reply) => boolean, wire: Wire): Patch {
  return onEveryNth(nth, (isTurn) => onWire((call, reply) => condition(call, reply) && isTurn(), wire));
}

const drop: Wire = (_reply, outgoing) => {
  outgoing.socket?.destroy();
};

const hang: Wire = () => undefined;

/** Announces more than it sends, then closes. */
const tooShort: Wire = (reply, outgoing) => {
  outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) + 10 });
  outgoing.write(reply.body, () => outgoing.socket?.destroy());
};

/** A chunked body without its last chunk. */
const cutChunks: Wire = (reply, outgoing) => {
  outgoing.writeHead(reply.status, { ...reply.headers });
  outgoing.write(reply.body.slice(0, Math.ceil(reply.body.length / 2)), () => outgoing.socket?.destroy());
};

const garbage: Wire = (_reply, outgoing) => {
  outgoing.socket?.end('ERR internal protocol 3\n\n');
};

/** The headers are sent, the body never is. */
const stall: Wire = (reply, outgoing) => {
  outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  outgoing.flushHeaders();
};

/** Responses that are missing, or incomplete. */
export const errorsAnswers = faultsOf('errors.answers', {
  'drops-on-missing-animal': ['A missing animal closes the connection without a response.', onWire(isMissingAnimal, drop)],
  'decoded-body-announced-as-gzip': [
    'The proxy decodes bodies and leaves Content-Encoding: gzip in place.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'accept-encoding').includes('gzip'),
      ({ headers }) => ({ headers: { ...headers, 'content-encoding': 'gzip' } }),
    ),
  ],
  'zstd-announced-by-suffix': [
    'Zstandard bodies have Content-Encoding: zst, the file extension, instead of zstd.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'accept-encoding') === 'zstd',
      ({ headers, body }) => ({ headers: { ...headers, 'content-encoding': 'zst' }, body: zstdCompressSync(body) }),
    ),
  ],
  'gzip-announced-twice': [
    'Content-Encoding is gzip, gzip, but the second layer does not compress.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'accept-encoding') === 'gzip',
      ({ headers, body }) => ({ headers: { ...headers, 'content-encoding': 'gzip, gzip' }, body: gzipSync(body) }),
    ),
  ],
  'drops-on-create': [
    'A creation is stored, then the connection is closed without a response.',
    onWire(({ operation }, { status }) => operation === 'createPet' && status === 201, drop),
    WRITES,
  ],
  'drops-on-bad-body': ['A rejected body closes the connection.', onWire(isRejectedCreation, drop), WRITES],
  'drops-on-wrong-key': ['A wrong key closes the connection.', onWire((_call, { status }) => status === 401, drop)],
  'drops-on-limit-100': ['limit=100 kills the worker.', onWire(({ query }) => query.get('limit') === '100', drop)],
  'hangs-on-limit-1': ['limit=1 never gets a response.', onWire(({ query }) => query.get('limit') === '1', hang)],
  'hangs-on-pending': ['status=pending never gets a response.', onWire(({ query }) => query.get('status') === 'pending', hang)],
  'hangs-on-missing-animal': ['A missing animal never gets a response.', onWire(isMissingAnimal, hang)],
  'hangs-on-empty-body': [
    'A POST without a body never gets a response: the server waits for one.',
    onWire(
      ({ operation, headers }) =>
        operation === 'createPet' && (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined,
      hang,
    ),
    WRITES,
  ],
  'stalls-on-sold': ['status=sold sends the headers and never the body.', onWire(({ query }) => query.get('status') === 'sold', stall)],
  'list-cut-off': [
    'The Content-Length of lists is larger than the body.',
    onWire(({ operation }, { status }) => operation === 'listPets' && status === 200, tooShort),
  ],
  'chunks-cut-off': [
    'Long lists are streamed, and the stream breaks in the middle.',
    onWire(({ operation }, { body }) => operation === 'listPets' && body.length > 4000, cutChunks),
    LARGE_STORE,
  ],
  'garbage-on-missing-animal': ['A missing animal gets a raw response of the cache, which is not HTTP.', onWire(isMissingAnimal, garbage)],
  'drops-every-15th-creation': [
    'Every fifteenth creation closes the connection.',
    onWireEveryNth(15, ({ operation }) => operation === 'createPet', drop),
    WRITES,
  ],
  'drops-every-20th-request': ['Every twentieth request closes the connection.', onWireEveryNth(20, () => true, drop)],
  'cuts-every-12th-list': [
    'Every twelfth list breaks off in the middle.',
    onWireEveryNth(12, ({ operation }) => operation === 'listPets', cutChunks),
  ],
  'hangs-every-30th-request': ['Every thirtieth request never gets a response.', onWireEveryNth(30, () => true, hang)],
});
