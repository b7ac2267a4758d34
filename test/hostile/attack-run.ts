import { REPORTERS } from '../../src/cli/reporter-names.ts';
import { type JudgedProgram, runJudged } from '../support/program.ts';
import { type Attack, HOSTILE_KEY } from './attacker.ts';
import { codings } from './attacks/codings.ts';
import { connections, network } from './attacks/connections.ts';
import { echoes } from './attacks/echoes.ts';
import { elsewhere } from './attacks/elsewhere.ts';
import { framing } from './attacks/framing.ts';
import { growth } from './attacks/growth.ts';
import { bodies, statuses } from './attacks/responses.ts';
import { silence } from './attacks/silence.ts';
import { words } from './attacks/words.ts';
import { outputProblems } from './outputs.ts';

/** Every attack, in the order of the table. */
export const attacks: readonly Attack[] = [
  ...silence,
  ...codings,
  ...framing,
  ...bodies,
  ...statuses,
  ...connections,
  ...network,
  ...echoes,
  ...words,
  ...elsewhere,
  ...growth,
];

/** The maximum peak of resident memory of a run, in MB. */
export const MOST_MEMORY = 420;

const OPTIONS = ['--timeout', '1000', '--consistency-window', '300', '--depth', 'quick', '--seed', '1'];
const REPORTS = REPORTERS.flatMap((reporter) => ['--reporter', reporter]);

/** How a run ended, and what it wrongly did to the attacker. */
export type Stood = JudgedProgram & { readonly misdeeds: readonly string[] };

/** Judges the attacker as a user would, from the command line, with all reports. */
export async function runAgainst(attack: Attack): Promise<Stood> {
  const attacker = await attack.start();
  try {
    const ended = await runJudged({ args: ['run', '--base-url', attacker.baseUrl, ...OPTIONS, ...REPORTS], apiKey: HOSTILE_KEY });
    return { ...ended, misdeeds: attacker.misdeeds?.() ?? [] };
  } finally {
    await attacker.close();
  }
}

/** What a run wrongly did; empty if it withstood the attack. */
export function complaints(attack: Attack, stood: Stood): string[] {
  const { exit, peak, output, reports, misdeeds } = stood;
  const said = [output, ...Object.values(reports)].join('\n');
  return [
    ...(exit !== undefined && attack.exits.includes(exit) ? [] : [`exit ${exit}, not ${attack.exits.join(' or ')}`]),
    ...(/the deadline of \d+ s passed/.test(output) ? ['did not end by itself'] : []),
    ...(peak === undefined || peak <= MOST_MEMORY ? [] : [`took ${Math.round(peak)} MB`]),
    ...(attack.names.test(said) ? [] : [`does not say ${attack.names}`]),
    ...(/defect of the suite|InternalError|\n {4}at |\(node:\d+\)/.test(output) ? ['broke in our own code'] : []),
    ...Object.entries({ output, ...reports }).flatMap(([name, text]) => outputProblems(name, text)),
    ...misdeeds,
  ];
}
