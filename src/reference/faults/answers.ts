import type { ServerResponse } from 'node:http';
import type { Call, Parts, Reply } from '../core/parts.ts';
import { type Fault, type FaultNeeds, fault, few, writing } from './fault.ts';
import { every } from './helpers.ts';

const clause = 'errors.answers';

type Wire = (reply: Reply, outgoing: ServerResponse) => void;

function onWire(name: string, summary: string, condition: (call: Call, reply: Reply) => boolean, wire: Wire, needs?: FaultNeeds): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    send: (reply, outgoing, call) => (condition(call, reply) ? wire(reply, outgoing) : parts.send(reply, outgoing, call)),
  });
  return fault(name, clause, summary, replace, needs);
}

function now(
  name: string,
  summary: string,
  nth: number,
  condition: (call: Call, reply: Reply) => boolean,
  wire: Wire,
  needs?: FaultNeeds,
): Fault {
  const replace = (parts: Parts): Partial<Parts> => {
    const turn = every(nth);
    return {
      send: (reply, outgoing, call) => (condition(call, reply) && turn() ? wire(reply, outgoing) : parts.send(reply, outgoing, call)),
    };
  };
  return fault(name, clause, summary, replace, needs);
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

/** Announces less than it sends: the client sees a cut-off body, and garbage before the next answer. */
const tooLong: Wire = (reply, outgoing) => {
  const { socket } = outgoing;
  const lines = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Math.max(0, Buffer.byteLength(reply.body) - 5);
  socket?.write(`HTTP/1.1 ${reply.status} OK\r\n${lines.join('')}content-length: ${length}\r\n\r\n`);
  socket?.write(reply.body, () => socket.destroy());
};

/** A chunked body whose last chunk never comes. */
const cutChunks: Wire = (reply, outgoing) => {
  outgoing.writeHead(reply.status, { ...reply.headers });
  outgoing.write(reply.body.slice(0, Math.ceil(reply.body.length / 2)), () => outgoing.socket?.destroy());
};

const garbage: Wire = (_reply, outgoing) => {
  outgoing.socket?.end('ERR internal protocol 3\n\n');
};

/** The headers come, the body never does. */
const stall: Wire = (reply, outgoing) => {
  outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  outgoing.flushHeaders();
};

/** Answers that do not come, or not whole. */
export const answerFaults: readonly Fault[] = [
  onWire(
    'drops-on-missing-animal',
    'A missing animal closes the connection without an answer.',
    ({ operation }, { status }) => operation === 'getPet' && status === 404,
    drop,
  ),
  onWire(
    'drops-on-create',
    'A creation is stored, then the connection is closed without an answer.',
    ({ operation }, { status }) => operation === 'createPet' && status === 201,
    drop,
    writing,
  ),
  onWire(
    'drops-on-bad-body',
    'A body that is refused closes the connection.',
    ({ operation }, { status }) => operation === 'createPet' && status === 400,
    drop,
    writing,
  ),
  onWire('drops-on-wrong-key', 'A wrong key closes the connection.', (_call, { status }) => status === 401, drop),
  onWire('drops-on-limit-100', 'limit=100 kills the worker.', ({ query }) => query.get('limit') === '100', drop),
  onWire('hangs-on-limit-1', 'limit=1 is never answered.', ({ query }) => query.get('limit') === '1', hang),
  onWire('hangs-on-pending', 'status=pending is never answered.', ({ query }) => query.get('status') === 'pending', hang),
  onWire(
    'hangs-on-missing-animal',
    'A missing animal is never answered.',
    ({ operation }, { status }) => operation === 'getPet' && status === 404,
    hang,
  ),
  onWire(
    'hangs-on-empty-body',
    'A POST without a body waits for one for ever.',
    ({ operation, headers }) =>
      operation === 'createPet' && (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined,
    hang,
    writing,
  ),
  onWire('stalls-on-sold', 'status=sold sends headers and never the body.', ({ query }) => query.get('status') === 'sold', stall),
  onWire(
    'list-cut-off',
    'Lists announce more bytes than come.',
    ({ operation }, { status }) => operation === 'listPets' && status === 200,
    tooShort,
  ),
  // The bytes that are too many belong to no answer (RFC 9112, section 6.3): what shows is a body that is cut off.
  {
    ...onWire(
      'read-longer-than-announced',
      'getPet announces characters minus five instead of bytes.',
      ({ operation }, { status }) => operation === 'getPet' && status === 200,
      tooLong,
      few,
    ),
    clause: 'media.well-formed',
  },
  onWire(
    'chunks-cut-off',
    'Long lists are streamed, and the stream breaks in the middle.',
    ({ operation }, { body }) => operation === 'listPets' && body.length > 4000,
    cutChunks,
    { seedAnimals: 150 },
  ),
  onWire(
    'garbage-on-missing-animal',
    'An animal that is missing is answered in the protocol of the cache.',
    ({ operation }, { status }) => operation === 'getPet' && status === 404,
    garbage,
  ),
  now(
    'drops-every-15th-creation',
    'Every fifteenth creation closes the connection.',
    15,
    ({ operation }) => operation === 'createPet',
    drop,
    writing,
  ),
  now('drops-every-20th-request', 'Every twentieth request closes the connection.', 20, () => true, drop),
  now('cuts-every-12th-list', 'Every twelfth list breaks off in the middle.', 12, ({ operation }) => operation === 'listPets', cutChunks),
  now('hangs-every-30th-request', 'Every thirtieth request is never answered.', 30, () => true, hang),
];
