// What is sent again to see whether broken clauses are repaired: the fewest rows by which a run has seen each of them broken.

import { type ClauseId, isBinding } from '../clause/clause.ts';
import type { ReportedAgain } from '../clause/clause-record.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../clause/limits.ts';
import { casesOf, explain, type JudgedCase } from '../oracle/rows/blame.ts';
import { type Exchange, hasKey, isCreation } from '../oracle/rows/exchange.ts';
import type { Clause } from '../oracle/rows/rule.ts';
import { judge, type Verdict } from '../oracle/rows/verdicts.ts';
import { limitIn, statusIn } from '../oracle/rows/view.ts';
import { createWorld, type World } from '../oracle/rows/world.ts';
import { type Group, isGroup, type Row, vectorsOf } from '../plan/row.ts';
import type { Vector } from '../session/rows.ts';
import type { RowsResult } from './rows-run.ts';

/** By what a clause is seen to be broken once more. */
export type Again = { readonly clause: ClauseId } & ReportedAgain;

/** What a run has sent as one row, and its exchanges. */
type Piece = { readonly row: Row; readonly exchanges: readonly Exchange[]; readonly cost: number };
/** A case, and the rows that show it. */
type Shown = { readonly one: JudgedCase; readonly pieces: readonly Piece[]; readonly must: string | undefined };

/** An idle time that is a part of what was asked, in milliseconds. */
const IDLE = 1_000;
/** So many cases are tried together before all rows are, and so many histories are judged for a clause. */
const [MOST_CASES, MOST_JUDGED] = [32, 40];
/** Requests for a clause: by which it was seen broken at all, and with more of its `must`s. */
const [MOST_NEEDED, MOST_WANTED] = [60, 24];
/** What comes and goes is asked so often that this share of repairs is told by chance, as far as so many requests are enough. */
const [CHANCE, MOST_REPEATED] = [0.05, 48];
/** What was sent several times says how often it breaks a clause: that is worth half a request. */
const ONCE = 0.5;

type Told = Pick<RowsResult, 'world' | 'verdicts' | 'conditions' | 'vectorOf' | 'groupOf'>;

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);
const createsIn = (row: Row): number => vectorsOf(row).filter(({ op }) => op === 'create').length;
const vectorsIn = (pieces: Iterable<Piece>): number => sum([...pieces].map(({ row }) => vectorsOf(row).length));

/** So many animals have to be there for a list to show more than its limit allows, as it did. */
function needs(exchange: Exchange): number {
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
  return vectorsOf(row).length + 3 * createsIn(row) + pause + special + Math.max(...exchanges.map(needs));
}

/** The rows of a run by their exchanges. */
function piecesOf({ world, vectorOf, groupOf }: Told): ReadonlyMap<Exchange, Piece> {
  const inOrder = world.all.toSorted((one, other) => one.at - other.at);
  const groups = Map.groupBy(inOrder, ({ sent }) => groupOf(sent));
  const made = new Map<Group, Piece>();
  let latest = 0;
  return new Map(
    inOrder.flatMap((exchange): readonly (readonly [Exchange, Piece])[] => {
      const [group, vector] = [groupOf(exchange.sent), vectorOf(exchange.sent)];
      const isAfterPause = exchange.at - latest > IDLE;
      latest = Math.max(latest, exchange.done);
      if (vector === undefined) return [];
      const row: Row = group ?? (isAfterPause ? { how: 'in turn', rows: [vector], pause: IDLE } : vector);
      const exchanges = group === undefined ? [exchange] : (groups.get(group) ?? []);
      const piece = (group === undefined ? undefined : made.get(group)) ?? { row, exchanges, cost: costOf(row, exchanges) };
      if (group !== undefined) made.set(group, piece);
      return [[exchange, piece]];
    }),
  );
}

/** Chooses for one clause after another. */
class Chooser {
  private readonly told: Told;
  private readonly clauses: readonly Clause[];
  private readonly cases: ReturnType<typeof explain>;
  private readonly pieces: ReadonlyMap<Exchange, Piece>;
  /** What every run begins with: up to its first animal. */
  private readonly opening: readonly Exchange[];
  /** How often each row was sent. */
  private readonly sent: ReadonlyMap<string, number>;
  private judged = 0;

