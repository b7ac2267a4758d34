// Sends rows in the light of what the run has seen so far: which number each has, which animals there are, and which category is accepted.

import { setTimeout as wait } from 'node:timers/promises';
import type { createWorld } from '../oracle/world.ts';
import { type Group, isGroup, type Row, vectorsOf } from '../plan/row.ts';
import type { ReasonNotSent, Received, Unsent } from '../session/history.ts';
import type { Lane, Lanes } from '../session/lanes.ts';
import { needsAnimal } from '../session/raw.ts';
import { type ComposedRow, createSender, type Sender, type SenderParts } from '../session/sender.ts';
import type { SessionOptions } from '../session/session.ts';
import type { ComposeContext, LetterCase, Sent, Vector } from '../session/vector.ts';
import { animalOf, toldBy } from './told.ts';

/** A row and the number of its first vector: it makes names and random values, whenever the row is sent. */
export type NumberedRow = { readonly row: Row; readonly number: number };

/** Numbers rows in their order, from this number on. */
export function numbered(rows: readonly Row[], from: number): readonly NumberedRow[] {
  let number = from;
  return rows.map((row) => {
    const own = { row, number };
    number += vectorsOf(row).length;
    return own;
  });
}

/** No plan has so many rows: reads of what was created have numbers from here on, all others that nobody planned, and what is repeated at the end. */
const READ_BACK = 100_000;
const UNPLANNED = 200_000;
export const REPEATED = 400_000;

/** The number of the read of an animal is that of its creation and this. */
export const readBackNumber = (creation: number): number => READ_BACK + creation;

/** As a client keeps them: of each name the latest. */
const latestCookies = (cookies: Iterable<string>): readonly string[] => [
  ...new Map([...cookies].map((cookie) => [cookie.split('=')[0], cookie])).values(),
];

type Parts = Pick<SenderParts, 'elapsed' | 'notice' | 'sendFewerThan'> & {
  readonly options: SessionOptions;
  readonly compose: (vector: Vector, context: ComposeContext) => Sent;
  readonly history: Pick<ReturnType<typeof createWorld>, 'now' | 'skip' | 'factsOf'>;
  readonly lanes: Lanes;
  readonly add: (received: Received) => void;
  /** Whether responses take so long that what need not follow each other does not. */
  readonly isFar: () => boolean;
  /** Why nothing more is sent; undefined as long as something is. */
  readonly stopped: () => ReasonNotSent | undefined;
};

/** How a row was sent: its last tries, and the animals that it created. */
export type SentRow = { readonly received: readonly (Received | undefined)[]; readonly created: readonly bigint[] };

const asksForKnownAnimal = (vector: Vector): boolean =>
  vector.op === 'get' && vector.raw === undefined && (vector.id === undefined || typeof vector.id === 'number');

export class RowSending {
  private readonly parts: Parts;
  private readonly sender: Sender;
  private readonly vectors = new WeakMap<Sent, Vector>();
  private readonly groups = new WeakMap<Sent, Group>();
  private readonly sent: Vector[] = [];
  private readonly handled = new Set<number>();
  private readonly listed: bigint[] = [];
  private readonly byRow = new Map<number, bigint>();
  /** While rows are sent over several connections, which animals are known does not depend on which of them is faster. */
  private knownIds: readonly bigint[] = [];
  private categoryId: bigint;
  private letterCase: LetterCase | undefined;
  private unplanned = UNPLANNED;
  private handledInPlan = 0;

  constructor(parts: Parts) {
    const { options, history, lanes } = parts;
    this.parts = parts;
    this.categoryId = options.categoryIds[0] ?? 1n;
    this.sender = createSender({
      ...{ lanes, options, history: toldBy(history, options.runTag), add: parts.add, skip: history.skip },
      ...{ elapsed: parts.elapsed, notice: parts.notice, sendFewerThan: parts.sendFewerThan },
      compose: (vector) => this.compose(vector, this.nextUnplanned()).sent,
    });
  }

  /** What results keep: by which vector, and as a part of which group, these bytes were sent. */
  readonly vectorOf = (one: Sent): Vector | undefined => this.vectors.get(one);
  readonly groupOf = (one: Sent): Group | undefined => this.groups.get(one);

  /** Sends a row, or says in the history why not. One that the plan does not have gets a number that no other has. */
  async send(row: Row, number = this.nextUnplanned(vectorsOf(row).length)): Promise<SentRow> {
    const received = isGroup(row) ? await this.sendGroup(row, number) : [await this.sendVector(row, number)];
    for (const one of received) if (one !== undefined && isGroup(row)) this.groups.set(one.sent, row);
    return { received, created: vectorsOf(row).flatMap((_vector, index) => this.byRow.get(number + index) ?? []) };
  }

  again(sent: Sent): Promise<Received | undefined> {
    return this.sender.again(sent);
  }

