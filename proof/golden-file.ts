import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './result.ts';

const FILE = new URL('./golden.json', import.meta.url);
const ABSENT = 'absent';

/** Changes that were taken over although they need a reason, and the reason. */
export type Accepted = { readonly reason: string; readonly changes: readonly string[] };

/** By verdict, the clauses that have it. */
type ByVerdict = Readonly<Record<string, readonly string[]>>;

type Kept = {
  readonly accepted?: Accepted;
  /** The verdict that most servers have on a clause. */
  readonly usual: Readonly<Record<string, string>>;
  /** By the name of a server, the clauses with another verdict than the usual one. */
  readonly servers: Readonly<Record<string, ByVerdict>>;
};

/** The verdict on every clause for every server. */
export type Golden = {
  /** Names of servers with their kind: `fault limit-ignored`. */
  readonly servers: readonly string[];
  readonly clauses: readonly string[];
  /** `pass`, `fail` ... or `absent` where the run had no such clause; undefined for a server that is not there. */
  verdict(server: string, clause: string): string | undefined;
  /** The clauses that fail, by the name of the fault. */
  readonly broken: ReadonlyMap<string, readonly string[]>;
};

function goldenFrom({ usual, servers }: Kept): Golden {
  const clauses = Object.keys(usual);
  const unusual = new Map(
    Object.entries(servers).map(([server, byVerdict]) => [
      server,
      new Map(Object.entries(byVerdict).flatMap(([verdict, of]) => of.map((clause) => [clause, verdict] as const))),
    ]),
  );
  const verdict = (server: string, clause: string): string | undefined => {
    const own = unusual.get(server);
    return own === undefined ? undefined : (own.get(clause) ?? usual[clause] ?? ABSENT);
  };
  return {
    servers: [...unusual.keys()],
    clauses,
    verdict,
    broken: new Map(
      [...unusual.keys()].flatMap((server) => {
        const [kind, name = ''] = server.split(' ');
        return kind === 'fault' ? [[name, clauses.filter((clause) => verdict(server, clause) === 'fail')] as const] : [];
      }),
    ),
  };
}

const inOrder = (texts: Iterable<string>): readonly string[] => [...texts].sort();

function verdictOn(clause: string, { clauses }: Result): string {
  return clauses[clause]?.verdict ?? ABSENT;
}

/** The verdict of most results; the first of the alphabet where several are as frequent. */
function usualOn(clause: string, results: readonly Result[]): string {
  const all = Map.groupBy(results, (result) => verdictOn(clause, result));
  const [usual = ABSENT] = inOrder(all.keys()).toSorted((a, b) => (all.get(b)?.length ?? 0) - (all.get(a)?.length ?? 0));
  return usual;
}

function unusualIn(result: Result, usual: Readonly<Record<string, string>>): ByVerdict {
  const clauses = Object.keys(usual).filter((clause) => verdictOn(clause, result) !== usual[clause]);
  const byVerdict = Map.groupBy(clauses, (clause) => verdictOn(clause, result));
  return Object.fromEntries(inOrder(byVerdict.keys()).map((verdict) => [verdict, byVerdict.get(verdict) ?? []]));
}

function keptOf(results: readonly Result[]): Kept {
  const clauses = inOrder(new Set(results.flatMap((result) => Object.keys(result.clauses))));
  const usual = Object.fromEntries(clauses.map((clause) => [clause, usualOn(clause, results)]));
  const servers = new Map(results.map((result) => [`${result.kind} ${result.name}`, unusualIn(result, usual)]));
  return { usual, servers: Object.fromEntries(inOrder(servers.keys()).map((server) => [server, servers.get(server) ?? {}])) };
}

/** An object as JSON, with one member per line. */
function lineByLine(value: object): string {
  const lines = Object.entries(value).map(([name, member]) => `    ${JSON.stringify(name)}: ${JSON.stringify(member)}`);
  return `{\n${lines.join(',\n')}\n  }`;
}

/** The verdicts of a pass. */
export function goldenOf(results: readonly Result[]): Golden {
  return goldenFrom(keptOf(results));
}

/** The verdicts in a text that `renderGolden` wrote. */
export function parseGolden(text: string): Golden {
  return goldenFrom(JSON.parse(text) as Kept);
}

/** The verdicts of a pass as JSON with a readable diff: a line for each clause, and a line for each server with its unusual verdicts only. */
export function renderGolden(results: readonly Result[], accepted?: Accepted): string {
  const { usual, servers } = keptOf(results);
  const reason = accepted === undefined ? '' : `  "accepted": ${JSON.stringify(accepted, null, 2).replaceAll('\n', '\n  ')},\n`;
  return `{\n${reason}  "usual": ${lineByLine(usual)},\n  "servers": ${lineByLine(servers)}\n}\n`;
}

/** The verdicts that are kept in git. */
export function readGolden(): Golden {
  return parseGolden(readFileSync(FILE, 'utf8'));
}

/** Keeps the verdicts of a pass, with the changes that were accepted last. */
export function writeGolden(results: readonly Result[], accepted: Accepted | undefined): void {
  writeFileSync(FILE, renderGolden(results, accepted));
}
