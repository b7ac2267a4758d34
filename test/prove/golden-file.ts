import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './result.ts';

/** Verdicts as letters, so that a server is a line: runs of one letter are counted (`P12F`). */
const LETTERS: Readonly<Record<string, string>> = { pass: 'P', fail: 'F', inconclusive: 'I', 'not-applicable': 'N', observed: 'O' };
const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(LETTERS).map(([word, letter]) => [letter, word])),
  '-': 'absent',
};
const FILE = new URL('./golden.json', import.meta.url);

/** Changes that were taken over although they need a reason, and the reason. */
export type Accepted = { readonly reason: string; readonly changes: readonly string[] };

type Kept = { readonly accepted?: Accepted; readonly parts: readonly string[]; readonly servers: Readonly<Record<string, string>> };

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

function encode(letters: string): string {
  return letters.replace(/(.)\1+/g, (run, letter: string) => `${letter}${run.length}`);
}

function decode(encoded: string): string {
  return encoded.replace(/(\D)(\d*)/g, (_run, letter: string, count: string) => letter.repeat(count === '' ? 1 : Number(count)));
}

function goldenFrom({ parts, servers }: Kept): Golden {
  const letters = new Map(Object.entries(servers).map(([server, encoded]) => [server, decode(encoded)]));
  const index = new Map(parts.map((part, at) => [part, at]));
  const failed = (line: string) => parts.filter((_part, at) => line[at] === 'F').map((part) => part.split('/')[0] ?? '');
  return {
    servers: [...letters.keys()],
    parts,
    verdict(server, part) {
      const line = letters.get(server);
      return line === undefined ? undefined : WORDS[line[index.get(part) ?? -1] ?? '-'];
    },
    broken: new Map(
      [...letters].flatMap(([server, line]) => {
        const [kind, name = ''] = server.split(' ');
        return kind === 'fault' ? [[name, [...new Set(failed(line))]] as const] : [];
      }),
    ),
  };
}

function keptOf(results: readonly Result[]): Kept {
  const parts = [...new Set(results.flatMap((result) => Object.keys(result.parts)))].sort();
  const servers = results
    .map(
      (result) =>
        [`${result.kind} ${result.name}`, encode(parts.map((part) => LETTERS[result.parts[part]?.verdict ?? ''] ?? '-').join(''))] as const,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { parts, servers: Object.fromEntries(servers) };
}

/** The verdicts of a pass. */
export function goldenOf(results: readonly Result[]): Golden {
  return goldenFrom(keptOf(results));
}

/** The verdicts that are kept in git. */
export function readGolden(): Golden {
  return goldenFrom(JSON.parse(readFileSync(FILE, 'utf8')) as Kept);
}

/** Keeps the verdicts of a pass, with the changes that were accepted last. */
export function writeGolden(results: readonly Result[], accepted: Accepted | undefined): void {
  writeFileSync(FILE, `${JSON.stringify({ ...(accepted === undefined ? {} : { accepted }), ...keptOf(results) }, null, 1)}\n`);
}
