// Sends the rows of one phase after another: in order or at the same time, with reads of what they create, halves of what was rejected, and what came
// too early once more.

import { requestsToRepeat } from '../oracle/blame.ts';
import type { Clause } from '../oracle/rule.ts';
import type { World } from '../oracle/world.ts';
import type { Plan } from '../plan/choose.ts';
import { isGroup, type Row } from '../plan/row.ts';
import { createSplitter } from '../plan/split.ts';
import type { ReasonNotSent } from '../session/history.ts';
import type { Vector } from '../session/vector.ts';
import type { Client } from '../wire/client.ts';
import { creates, LEAST_OF_DISTANT, MOST_CHAINS, type NumberedPhase } from './distance.ts';
import type { RunTime } from './run-time.ts';
import { type RowSending, readBackNumber } from './sending.ts';

const [ROWS_IN_FLIGHT, ROWS_IN_FLIGHT_OF_SLOW] = [3, 8];
/** Rounds of asking again in one place, how many requests a round has, and how often a run waits until what it asked counts. */
const [ROUNDS, MOST_AGAIN, MOST_WAITS] = [4, 24, 2];
/** If more reads of created animals wait, so many of them are sent, after so many other rows. */
const [READ_EARLY, READS, AFTER_ROWS] = [8, 4, 5];

const NOT_SPLIT: ReasonNotSent = {
  why: 'circumstance',
  missing: 'it was rejected with other values, and no request was left to ask it alone',
};

/** Of animals in the order of creation, the first and the last ones, and some of those between. */
const [OLDEST, NEWEST, BETWEEN] = [8, 12, 16];
function ofAllAges(ids: readonly bigint[]): readonly bigint[] {
  if (ids.length <= OLDEST + NEWEST + BETWEEN) return ids;
  const between = ids.slice(OLDEST, -NEWEST);
  const some = Array.from({ length: BETWEEN }, (_unused, index) => between[Math.floor((index * between.length) / BETWEEN)] ?? 0n);
  return [...ids.slice(0, OLDEST), ...some, ...ids.slice(-NEWEST)];
}

type QueuedRow = { readonly row: Row; readonly number?: number };

const unnumbered = (rows: readonly Row[]): QueuedRow[] => rows.map((row) => ({ row }));

export const readOf = (id: bigint): Vector => ({ op: 'get', id: `=${id}` });

type Parts = {
  readonly client: Pick<Client, 'elapsed' | 'requests' | 'places' | 'isLate'>;
  readonly clauses: readonly Clause[];
  readonly now: () => World;
  readonly rows: RowSending;
  readonly time: RunTime;
  /** Milliseconds of the quickest response. */
  readonly quickest: () => number;
  readonly onRow: (phase: string) => void;
};

/** The rows of a phase that are still to be sent, and what follows from those that were. */
class PhaseQueue {
  private readonly phase: NumberedPhase;
  private readonly parts: Parts & Pick<Phases, 'isFar' | 'splitter' | 'readBack'>;
  private readonly laterReads: QueuedRow[] = [];
  private readonly readsInFlight: Promise<unknown>[] = [];

  constructor(phase: NumberedPhase, parts: PhaseQueue['parts']) {
    this.phase = phase;
    this.parts = parts;
  }

  async send(queue: QueuedRow[]): Promise<void> {
    const { isFar, rows } = this.parts;
    if (this.phase.isInOrder !== true) await this.workOn(queue, this.width());
    else if (!isFar()) await this.work(queue);
    else {
      const chain = queue.filter(({ row }) => creates(row));
      await Promise.all([
        this.work(chain),
        this.workOn(
          queue.filter(({ row }) => !creates(row)),
          MOST_CHAINS,
        ),
      ]);
    }
    await Promise.all(this.readsInFlight);
    for (let lost = rows.takeLost(); lost.length > 0; lost = rows.takeLost()) await this.workOn(unnumbered(lost), ROWS_IN_FLIGHT);
  }

  private width(): number {
    const { client, isFar } = this.parts;
    return isFar() ? client.places() : client.isLate() ? ROWS_IN_FLIGHT_OF_SLOW : ROWS_IN_FLIGHT;
  }

  private async workOn(queue: QueuedRow[], width: number): Promise<void> {
    await Promise.all(Array.from({ length: width }, () => this.work(queue)));
  }

