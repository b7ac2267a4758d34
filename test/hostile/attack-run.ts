import { type Ended, runJudged } from '../support/judged-program.ts';
import type { Attack } from './attack.ts';
import { HOSTILE_KEY } from './forward.ts';

/** Milliseconds that a run may take with a deadline of one second for a request: stated in docs, kept by every attack. */
export const BOUND = 30_000;
/** MB of resident memory that a run may take at its peak. */
export const MOST_MEMORY = 300;

const OPTIONS = ['--timeout', '1000', '--consistency-window', '300', '--profile', 'quick', '--time-budget', '10', '--seed', '1'];

/** Judges the attacker as a user would, from the command line. */
export async function runAgainst(attack: Attack): Promise<Ended> {
  const attacker = await attack.start();
  try {
    return await runJudged({ args: ['run', '--base-url', attacker.baseUrl, ...OPTIONS], apiKey: HOSTILE_KEY });
  } finally {
    await attacker.close();
  }
}

/** What a run did that it must not; empty when it stood the attack. */
export function complaints(attack: Attack, ended: Ended): string[] {
  const { exit, milliseconds, peak, output, reports } = ended;
  const said = [output, ...Object.values(reports)].join('\n');
  return [
    ...(exit !== undefined && attack.exits.includes(exit) ? [] : [`exit ${exit}, not ${attack.exits.join(' or ')}`]),
    ...(milliseconds <= BOUND ? [] : [`took ${Math.round(milliseconds)} ms`]),
    ...(peak === undefined || peak <= MOST_MEMORY ? [] : [`took ${Math.round(peak)} MB`]),
    ...(attack.names.test(said) ? [] : [`does not say ${attack.names}`]),
    ...(/defect of the suite|InternalError|\n {4}at /.test(output) ? ['broke in our own code'] : []),
  ];
}
