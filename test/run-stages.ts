// `npm run test:all`: every stage to its end, and one closing line that sums them up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** npm's arguments; each stage ends its output with a closing line. */
const STAGES = [['test'], ['run', '-s', 'test:thorough'], ['run', '-s', 'test:examples'], ['run', '-s', 'prove', '--', '--swift']] as const;

const CLOSING = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;

type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** Runs a stage and passes its output on, except its closing line. A stage that breaks without one counts as a failure. */
async function run(stage: readonly string[]): Promise<Counts> {
  const child = spawn('npm', stage, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let counts: Counts | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const [closing, passed = 0, failed = 0, skipped = 0] = CLOSING.exec(line) ?? [];
    if (closing === undefined) process.stdout.write(`${line}\n`);
    else counts = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  }
  const [code] = await closed;
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const broke = counts === undefined || (code !== 0 && failed === 0);
  process.stdout.write(`npm ${stage.join(' ')}: ${passed} passed, ${failed} failed, ${skipped} skipped, exit code ${code}\n\n`);
  return { passed, failed: failed + (broke ? 1 : 0), skipped };
}

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const stage of STAGES) {
  const { passed, failed, skipped } = await run(stage);
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
}
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${sum.skipped === 0 ? '' : `, ${sum.skipped} skipped`}\n`);
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;
