// `npm run test:all`: runs every stage to its end; then prints how long each took, what failed, and one closing line for all.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** npm's arguments; each stage ends its output with a closing line. */
const STAGES = [
  ['test'],
  ['exec', '--', 'vitest', 'run', '--project', 'thorough', '--project', 'examples'],
  ['run', '-s', 'prove', '--', '--swift'],
  // The same ones each time: by itself, `npm run prove -- --grid` draws others.
  ['run', '-s', 'prove', '--', '--grid', '--count', '50', '--seed', '1'],
] as const;

const CLOSING = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;

/** A line of a stage's output that names what failed. */
const FAILURE = /^(?:failed: |GAP |OVER )/;

type Outcome = { readonly passed: number; readonly failed: number; readonly skipped: number; readonly lines: readonly string[] };

/** Runs a stage and passes its output on, except its closing line. A stage that breaks without one counts as a failure. */
async function run(stage: readonly string[]): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn('npm', stage, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const failures: string[] = [];
  let counts: Pick<Outcome, 'passed' | 'failed' | 'skipped'> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const [closing, passed = 0, failed = 0, skipped = 0] = CLOSING.exec(line) ?? [];
    if (FAILURE.test(line)) failures.push(`  ${line}`);
    if (closing === undefined) process.stdout.write(`${line}\n`);
    else counts = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  }
  const [code] = await closed;
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const broke = counts === undefined || (code !== 0 && failed === 0);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const summary = `npm ${stage.join(' ')}: ${passed} passed, ${failed} failed, ${skipped} skipped, exit code ${code}, ${seconds} s`;
  process.stdout.write(`${summary}\n\n`);
  return { passed, failed: failed + (broke ? 1 : 0), skipped, lines: [summary, ...failures] };
}

const outcomes: Outcome[] = [];
for (const stage of STAGES) outcomes.push(await run(stage));
const sum = (count: 'passed' | 'failed' | 'skipped'): number => outcomes.reduce((all, outcome) => all + outcome[count], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
process.stdout.write(`${outcomes.flatMap(({ lines }) => lines).join('\n')}\n\n`);
process.stdout.write(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
