// `node test/prove/golden.ts [--from FILE] [--write]`: holds the verdict on every part of every server against those kept in golden.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Result } from './result.ts';

/** Verdicts as letters, so that a server is a line: runs of one letter are counted (`P12F`). */
const LETTERS: Readonly<Record<string, string>> = { pass: 'P', fail: 'F', inconclusive: 'I', 'not-applicable': 'N', observed: 'O' };
const GOLDEN = new URL('./golden.json', import.meta.url);

type Golden = { readonly parts: readonly string[]; readonly servers: Readonly<Record<string, string>> };
type Change = { readonly server: string; readonly part: string; readonly before: string; readonly after: string };

function encode(letters: string): string {
  return letters.replace(/(.)\1+/g, (run, letter: string) => `${letter}${run.length}`);
}

function decode(encoded: string): string {
  return encoded.replace(/(\D)(\d*)/g, (_run, letter: string, count: string) => letter.repeat(count === '' ? 1 : Number(count)));
}

/** The verdicts of a pass, compactly. */
function goldenOf(results: readonly Result[]): Golden {
  const parts = [...new Set(results.flatMap((result) => Object.keys(result.parts)))].sort();
  const servers = results
    .map(
      (result) =>
        [`${result.kind} ${result.name}`, encode(parts.map((part) => LETTERS[result.parts[part]?.verdict ?? ''] ?? '-').join(''))] as const,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { parts, servers: Object.fromEntries(servers) };
}

function changesBetween(before: Golden, after: Golden): readonly Change[] {
  return Object.entries(after.servers).flatMap(([server, encoded]) => {
    const known = before.servers[server];
    if (known === undefined) return [];
    const [was, is] = [decode(known), decode(encoded)];
    return after.parts.flatMap((part, index) => {
      const [old, now] = [was[before.parts.indexOf(part)] ?? '-', is[index] ?? '-'];
      return old === now ? [] : [{ server, part, before: old, after: now }];
    });
  });
}

/** What needs no reason: a conforming server is judged where it was not; a faulty one is judged, whatever the verdict. */
function needsNoReason({ server, before, after }: Change): boolean {
  if (before !== 'I' && before !== '-') return false;
  return server.startsWith('variant') ? 'PNO'.includes(after) : true;
}

const { values } = parseArgs({
  options: { from: { type: 'string', default: 'reports/proof/results.jsonl' }, write: { type: 'boolean', default: false } },
});
const results = readFileSync(values.from, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Result);
const now = goldenOf(results);
if (values.write) {
  writeFileSync(GOLDEN, `${JSON.stringify(now, null, 1)}\n`);
  console.log(`${Object.keys(now.servers).length} servers, ${now.parts.length} parts kept`);
} else {
  const changes = changesBetween(JSON.parse(readFileSync(GOLDEN, 'utf8')) as Golden, now);
  const unexplained = changes.filter((change) => !needsNoReason(change));
  for (const { server, part, before, after } of unexplained) console.log(`${server}: ${part} was ${before}, is ${after}`);
  console.log(`${changes.length - unexplained.length} parts are judged that were not; ${unexplained.length} changes need a reason`);
  process.exitCode = unexplained.length === 0 ? 0 : 1;
}
