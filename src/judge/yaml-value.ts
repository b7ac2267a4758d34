import { type Document, type LineCounter, visit } from 'yaml';

export type YamlValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly problem: string };

/** More aliases than anybody writes by hand: a few lines of them could expand to gigabytes. */
const MOST_ALIASES = 100;

/** The value of a document that was parsed without errors, unless its aliases can't be resolved: then the line and the reason. */
export function yamlValue(document: Document, lines: LineCounter): YamlValue {
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch {
    return { ok: false, ...aliasProblem(document, lines) };
  }
}

function aliasProblem(document: Document, lines: LineCounter): { line: number; problem: string } {
  let line = 1;
  let unknown: string | undefined;
  visit(document, {
    Alias(_key, alias) {
      if (unknown !== undefined) return;
      line = lines.linePos(alias.range?.[0] ?? 0).line;
      if (alias.resolve(document) === undefined) unknown = alias.source;
    },
  });
  if (unknown !== undefined)
    return { line, problem: `the alias *${unknown.slice(0, 40)} is undefined: no anchor &${unknown.slice(0, 40)} precedes it` };
  return { line, problem: 'its aliases expand to too much; write their contents out instead' };
}
