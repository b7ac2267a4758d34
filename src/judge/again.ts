// What is sent again to see whether broken clauses are repaired: the fewest rows by which a run has seen each of them broken.

import { type ClauseId, isBinding } from '../clause/clause.ts';
import type { ReportedAgain } from '../clause/clause-record.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../clause/limits.ts';
import type { JudgedCase } from '../oracle/blame.ts';
import { type Exchange, hasKey, isCreation } from '../oracle/exchange.ts';
import type { Clause } from '../oracle/rule.ts';
import { limitIn, statusIn } from '../oracle/timeline-view.ts';
import { judgeHistory, type Verdict } from '../oracle/verdicts.ts';
import { createWorld, type World } from '../oracle/world.ts';
import { type Group, isGroup, type Row, vectorsOf } from '../plan/row.ts';
import type { Sent, Vector } from '../session/vector.ts';
import type { Repair, Undecided } from './repair.ts';

/** By what a clause is seen to be broken once more. */
export type Again = { readonly clause: ClauseId } & ReportedAgain;

type SentPiece = { readonly row: Row; readonly exchanges: readonly Exchange[]; readonly cost: number };
type ShownCase = { readonly one: JudgedCase; readonly pieces: readonly SentPiece[]; readonly must: string | undefined };

/** An idle time that is a part of what was asked, in milliseconds. */
const COUNTED_IDLE = 1_000;
/** So many cases are tried together, and so many exchanges are judged for a clause. */
const [MOST_CASES, MOST_JUDGED] = [32, 1_000];
const MOST_COST = 24;
export const NOT_REPEATED =
  'what was wrong then is right now; the run that found it did not repeat these requests, so that only a whole run can confirm it';
export const NOT_EACH_TIME =
  'what was wrong then is right now; but when the run that found it repeated these requests, they did not show it each time: only a whole run can confirm it';

type Judged = { readonly world: World; readonly verdicts: readonly Verdict[] };
type JudgedHistory = Judged & {
  readonly vectorOf: (sent: Sent) => Vector | undefined;
  readonly groupOf: (sent: Sent) => Group | undefined;
};

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);
const costIn = (pieces: Iterable<SentPiece>): number => sum([...pieces].map(({ cost }) => cost));
const createsIn = (row: Row): number => vectorsOf(row).filter(({ op }) => op === 'create').length;

/** So many animals have to be there for a list to show more than its limit allows, as it did. */
function animalsNeededBy(exchange: Exchange): number {
  const limit = limitIn(exchange) ?? DEFAULT_LIMIT;
  return exchange.facts.list !== undefined && exchange.read.size > limit ? limit + 1 : 0;
}

/** Whether a list shows fewer animals than it may, and there are no more of them. */
function hadRoom(list: Exchange, world: World): boolean {
  const limit = limitIn(list) ?? DEFAULT_LIMIT;
  return list.read.pets !== undefined && list.read.size < limit && animalsAt(list, world) < limit;
}

/** The requests of a row, the animals that it leaves or needs, its pause, and, of two that cost the same, what is special about it. */
function costOf(row: Row, exchanges: readonly Exchange[]): number {
  const special = sum(vectorsOf(row).map((vector) => Object.keys(vector).length)) / 100;
  const pause = isGroup(row) && row.pause !== undefined ? 1 : 0;
  return vectorsOf(row).length + 3 * createsIn(row) + pause + special + Math.max(...exchanges.map(animalsNeededBy));
}

function piecesOf({ world, vectorOf, groupOf }: JudgedHistory): ReadonlyMap<Exchange, SentPiece> {
  const inOrder = world.all.toSorted((one, other) => one.at - other.at);
  const groups = Map.groupBy(inOrder, ({ sent }) => groupOf(sent));
  const made = new Map<Group, SentPiece>();
  let latest = 0;
  return new Map(
    inOrder.flatMap((exchange): readonly (readonly [Exchange, SentPiece])[] => {
      const [group, vector] = [groupOf(exchange.sent), vectorOf(exchange.sent)];
      const isAfterPause = exchange.at - latest > COUNTED_IDLE;
      latest = Math.max(latest, exchange.done);
      if (vector === undefined) return [];
      const row: Row = group ?? (isAfterPause ? { how: 'in turn', rows: [vector], pause: COUNTED_IDLE } : vector);
      const exchanges = group === undefined ? [exchange] : (groups.get(group) ?? []);
      const piece = (group === undefined ? undefined : made.get(group)) ?? { row, exchanges, cost: costOf(row, exchanges) };
      if (group !== undefined) made.set(group, piece);
      return [[exchange, piece]];
    }),
  );
}