  constructor(told: Told, clauses: readonly Clause[]) {
    const { all } = told.world;
    this.told = told;
    this.clauses = clauses;
    this.cases = explain(casesOf(clauses, told.world), told.world);
    this.pieces = piecesOf(told);
    const rows = Map.groupBy(new Set(this.pieces.values()), ({ row }) => JSON.stringify(row));
    this.sent = new Map([...rows].map(([key, { length }]) => [key, length]));
    this.opening = all.slice(0, all.findIndex((one) => isCreation(one) && one.read.pet !== undefined) + 1);
  }

  choose({ clause, broken }: Verdict): Again {
    this.judged = 0;
    const costIn = ({ pieces }: Shown): number => sum(pieces.map((piece) => piece.cost + (this.isRepeated(piece) ? 0 : ONCE)));
    const shown = broken.map((one) => this.shown(one, clause)).toSorted((a, b) => costIn(a) - costIn(b));
    const least = this.leastOf(clause, shown);
    const chosen = new Set(least ?? shown.slice(0, 1).flatMap(({ pieces }) => pieces));
    // One of each `must`, as far as there is room.
    for (const [first] of Map.groupBy(shown, ({ must }) => must).values())
      if (first !== undefined && vectorsIn(new Set([...chosen, ...first.pieces])) <= MOST_WANTED)
        for (const piece of first.pieces) chosen.add(piece);
    const isChosen = ({ pieces }: Shown): boolean => pieces.every((piece) => chosen.has(piece));
    const own = shown.filter(isChosen);
    const store = storeOf(broken, own, this.told.world);
    return {
      clause: clause.id,
      rows: rowsOf([...chosen], this.told.world),
      musts: clause.must.flatMap(({ title }) => (own.some(({ must }) => must === title) ? [title] : [])),
      ...this.animalsFor([...chosen]),
      ...(store === undefined ? {} : { store }),
      ...(least === undefined ? { doubt: 'only the company of a whole run has shown it' } : {}),
      // What came and went with the store is no matter of chance.
      ...(least === undefined || store !== undefined ? {} : this.repeating(clause.id, own, chosen)),
    };
  }

  private isRepeated({ row }: Piece): boolean {
    return (this.sent.get(JSON.stringify(row)) ?? 0) > 1;
  }

  private shown(one: JudgedCase, clause: Clause): Shown {
    const { world } = this.told;
    const { exchange, breach, animal } = one;
    const birth = animal === undefined ? undefined : world.animals.get(animal)?.birth;
    const exchanges = [...(birth === undefined ? [] : [birth]), ...(breach?.shown ?? []), exchange];
    return {
      one,
      pieces: [...new Set(exchanges.flatMap((each) => this.pieces.get(each) ?? []))],
      must: clause.must.find(({ meets }) => meets(one, world))?.title,
    };
  }

  /** The fewest rows by which the clause is broken: those of some of its cases, or any; undefined if these are too many. */
  private leastOf(clause: Clause, shown: readonly Shown[]): readonly Piece[] | undefined {
    for (let count = 1; count < 2 * Math.min(shown.length, MOST_CASES); count *= 2) {
      const pieces = [...new Set(shown.slice(0, count).flatMap((one) => one.pieces))];
      if (this.isBroken(clause, pieces)) return this.reduced(clause, pieces);
    }
    // Experiments need what is right, too.
    const judged = (this.cases.get(clause.id) ?? []).flatMap(({ exchange }) => this.pieces.get(exchange) ?? []);
    const related = [...new Set([...shown.flatMap(({ pieces }) => pieces), ...judged])];
    const all = this.reduced(clause, this.isBroken(clause, related) ? related : [...new Set(this.pieces.values())]);
    return vectorsIn(all) <= MOST_NEEDED ? all : undefined;
  }

