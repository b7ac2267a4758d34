// What a run of rows records of faults of the registry.

import { clauseRecordsOf } from '../../../src/judge/rows-clauses.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { WORDING } from '../../../suites/plan/lore.ts';
import { versionsOf } from '../../../suites/tables/tables.ts';
import { readCommandLine } from '../../support/command-line.ts';
import { sessionOptions } from '../judge-reference.ts';
import { faultySetting, runRowsOn } from './judge-server.ts';

const { words } = readCommandLine({
  usage: `Usage: node test/prove/rows/record.ts NAME...

Runs rows against the faults with these names, and prints the records of the clauses that are broken, as JSON.`,
  words: faults.length,
});

for (const name of words) {
  const { start, session } = faultySetting([name]);
  const result = await runRowsOn(start, session, { wording: WORDING });
  const records = clauseRecordsOf(result, { session: sessionOptions(result.world.run.baseUrl, session), versionsOf });
  const broken = records.filter(({ verdict }) => verdict === 'fail');
  console.log(JSON.stringify(broken, undefined, 2));
}