  private async work(queue: QueuedRow[]): Promise<void> {
    const { rows, splitter, onRow } = this.parts;
    const next = (): QueuedRow | undefined => queue.shift() ?? this.laterReads.shift();
    for (let queued = next(); queued !== undefined; queued = next()) {
      queue.push(...unnumbered(rows.takeLost()));
      const { row, number } = queued;
      const { received, created } = await rows.send(row, number);
      if (!isGroup(row)) queue.push(...unnumbered(splitter.after(row, received[0]?.response?.status)));
      onRow(this.phase.title);
      if (this.phase.readsBack === true) await this.readCreated(created, number, queue);
    }
  }

  /** Half of them at once, the others while other rows are sent, or after them. */
  private async readCreated(created: readonly bigint[], number: number | undefined, queue: QueuedRow[]): Promise<void> {
    const { isFar, readBack, rows } = this.parts;
    const isInOrder = this.phase.isInOrder === true;
    for (const id of created) {
      const read = { row: readBack(id, number ?? 0), number: readBackNumber(number ?? 0) };
      if (isInOrder && isFar()) this.readsInFlight.push(rows.send(read.row, read.number));
      else if (!isInOrder && (number ?? 1) % 2 === 0) await rows.send(read.row, read.number);
      else this.laterReads.push(read);
    }
    if (!isInOrder && this.laterReads.length > READ_EARLY)
      queue.splice(Math.min(queue.length, AFTER_ROWS), 0, ...this.laterReads.splice(0, READS));
  }
}

export class Phases {
  /** In the order of sending. */
  readonly sent: { readonly title: string; readonly from: number; readonly requests: number }[] = [];
  /** How often the run has waited until what came too early counts. */
  waits = 0;
  readBack: Plan['read'] = readOf;
  readonly splitter = createSplitter();
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Whether even the quickest response took as long as from afar: a busy machine, or a busy service, does not look like that. */
  readonly isFar = (): boolean => {
    const quickest = this.parts.quickest();
    return quickest >= LEAST_OF_DISTANT && quickest !== Number.POSITIVE_INFINITY;
  };

  async run(phase: NumberedPhase): Promise<void> {
    const { rows, time } = this.parts;
    await this.timed(phase.title, async () => {
      time.isEnd = phase.isLast === true;
      if (phase.pause !== undefined && time.reasonToStop() === undefined) await time.wait(phase.pause);
      rows.updateKnownAnimals();
      const reads = phase.readsAll === true ? unnumbered(ofAllAges(rows.animals()).map(readOf)) : [];
      const { isFar, readBack, splitter } = this;
      await new PhaseQueue(phase, { ...this.parts, isFar, readBack, splitter }).send([...phase.rows, ...reads]);
      if (phase.settles !== undefined) await this.repeatTooEarly(phase.settles === 'once' ? 1 : ROUNDS);
    });
  }

  /** Enters what the work sends, if it sends anything. */
  async timed<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
    const { client } = this.parts;
    const [from, before] = [client.elapsed(), client.requests()];
    const result = await work();
    const requests = client.requests() - before;
    if (requests > 0) this.sent.push({ title, from, requests });
    return result;
  }

  /** Enters why values that were rejected in packs were not asked alone. */
  skipUnanswered(): void {
    for (const vector of this.splitter.unanswered()) this.parts.rows.skip(vector, 0, NOT_SPLIT);
  }

  /** What came too early to count is asked again once it counts: the same bytes. A service that does not lag is not waited for. */
  private async repeatTooEarly(rounds: number): Promise<void> {
    const { client, clauses, now, rows, time } = this.parts;
    for (let round = 0, hasWaited = false; round < rounds && time.reasonToStop() === undefined; round += 1) {
      const all = requestsToRepeat(clauses, now());
      const latest = Math.max(...all.map(({ countsAfter }) => countsAfter));
      if (all.length > 0 && !hasWaited && this.waits < MOST_WAITS && latest > client.elapsed()) {
        this.waits += 1;
        hasWaited = true;
        await time.wait(latest - client.elapsed() + 1);
      }
      const countsAfter = all.filter((one) => one.countsAfter < client.elapsed());
      const due = new Map(countsAfter.map(({ exchange: { sent } }) => [JSON.stringify([sent.target, sent.headers]), sent]));
      if (due.size === 0) return;
      await Promise.all([...due.values()].slice(-MOST_AGAIN).map((sent) => rows.again(sent)));
    }
  }
}