  /** Without what it is broken without, in halves, quarters, and so on. */
  private reduced(clause: Clause, all: readonly Piece[]): readonly Piece[] {
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
  private isBroken({ id }: Clause, pieces: readonly Piece[]): boolean {
    this.judged += 1;
    const { world } = this.told;
    const kept = new Set([...this.opening, ...pieces.flatMap(({ exchanges }) => exchanges)]);
    const part = createWorld(world.run);
    for (const exchange of world.all) if (kept.has(exchange)) part.add(exchange);
    return judge(this.clauses, part.now()).some(({ clause, verdict }) => clause.id === id && verdict === 'fail');
  }

  /** How many animals a list of these rows needs to show too many again. */
  private animalsFor(chosen: readonly Piece[]): Pick<Again, 'animals'> {
    const [largest] = chosen.flatMap(({ exchanges }) => exchanges).toSorted((a, b) => needs(b) - needs(a));
    if (largest === undefined || needs(largest) === 0) return {};
    const status = statusIn(largest);
    return { animals: { least: needs(largest), ...(status === undefined ? {} : { status }) } };
  }

  /** How often the rows are sent, if not every time breaks the clause. */
  private repeating(clause: ClauseId, own: readonly Shown[], chosen: ReadonlySet<Piece>): Pick<Again, 'times' | 'doubt'> {
    const { broken, of } = this.shareOf(clause, own);
    if (broken === of) return {};
    const wanted = Math.ceil(Math.log(CHANCE) / Math.log(1 - broken / of));
    const each = sum([...chosen].map(({ row }) => vectorsOf(row).length + 3 * createsIn(row)));
    const times = Math.max(1, Math.min(wanted, Math.floor(MOST_REPEATED / each)));
    return {
      ...(times > 1 ? { times } : {}),
      ...(times < wanted ? { doubt: `it came and went: ${broken} of ${of} such requests broke it` } : {}),
    };
  }

  /** How many of the very same requests broke the clause; where a case is about an animal, of the animals that were created by them. */
  private shareOf(clause: ClauseId, own: readonly Shown[]): { readonly broken: number; readonly of: number } {
    const { conditions, world } = this.told;
    const subjectOf = ({ exchange, animal }: JudgedCase): Exchange | undefined =>
      animal === undefined ? exchange : world.animals.get(animal)?.birth;
    const found = conditions.find((one) => one.clause === clause);
    // It was sent again to learn when it fails, and did not fail each time.
    if (found?.by === 'silence' && found.failing !== undefined && found.broken.broken > 0) return found.broken;
    const rows = new Set(own.flatMap(({ one }) => this.rowOf(subjectOf(one)) ?? []));
    const told = new Map<Exchange, boolean>();
    for (const one of this.cases.get(clause) ?? []) {
      const subject = one.explainedBy === undefined ? subjectOf(one) : undefined;
      if (subject !== undefined && rows.has(this.rowOf(subject) ?? ''))
        told.set(subject, told.get(subject) === true || one.breach !== undefined);
    }
    const broken = [...told.values()].filter(Boolean).length;
    return broken === 0 ? { broken: 1, of: 1 } : { broken, of: told.size };
  }

  private rowOf(exchange: Exchange | undefined): string | undefined {
    const piece = exchange === undefined ? undefined : this.pieces.get(exchange);
    return piece === undefined || exchange === undefined ? undefined : JSON.stringify([piece.row, this.told.vectorOf(exchange.sent)]);
  }
}

/** How many animals the run knows with a list, of those that it may show. */
function animalsAt(list: Exchange, { seen, shownFirst }: World): number {
  const status = statusIn(list);
  return [...shownFirst].filter(([id, at]) => at <= list.done && (status === undefined || seen.get(id)?.status === status)).length;
}

/** What the store was like: empty, each time that the clause was broken; or with so few animals that the lists that are asked again had room for all. */
function storeOf(broken: readonly JudgedCase[], own: readonly Shown[], world: World): Again['store'] {
  const isList = ({ facts }: Exchange): boolean => facts.list !== undefined;
  if (broken.every(({ exchange }) => isList(exchange) && animalsAt(exchange, world) === 0)) return 'empty';
  const lists = own.flatMap(({ one: { exchange, rule } }) => (isList(exchange) && rule.layer === 'history' ? [exchange] : []));
  return lists.length > 0 && lists.length === own.length && lists.every((one) => hadRoom(one, world)) ? 'with room' : undefined;
}

/** The rows in the order in which they were sent, in which animals have places instead of ids. */
function rowsOf(pieces: readonly Piece[], { animals }: World): readonly Row[] {
  const inOrder = pieces.toSorted((a, b) => (a.exchanges[0]?.at ?? 0) - (b.exchanges[0]?.at ?? 0));
  const born: bigint[] = [];
  const placed = (vector: Vector): Vector => {
    if (vector.op !== 'get' || typeof vector.id !== 'string' || !/^=-?\d+$/.test(vector.id)) return vector;
    const id = BigInt(vector.id.slice(1));
    if (animals.get(id)?.birth === undefined) return vector;
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
export function againOf(told: Told, clauses: readonly Clause[]): readonly Again[] {
  const failed = told.verdicts.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return [];
  const chooser = new Chooser(told, clauses);
  return failed.map((verdict) => chooser.choose(verdict));
}

/** What a run of the rows of `againOf` says about each clause that was broken. */
export type Repair = {
  readonly repaired: readonly ClauseId[];
  readonly broken: readonly ClauseId[];
  /** Required and implied clauses that were not broken before. */
  readonly newlyBroken: readonly ClauseId[];
  readonly undecided: readonly { readonly clause: ClauseId; readonly reason: string }[];
};

/** Whether what was broken holds now: only where the `must`s are met by which it was broken, in a store like the one of then. */
export function repairOf(again: readonly Again[], { verdicts, world }: Pick<RowsResult, 'verdicts' | 'world'>): Repair {
  const byClause = new Map(verdicts.map((one) => [one.clause.id as ClauseId, one]));
  const wereBroken = new Set(again.map(({ clause }) => clause));
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail');
  const told = again
    .filter(({ clause }) => byClause.get(clause)?.verdict !== 'fail')
    .map((one) => ({ clause: one.clause, reason: doubtOf(one, byClause.get(one.clause), world) }));
  return {
    repaired: told.flatMap(({ clause, reason }) => (reason === undefined ? [clause] : [])),
    broken: failed.flatMap(({ clause: { id } }) => (wereBroken.has(id) ? [id] : [])),
    newlyBroken: failed.flatMap(({ clause }) => (isBinding(clause) && !wereBroken.has(clause.id) ? [clause.id] : [])),
    undecided: told.flatMap(({ clause, reason }) => (reason === undefined ? [] : [{ clause, reason }])),
  };
}

/** Whether the last of the longest lists with each status for which these rows ask has room for all animals. */
function haveRoom(rows: Again['rows'], lists: readonly Exchange[], world: World): boolean {
  const vectors = rows.flatMap((row) => vectorsOf(row as Row));
  const filters = new Set(vectors.flatMap((vector) => (vector.op === 'list' ? [vector.status ?? 'none'] : [])));
  return [...filters].every((filter) => {
    const last = lists.findLast((one) => limitIn(one) === LARGEST_LIMIT && (statusIn(one) ?? 'none') === filter);
    return last !== undefined && hadRoom(last, world);
  });
}

/** Why it is not known whether the clause holds now. */
function doubtOf({ musts, doubt, store, rows }: Again, verdict: Verdict | undefined, world: World): string | undefined {
  if (verdict === undefined) return 'this version does not judge it';
  if (verdict.verdict !== 'pass') return verdict.note;
  const unmet = verdict.unmet.find(({ title }) => musts.includes(title));
  if (unmet !== undefined) return `not met: ${unmet.title} (${unmet.missing})`;
  const lists = world.exchanges.filter((one) => hasKey(one) && one.facts.list !== undefined);
  if (store === 'empty' && !lists.some((one) => animalsAt(one, world) === 0))
    return 'the lists that broke it had no animal to show, and now there are some';
  if (store === 'with room' && !haveRoom(rows, lists, world))
    return 'the lists that broke it had room for all animals, and now there are too many';
  return doubt;
}

/** The run is green: nothing is broken, and nothing that was is undecided. */
export const isRepaired = ({ broken, newlyBroken, undecided }: Repair): boolean =>
  broken.length + newlyBroken.length + undecided.length === 0;