export function judgePart(exchanges: Iterable<Exchange>, clauses: readonly Clause[], { run }: World): Judged {
  const part = createWorld(run);
  for (const exchange of exchanges) part.add(exchange);
  const world = part.now();
  return { world, verdicts: judgeHistory(clauses, world) };
}

class RowChooser {
  private readonly history: JudgedHistory;
  private readonly clauses: readonly Clause[];
  private readonly pieces: ReadonlyMap<Exchange, SentPiece>;
  /** What every run begins with: up to its first animal. */
  private readonly opening: readonly Exchange[];
  private judged = 0;

  constructor(history: JudgedHistory, clauses: readonly Clause[]) {
    const { all } = history.world;
    this.history = history;
    this.clauses = clauses;
    this.pieces = piecesOf(history);
    this.opening = all.slice(0, all.findIndex((one) => isCreation(one) && one.read.pet !== undefined) + 1);
  }

  choose({ clause, broken }: Verdict): Again {
    this.judged = 0;
    const shown = broken.map((one) => this.shown(one, clause)).toSorted((a, b) => costIn(a.pieces) - costIn(b.pieces));
    const least = this.fewestPiecesFor(clause, shown);
    const chosen = new Set(least);
    // One of each `must`, and where no few cases show it, as many as there is room for. What was sent for no row cannot be sent again.
    const sent = shown.filter(({ pieces }) => pieces.length > 0);
    const firsts = [...Map.groupBy(sent, ({ must }) => must).values()].flatMap((all) => all.slice(0, 1));
    for (const { pieces } of [...firsts, ...(least === undefined ? sent : [])])
      if (chosen.size === 0 || costIn(new Set([...chosen, ...pieces])) <= MOST_COST) for (const piece of pieces) chosen.add(piece);
    const isChosen = ({ pieces }: ShownCase): boolean => pieces.every((piece) => chosen.has(piece));
    const own = sent.filter(isChosen);
    const store = storeOf(broken, own, this.history.world);
    return {
      clause: clause.id,
      rows: rowsOf([...chosen], this.history.world),
      musts: clause.must.flatMap(({ title }) => (own.some(({ must }) => must === title) ? [title] : [])),
      ...this.animalsFor([...chosen]),
      ...(store === undefined ? {} : { store }),
      doubt: least === undefined ? NOT_EACH_TIME : NOT_REPEATED,
    };
  }

  private shown(one: JudgedCase, clause: Clause): ShownCase {
    const { world } = this.history;
    const { exchange, breach, animal } = one;
    const exchanges = [...existenceOf(animal, exchange, world), ...(breach?.shown ?? []), exchange];
    return {
      one,
      pieces: [...new Set(exchanges.flatMap((each) => this.pieces.get(each) ?? []))],
      must: clause.must.find(({ meets }) => meets(one, world))?.title,
    };
  }

  /** The fewest rows of a few cases by which the clause is broken; undefined if it takes more. */
  private fewestPiecesFor(clause: Clause, shown: readonly ShownCase[]): readonly SentPiece[] | undefined {
    for (let count = 1; count < 2 * Math.min(shown.length, MOST_CASES) && this.judged < MOST_JUDGED; count *= 2) {
      const pieces = [...new Set(shown.slice(0, count).flatMap((one) => one.pieces))];
      if (this.isBroken(clause, pieces)) return this.withoutUnneeded(clause, pieces);
    }
    return undefined;
  }

