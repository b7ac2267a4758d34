import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the processor does in a run. Time in which a thread waits does not count. */
export const PARTS = ['start', 'vitest', 'wire', 'reading', 'judging', 'reports', 'garbage', 'other'] as const;
export type Part = (typeof PARTS)[number];

type Profile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string; readonly url: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

/** The first match decides. */
const PLACES: readonly (readonly [Part, RegExp])[] = [
  ['vitest', /\/node_modules\/(?:vitest|@vitest|vite|rolldown|@rolldown|tinypool|tinyexec|chai|expect-type|pathe|birpc)\//],
  ['start', /^node:internal\/(?:modules|bootstrap|process|main|source_map|vm)|\/node_modules\/(?:commander|dotenv)\/|\/src\/cli\//],
  [
    'wire',
    /\/node_modules\/undici\/|\/src\/wire\/(?!json|redact)|^node:(?:net|http|_http|internal\/(?:stream|timers|async|event)|stream|dns|events)/,
  ],
  ['reading', /\/src\/(?:schema|wire\/json|session\/reading)|\/node_modules\/(?:ajv|fast-deep-equal)\//],
  ['reports', /\/src\/(?:report|diagnosis)\/|\/node_modules\/hono\//],
  ['judging', /\/(?:src|suites)\/|\/node_modules\/(?:fast-check|pure-rand)\//],
];

function partOf({ functionName, url }: Profile['nodes'][number]['callFrame']): Part | 'waiting' {
  if (functionName === '(idle)') return 'waiting';
  if (functionName === '(garbage collector)') return 'garbage';
  return PLACES.find(([, place]) => place.test(url))?.[0] ?? 'other';
}

/** Milliseconds that the threads of a run were busy, by part: the sum of all profiles (`--cpu-prof`) in a folder. */
export function busyByPart(folder: string): Readonly<Record<Part, number>> {
  const busy: Record<Part, number> = { start: 0, vitest: 0, wire: 0, reading: 0, judging: 0, reports: 0, garbage: 0, other: 0 };
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'))) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile;
    const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
    samples.forEach((id, index) => {
      const part = parts.get(id);
      if (part !== undefined && part !== 'waiting') busy[part] += (timeDeltas[index] ?? 0) / 1_000;
    });
  }
  return busy;
}
