// Records runs of today's suite and compares the facts of each request with its intent: node test/prove/facts/table.ts [20]

import { faults } from '../../../src/reference/faults/index.ts';
import type { ReferenceOptions } from '../../../src/reference/server.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import { judgeReference, KEY } from '../judge-reference.ts';
import { differencesOf, EXPLANATIONS, explanationOf } from './agreement.ts';

const each = Number(process.argv[2] ?? 20);

/** So many of the names, evenly spread. */
function spread(names: readonly string[]): readonly string[] {
  return Array.from({ length: each }, (_unused, index) => names[Math.floor((index * names.length) / each)] ?? '');
}

const servers: readonly Pick<ReferenceOptions, 'faults' | 'variants'>[] = [
  {},
  ...spread(variants.map(({ name }) => name)).map((name) => ({ variants: [name] })),
  ...spread(faults.map(({ name }) => name)).map((name) => ({ faults: [name] })),
];

let exchanges = 0;
let equal = 0;
const explained = new Map(EXPLANATIONS.map(({ field, why }) => [`${field}: ${why}`, 0]));
const unexplained: string[] = [];

for (const server of servers) {
  await judgeReference(
    { seedAnimals: 7, ...server },
    {
      explained: false,
      keep: ({ history }) => {
        for (const { exchange } of history.exchanges) {
          const differences = differencesOf(exchange.request, KEY);
          exchanges += 1;
          if (differences.length === 0) equal += 1;
          for (const difference of differences) {
            const why = explanationOf(difference);
            const { field, old, now, request } = difference;
            if (why !== undefined) explained.set(`${field}: ${why}`, (explained.get(`${field}: ${why}`) ?? 0) + 1);
            else
              unexplained.push(
                JSON.stringify([server, field, old, now, request.asker, request.path, request.query, request.body]).slice(0, 400),
              );
          }
        }
      },
    },
  );
}

console.log(`${servers.length} runs, ${exchanges} exchanges, ${equal} equal`);
for (const [why, count] of [...explained].toSorted(([, one], [, other]) => other - one))
  console.log(`${String(count).padStart(7)}  ${why}`);
console.log(`${unexplained.length} unexplained`);
for (const line of unexplained.slice(0, 50)) console.log(line);
process.exitCode = unexplained.length === 0 ? 0 : 1;