  /** Without what it is broken without, in halves, quarters, and so on. */
  private withoutUnneeded(clause: Clause, all: readonly SentPiece[]): readonly SentPiece[] {
    let pieces = all;
    for (let size = Math.ceil(all.length / 2); ; size = Math.ceil(size / 2)) {
      for (let at = 0; at < pieces.length && pieces.length > 1 && this.judged < MOST_JUDGED; ) {
        const less = pieces.filter((_piece, index) => index < at || index >= at + size);
        if (less.length > 0 && this.isBroken(clause, less)) pieces = less;
        else at += size;
      }
      if (size <= 1) return pieces;
    }
  }

  /** Whether the opening and these rows alone show that it is broken. */
  private isBroken({ id }: Clause, pieces: readonly SentPiece[]): boolean {
    const { world } = this.history;
    const kept = new Set([...this.opening, ...pieces.flatMap(({ exchanges }) => exchanges)]);
    this.judged += kept.size;
    const { verdicts } = judgePart(
      world.all.filter((one) => kept.has(one)),
      this.clauses,
      world,
    );
    return verdicts.some(({ clause, verdict }) => clause.id === id && verdict === 'fail');
  }

  private animalsFor(chosen: readonly SentPiece[]): Pick<Again, 'animals'> {
    const [largest] = chosen.flatMap(({ exchanges }) => exchanges).toSorted((a, b) => animalsNeededBy(b) - animalsNeededBy(a));
    if (largest === undefined || animalsNeededBy(largest) === 0) return {};
    const status = statusIn(largest);
    return { animals: { least: animalsNeededBy(largest), ...(status === undefined ? {} : { status }) } };
  }
}

/** What shows that an animal is there: its creation; of one that the run has not created, the sights right before and after that exchange. */
function existenceOf(id: bigint | undefined, { at }: Exchange, { animals }: World): readonly Exchange[] {
  const animal = id === undefined ? undefined : animals.get(id);
  if (animal?.creation !== undefined) return [animal.creation];
  const seen = [...(animal?.sights.values() ?? [])]
    .flatMap((sights) => sights.map((sight) => sight.exchange))
    .toSorted((a, b) => a.at - b.at);
  return [seen.findLast((one) => one.at < at), seen.find((one) => one.at > at)].filter((one) => one !== undefined);
}

/** How many animals the run knows with a list, of those that it may show. */
function animalsAt(list: Exchange, { seen, shownFirst }: World): number {
  const status = statusIn(list);
  return [...shownFirst].filter(([id, at]) => at <= list.done && (status === undefined || seen.get(id)?.status === status)).length;
}

/** What the store was like: empty, each time that the clause was broken; or with so few animals that the lists that are asked again had room for all. */
function storeOf(broken: readonly JudgedCase[], own: readonly ShownCase[], world: World): Again['store'] {
  const isList = ({ facts }: Exchange): boolean => facts.list !== undefined;
  if (broken.every(({ exchange }) => isList(exchange) && animalsAt(exchange, world) === 0)) return 'empty';
  const lists = own.flatMap(({ one: { exchange, rule } }) => (isList(exchange) && rule.layer === 'history' ? [exchange] : []));
  return lists.length > 0 && lists.length === own.length && lists.every((one) => hadRoom(one, world)) ? 'with room' : undefined;
}

/** The rows in the order in which they were sent, in which animals have places instead of ids. */
function rowsOf(pieces: readonly SentPiece[], { creations }: World): readonly Row[] {
  const created = new Set(creations.flatMap(({ read }) => read.pet?.id ?? []));
  const inOrder = pieces.toSorted((a, b) => (a.exchanges[0]?.at ?? 0) - (b.exchanges[0]?.at ?? 0));
  const born: bigint[] = [];
  const placed = (vector: Vector): Vector => {
    if (vector.op !== 'get' || typeof vector.id !== 'string' || !/^=-?\d+$/.test(vector.id)) return vector;
    const id = BigInt(vector.id.slice(1));
    if (!created.has(id)) return vector;
    return { ...vector, id: born.includes(id) ? born.indexOf(id) - born.length : -1 };
  };
  return inOrder.map(({ row, exchanges }): Row => {
    const rows = vectorsOf(row).map(placed);
    for (const { read, sent } of exchanges) if (sent.method === 'POST' && read.pet !== undefined) born.push(read.pet.id);
    const [own = row] = rows;
    if (isGroup(row)) return { ...row, rows };
    // Which animals there are is known anew at each group.
    return own === row || isGroup(own) ? own : { how: 'in turn', rows: [own] };
  });
}