  skip(vector: Vector, number: number, reason: ReasonNotSent): void {
    this.parts.history.skip({ ...this.compose(vector, number), ...reason });
  }

  /** Those that were neither sent nor skipped, as if that was the reason. */
  unhandled(rows: readonly NumberedRow[], reason: ReasonNotSent): readonly Unsent[] {
    return rows.flatMap(({ row, number }) =>
      vectorsOf(row).flatMap((vector, index) =>
        this.handled.has(number + index) ? [] : [{ ...this.compose(vector, number + index), ...reason }],
      ),
    );
  }

  /** Enters why those that were neither sent nor skipped were not. */
  skipRest(rows: readonly NumberedRow[], reason: ReasonNotSent): void {
    for (const unsent of this.unhandled(rows, reason)) this.parts.history.skip(unsent);
  }

  countHandled(): number {
    return this.handledInPlan;
  }

  /** From now on, rows name these animals by their places: those of the first lists, then those created, in the order of the plan. */
  updateKnownAnimals(): void {
    this.knownIds = [...this.listed, ...this.animals()];
  }

  lists(ids: Iterable<bigint>): void {
    this.listed.push(...ids);
    this.updateKnownAnimals();
  }

  useCategory(id: bigint): void {
    this.categoryId = id;
  }

  useLetterCase(letterCase: LetterCase | undefined): void {
    this.letterCase = letterCase;
  }

  /** What failed while the service was down, once it is back; each once. */
  takeLost(): readonly Vector[] {
    return this.sender.takeLost();
  }

  reset(): void {
    this.sender.reset();
  }

  /** What was created, in the order of the plan. */
  animals(): readonly bigint[] {
    return [...this.byRow].sort(([one], [other]) => one - other).map(([, id]) => id);
  }

  created(): number {
    const { accepted, acceptedWrongly, lost } = this.sender.created();
    return accepted + acceptedWrongly + lost;
  }

  vectorsSent(): readonly Vector[] {
    return this.sent;
  }

  private compose(vector: Vector, number: number): ComposedRow {
    const { options, compose, history } = this.parts;
    const { apiKey, seed, runTag } = options;
    const { categoryId, letterCase, knownIds } = this;
    const cookies = latestCookies(history.now().cookies);
    return { vector, sent: compose(vector, { apiKey, seed, rowNumber: number, runTag, letterCase, categoryId, knownIds, cookies }) };
  }

  private nextUnplanned(rows = 1): number {
    this.unplanned += rows;
    return this.unplanned - rows;
  }

  private reasonNotTo(vector: Vector): ReasonNotSent | undefined {
    const reason = this.parts.stopped();
    if (reason !== undefined || this.knownIds.length > 0) return reason;
    if (!asksForKnownAnimal(vector) && !needsAnimal(vector)) return undefined;
    const needs = this.parts.history.now().all.find(({ facts }) => facts.operation === 'listPets')?.number;
    return { why: 'circumstance', missing: 'an animal', ...(needs === undefined ? {} : { needs }) };
  }

  private async sendVector(
    vector: Vector,
    number: number,
    where: { readonly lane?: Lane; readonly atOnce?: boolean } = {},
  ): Promise<Received | undefined> {
    const reason = this.reasonNotTo(vector);
    if (number < READ_BACK && !this.handled.has(number)) this.handledInPlan += 1;
    this.handled.add(number);
    if (reason !== undefined) {
      this.skip(vector, number, reason);
      return undefined;
    }
    const row = this.compose(vector, number);
    this.vectors.set(row.sent, vector);
    const received = await this.sender.send(row, where);
    if (received === undefined) return undefined;
    this.sent.push(vector);
    const id = animalOf(received, this.parts.history.now());
    if (id !== undefined) this.byRow.set(number, id);
    return received;
  }

  private async sendGroup(group: Group, number: number): Promise<readonly (Received | undefined)[]> {
    if (group.how === 'in turn') return this.sendInTurn(group, number);
    return Promise.all(
      group.rows.map((vector, index) => this.sendVector({ ...vector, connection: 'fresh' }, number + index, { atOnce: true })),
    );
  }

  private async sendInTurn({ rows, pause }: Group, number: number): Promise<readonly (Received | undefined)[]> {
    const lane = this.parts.lanes.open();
    try {
      const all: Promise<Received | undefined>[] = [];
      for (const [index, vector] of rows.entries()) {
        if (pause !== undefined && index === rows.length - 1) await wait(pause);
        // What is created in turn is known at once: nothing else is sent at the same time.
        this.updateKnownAnimals();
        // Of a distant service, what was created is read while the next one is created.
        const isUncounted = this.parts.isFar() && vector.op === 'get' && rows.some(({ op }) => op === 'create');
        const sending = this.sendVector(vector, number + index, isUncounted ? {} : { lane });
        all.push(sending);
        if (!isUncounted) await sending;
      }
      return await Promise.all(all);
    } finally {
      await lane.close();
    }
  }
}
