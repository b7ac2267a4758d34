import { judgeSubject } from '../proof/judge-subject.ts';

/** Judges the variants that it is named, one after the other; prints a line with the red clauses of each. */
for (const name of process.argv.slice(2)) {
  const begin = performance.now();
  const { red } = await judgeSubject({ kind: 'variant', name });
  console.log(JSON.stringify({ name, red, seconds: Math.round((performance.now() - begin) / 100) / 10 }));
}