/** What `--failed` sends for each clause that a run has seen broken: plain data, without the API key and without ids of animals that the run created. */
export function againOf(history: JudgedHistory, clauses: readonly Clause[]): readonly Again[] {
  const failed = history.verdicts.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return [];
  const chooser = new RowChooser(history, clauses);
  return failed.map((verdict) => chooser.choose(verdict));
}

/** Whether the last of the longest lists with each status for which these rows ask has room for all animals. */
function listsHadRoom(rows: Again['rows'], lists: readonly Exchange[], world: World): boolean {
  const vectors = rows.flatMap((row) => vectorsOf(row as Row));
  const filters = new Set(vectors.flatMap((vector) => (vector.op === 'list' ? [vector.status ?? 'none'] : [])));
  return [...filters].every((filter) => {
    const last = lists.findLast((one) => limitIn(one) === LARGEST_LIMIT && (statusIn(one) ?? 'none') === filter);
    return last !== undefined && hadRoom(last, world);
  });
}

function whyStoreDiffers({ store, rows }: Again, world: World): string | undefined {
  const lists = world.exchanges.filter((one) => hasKey(one) && one.facts.list !== undefined);
  if (store === 'empty' && !lists.some((one) => animalsAt(one, world) === 0))
    return 'the lists that broke it had no animal to show, and now there are some';
  if (store === 'with room' && !listsHadRoom(rows, lists, world))
    return 'the lists that broke it had room for all animals, and now there are too many';
  return undefined;
}

/** Why these requests do not tell whether the clause holds; undefined if it seems to. */
export function whyUntold(again: Again, { verdicts, world }: Judged): string | undefined {
  const verdict = verdicts.find(({ clause }) => clause.id === again.clause);
  if (verdict === undefined) return 'this version does not judge it';
  if (verdict.verdict !== 'pass') return verdict.note;
  const unmet = verdict.unmet.find(({ title }) => again.musts.includes(title));
  if (unmet !== undefined) return `not met: ${unmet.title} (${unmet.missing})`;
  return whyStoreDiffers(again, world);
}

/**
 * Whether what was broken holds now: only where the `must`s are met by which it was broken, in a store like the one of then, and where nothing else is
 * broken that may hide it, or be the same under another name. An advised clause that was broken then did not hide it.
 */
export function repairOf(again: readonly Again[], judged: Judged): Repair {
  const wereBroken = new Set(again.map(({ clause }) => clause));
  const failed = judged.verdicts.flatMap(({ clause, verdict }) => (verdict === 'fail' ? [clause] : []));
  const hiding = failed.find((clause) => isBinding(clause) || !wereBroken.has(clause.id))?.id;
  const history = again
    .filter(({ clause }) => !failed.some(({ id }) => id === clause))
    .map((one) => ({ clause: one.clause, ...whyUndecided(one, judged, hiding) }));
  return {
    repaired: history.flatMap(({ clause, reason }) => (reason === undefined ? [clause] : [])),
    broken: failed.flatMap(({ id }) => (wereBroken.has(id) ? [id] : [])),
    newlyBroken: failed.flatMap((clause) => (isBinding(clause) && !wereBroken.has(clause.id) ? [clause.id] : [])),
    undecided: history.flatMap(({ reason, ...one }) => (reason === undefined ? [] : [{ ...one, reason }])),
  };
}

function whyUndecided(one: Again, judged: Judged, hiding: ClauseId | undefined): Partial<Pick<Undecided, 'reason' | 'hiddenBy'>> {
  const reason = whyUntold(one, judged) ?? one.doubt;
  if (reason !== undefined) return { reason };
  return hiding === undefined ? {} : { reason: `${hiding} is broken, which may hide it`, hiddenBy: hiding };
}
