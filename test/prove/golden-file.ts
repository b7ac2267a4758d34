import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './result.ts';

const FILE = new URL('./golden.json', import.meta.url);
const ABSENT = 'absent';

/** Changes that were taken over although they need a reason, and the reason. */
export type Accepted = { readonly reason: string; readonly changes: readonly string[] };

/** By verdict, the parts that have it. */
type ByVerdict = Readonly<Record<string, readonly string[]>>;

type Kept = {
  readonly accepted?: Accepted;
  /** The verdict that most servers have on a part. */
  readonly usual: Readonly<Record<string, string>>;
  /** By the name of a server, the parts with another verdict than the usual one. */
  readonly servers: Readonly<Record<string, ByVerdict>>;
};

/** The verdict on every part of every server. */
export type Golden = {
  /** Names of servers with their kind: `fault limit-ignored`. */
  readonly servers: readonly string[];
  readonly parts: readonly string[];
  /** `pass`, `fail` ... or `absent` where the server has no such part; undefined for a server that is not there. */
  verdict(server: string, part: string): string | undefined;
  /** The clauses with a failed part, by the name of the fault. */
  readonly broken: ReadonlyMap<string, readonly string[]>;
};

function goldenFrom({ usual, servers }: Kept): Golden {
  const parts = Object.keys(usual);
  const unusual = new Map(
    Object.entries(servers).map(([server, byVerdict]) => [
      server,
      new Map(Object.entries(byVerdict).flatMap(([verdict, of]) => of.map((part) => [part, verdict] as const))),
    ]),
  );
  const verdict = (server: string, part: string): string | undefined => {
    const own = unusual.get(server);
    return own === undefined ? undefined : (own.get(part) ?? usual[part] ?? ABSENT);
  };
  return {
    servers: [...unusual.keys()],
    parts,
    verdict,
    broken: new Map(
      [...unusual.keys()].flatMap((server) => {
        const [kind, name = ''] = server.split(' ');
        const failed = parts.filter((part) => verdict(server, part) === 'fail').map((part) => part.split('/')[0] ?? '');
        return kind === 'fault' ? [[name, [...new Set(failed)]] as const] : [];
      }),
    ),
  };
}

const inOrder = (texts: Iterable<string>): readonly string[] => [...texts].sort();

function verdictOn(part: string, { parts }: Result): string {
  return parts[part]?.verdict ?? ABSENT;
}

/** The verdict of most results; the first of the alphabet where several are as frequent. */
function usualOn(part: string, results: readonly Result[]): string {
  const all = Map.groupBy(results, (result) => verdictOn(part, result));
  const [usual = ABSENT] = inOrder(all.keys()).toSorted((a, b) => (all.get(b)?.length ?? 0) - (all.get(a)?.length ?? 0));
  return usual;
}

function unusualIn(result: Result, usual: Readonly<Record<string, string>>): ByVerdict {
  const parts = Object.keys(usual).filter((part) => verdictOn(part, result) !== usual[part]);
  const byVerdict = Map.groupBy(parts, (part) => verdictOn(part, result));
  return Object.fromEntries(inOrder(byVerdict.keys()).map((verdict) => [verdict, byVerdict.get(verdict) ?? []]));
}

function keptOf(results: readonly Result[]): Kept {
  const parts = inOrder(new Set(results.flatMap((result) => Object.keys(result.parts))));
  const usual = Object.fromEntries(parts.map((part) => [part, usualOn(part, results)]));
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

/** The verdicts of a pass as JSON with a readable diff: a line for each part, and a line for each server with its unusual verdicts only. */
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
