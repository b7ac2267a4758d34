// How far the facts of requests agree with the intents that today's clauses declare: node test/prove/facts/table.ts [20] judges the reference server, and
// that many of its variants and faults.

import { faults } from '../../../src/reference/faults/index.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import { agreementOn, type Explanation } from './agreement.ts';

const each = Number(process.argv[2] ?? 20);

/** So many of them, evenly spread. */
function spread<One>(all: readonly One[]): readonly One[] {
  return all.filter((_one, index) => Math.floor((index * each) / all.length) !== Math.floor(((index - 1) * each) / all.length));
}

const servers = [
  {},
  ...spread(variants).map(({ name }) => ({ variants: [name] })),
  ...spread(faults).map(({ name }) => ({ faults: [name] })),
];

const counts = new Map<Explanation, number>();
let exchanges = 0;
let equal = 0;
let unexplained = 0;
for (const server of servers) {
  const agreement = await agreementOn(server);
  exchanges += agreement.exchanges;
  equal += agreement.equal;
  unexplained += agreement.unexplained.length;
  for (const [one, count] of agreement.explained) counts.set(one, (counts.get(one) ?? 0) + count);
  for (const { field, old, now, request } of agreement.unexplained)
    console.log(JSON.stringify({ ...server, field, old, now, asker: request.asker, path: request.path, query: request.query }));
}

console.log(`${servers.length} runs, ${exchanges} exchanges, ${equal} without a difference`);
for (const [{ field, why }, count] of [...counts].toSorted(([, one], [, other]) => other - one))
  console.log(`${String(count).padStart(7)}  ${field}: ${why}`);
console.log(`${String(unexplained).padStart(7)}  not explained`);
process.exitCode = unexplained === 0 ? 0 : 1;
