// What decides whether a row is sent, and whether the same bytes are sent again: above it are the plan and the history, below it the lanes.

import type { CreationResults } from './budget.ts';
import { Circuit, type Refusal } from './circuit.ts';
import { Creations } from './creations.ts';
import type { ReasonNotSent, Received, Unsent } from './history.ts';
import type { Lanes, SendOptions } from './lanes.ts';
import { isRejectedKey, MomentaryFailures } from './repeats.ts';
import type { Sent, Vector } from './vector.ts';

/** What the history says about a request, and a response. */
export type HistoryReader = {
  isDocumentedWithKey(sent: Sent): boolean;
  /** A creation that no service may carry out: without the key, or with an invalid body. */
  mustBeRejected(sent: Sent): boolean;
  /** Whether the response to a creation says which animal it made. */
  namesAnimal(received: Received): boolean;
  /** Why creations are rejected whatever their body is, once plain ones show that; undefined while they may be accepted. */
  whyCreationsStopped(): ReasonNotSent | undefined;
  /** Whether animals are seen that creations were rejected for. */
  storesRejected(): boolean;
};

export type SenderParts = {
  readonly lanes: Lanes;
  readonly options: { readonly readOnly: boolean; readonly maxCreates: number };
  /** Of rows that the plan does not have: with a number, and thus a name, that no other row has. */
  readonly compose: (vector: Vector) => Sent;
  readonly history: HistoryReader;
  /** Enters an exchange into the history, or a row that is not sent. */
  readonly add: (received: Received) => void;
  readonly skip: (row: Unsent) => void;
  readonly elapsed: () => number;
  /** From now on fewer than that at a time: the key is rejected when so many are in flight. */
  readonly sendFewerThan: (inFlight: number) => void;
  readonly notice: (sentence: string) => void;
};

type LaneChoice = Pick<SendOptions, 'lane' | 'atOnce'>;
export type ComposedRow = { readonly vector: Vector; readonly sent: Sent };

export type Sender = {
  /** Sends a row, by the bytes that it was composed to. Returns the last try; undefined if it is not sent, and the history says why. */
  send(row: ComposedRow, options?: LaneChoice): Promise<Received | undefined>;
  /** The same bytes once more; a creation is never sent twice. */
  again(sent: Sent): Promise<Received | undefined>;
  /** Rows that failed while the service was down, once it is back: each once. */
  takeLost(): readonly Vector[];
  created(): CreationResults;
  /** Whether nothing of what was sent so far counts as a failure any more: the service was waited for. */
  reset(): void;
};

class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.missing);
    this.refusal = refusal;
  }
}

/** What a service may respond to or not: the operation, what a row says about one dimension, and the value that it gives it. */
function kindsOf(vector: Vector): readonly string[] {
  const { op, ...rest } = vector;
  return [op, ...Object.entries(rest).flatMap(([dimension, value]) => [`${op} with ${dimension}`, `${op} with ${dimension} ${value}`])];
}

class RowSender implements Sender {
  private readonly parts: SenderParts;
  private readonly repeats = new MomentaryFailures();
  private readonly creations: Creations;
  private readonly circuit: Circuit<Received>;
  private readonly vectors = new WeakMap<Sent, Vector>();

  constructor(parts: SenderParts) {
    const { options, history, elapsed, notice } = parts;
    this.parts = parts;
    this.creations = new Creations({
      ...{
        options,
        namesAnimal: history.namesAnimal,
        whyCreationsStopped: history.whyCreationsStopped,
        storesRejected: history.storesRejected,
      },
      sendList: (vector) => this.persist(this.composed(vector)),
      createPlain: () => this.create(this.composed({ op: 'create' })),
    });
    this.circuit = new Circuit<Received>({ elapsed, notice, ask: () => this.askWhetherUp() });
  }

  readonly send = async (row: ComposedRow, where: LaneChoice = {}): Promise<Received | undefined> => {
    if (row.vector.op !== 'create') return this.persist(row, where);
    const received = await this.create(row, where);
    if (received !== undefined && !this.parts.history.mustBeRejected(row.sent)) await this.creations.checkQuota(received);
    return received;
  };

  readonly again = async (sent: Sent): Promise<Received | undefined> => {
    const vector = this.vectors.get(sent);
    return vector === undefined || sent.method !== 'GET' ? undefined : this.persist({ vector, sent });
  };

  readonly takeLost = (): readonly Vector[] => this.circuit.takeLost().flatMap(({ sent }) => this.vectors.get(sent) ?? []);
  readonly created = (): CreationResults => this.creations.created();
  readonly reset = (): void => this.circuit.reset();

  private composed(vector: Vector): ComposedRow {
    return { vector, sent: this.parts.compose(vector) };
  }

  /** A list or, since a service may be broken for lists and up, a read; neither is recorded. */
  private async askWhetherUp(): Promise<Received> {
    const { lanes, compose } = this.parts;
    const [list] = await lanes.send(compose({ op: 'list', limit: 1 }), { isUncounted: true });
    const [last] = list?.response?.status === 200 ? [list] : await lanes.send(compose({ op: 'get', id: '=1' }), { isUncounted: true });
    if (last === undefined) throw new Error('a request was sent and nothing is known of it');
    return last;
  }

  private async create(row: ComposedRow, where: LaneChoice = {}): Promise<Received | undefined> {
    const { history } = this.parts;
    const creation = {
      vector: row.vector,
      mustBeRejected: history.mustBeRejected(row.sent),
      isDocumentedWithKey: history.isDocumentedWithKey(row.sent),
    };
    const reason = await this.creations.take(creation);
    if (reason !== undefined) {
      this.parts.skip({ ...row, ...reason });
      return undefined;
    }
    let received: Received | undefined;
    try {
      received = await this.persist(row, where);
    } finally {
      this.creations.settle(creation, received);
    }
    return received;
  }

  private async persist(row: ComposedRow, where: LaneChoice = {}): Promise<Received | undefined> {
    const { vector, sent } = row;
    const first = await this.attempt(row, where);
    if (first === undefined || !this.parts.history.isDocumentedWithKey(sent) || !this.repeats.isMomentary(vector, first)) return first;
    return this.repeats.repeatWhileMomentary(vector, first, () => this.attempt(row, where));
  }

  /** Sends the bytes; undefined, and the reason in the history, if nothing like it is sent any more. */
  private async attempt({ vector, sent }: ComposedRow, where: LaneChoice): Promise<Received | undefined> {
    const kinds = kindsOf(vector);
    this.vectors.set(sent, vector);
    try {
      const tries = await this.parts.lanes.send(sent, {
        ...where,
        admit: async () => {
          const refusal = await this.circuit.admit(kinds);
          if (refusal !== undefined) throw new NotSent(refusal);
        },
        onReceived: (received, inFlight) => this.note(vector, received, inFlight),
      });
      return tries.at(-1);
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      this.parts.skip({ vector, sent, why: 'service', ...error.refusal });
      return undefined;
    }
  }

  private note(vector: Vector, received: Received, inFlight: number): void {
    const { add, history, sendFewerThan } = this.parts;
    add(received);
    this.circuit.note(kindsOf(vector), received);
    if (!history.isDocumentedWithKey(received.sent)) return;
    if (isRejectedKey(received) && this.repeats.isMomentary(vector, received)) sendFewerThan(inFlight);
    this.repeats.note(vector, received);
  }
}

export const createSender = (parts: SenderParts): Sender => new RowSender(parts);
