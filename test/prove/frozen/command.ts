// `npm run prove:frozen`: compares what the suite finds now with what it found before its core was rewritten.
import { enableCompileCache } from 'node:module';
import { leave, readCommandLine, wholeNumber } from '../../support/command-line.ts';

enableCompileCache();
const { holdAgainstFrozen, measureParts } = await import('./measure.ts');
const { FROZEN, IN_RESULTS, MEASURED, PARTS } = await import('./rows.ts');

const MEASURABLE = PARTS.filter((part) => !IN_RESULTS.includes(part));
const USAGE = `Usage: npm run prove:frozen -- [--measure PART]...

Compares what the suite finds and sends with the figures in test/prove/frozen/. Faults, variants, and lines of reports are read from the results
of a whole proof ("npm run prove"); the other parts are measured first, and stay until they are measured again.

  --measure PART   measure a part, then compare; "all" stands for every part
                   ${MEASURABLE.slice(0, 5).join(', ')},
                   ${MEASURABLE.slice(5).join(', ')}
  --out FOLDER     where measured figures are (default: ${MEASURED}); test/prove/frozen freezes them
  --results FILE   the results of a whole proof (default: reports/proof/results.jsonl)
  --sets N         combinations of each size (default: 57, as many as are frozen)
  --times N        how often each fault is judged by its clause alone (default: 1)
  --workers N      servers that are judged at a time (default: three for each core)
  --whole          a part that nobody measured does not hold

The exit code is 0 when everything that was measured holds, 1 when something does not, and 2 for a wrong usage.`;

const { values } = readCommandLine({
  usage: USAGE,
  options: {
    measure: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: MEASURED },
    results: { type: 'string', default: 'reports/proof/results.jsonl' },
    sets: { type: 'string', default: '57' },
    times: { type: 'string', default: '1' },
    workers: { type: 'string' },
    whole: { type: 'boolean', default: false },
  },
});
const wanted = values.measure.includes('all') ? MEASURABLE : MEASURABLE.filter((part) => values.measure.includes(part));
const unknown = values.measure.find((name) => name !== 'all' && !MEASURABLE.some((part) => part === name));
if (unknown !== undefined) leave(`there is no part "${unknown}"; the parts are ${MEASURABLE.join(', ')}`);
await measureParts(wanted, {
  results: values.results,
  folder: values.out,
  sets: wholeNumber(values.sets, '--sets'),
  times: wholeNumber(values.times, '--times'),
  ...(values.workers === undefined ? {} : { workers: wholeNumber(values.workers, '--workers') }),
});
const { passed, failed } = holdAgainstFrozen({ frozen: FROZEN, measured: values.out, whole: values.whole });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
