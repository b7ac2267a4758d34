import { attacks, complaints, runAgainst } from './attack-run.ts';

/** Milliseconds that a run may take with a deadline of one second per request, on an idle machine. */
const BOUND = 30_000;

/** Prints every attack with its outcome, time, and memory. Arguments select attacks whose name contains one of them. */
const chosen = attacks.filter(({ name }) => process.argv.length < 3 || process.argv.slice(2).some((part) => name.includes(part)));
let failures = 0;
console.log(`${'attack'.padEnd(34)} exit  seconds    MB  outcome`);
for (const attack of chosen) {
  const ended = await runAgainst(attack);
  const late = ended.milliseconds <= BOUND ? [] : [`took ${Math.round(ended.milliseconds)} ms`];
  const problems = [...complaints(attack, ended), ...late];
  failures += problems.length > 0 ? 1 : 0;
  const { exit, milliseconds, peak } = ended;
  const figures = `${String(exit ?? '-').padStart(4)} ${(milliseconds / 1000).toFixed(1).padStart(8)} ${Math.round(peak ?? 0)
    .toString()
    .padStart(5)}`;
  console.log(`${attack.name.padEnd(34)} ${figures}  ${problems.length === 0 ? attack.does : `WRONG: ${problems.join('; ')}`}`);
  if (process.env['SHOW'] !== undefined) console.log(ended.output);
}
process.exitCode = failures === 0 ? 0 : 1;
