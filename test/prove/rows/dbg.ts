import { runRows } from '../../../src/judge/rows-run.ts';
import { startReference } from '../../../src/reference/server.ts';
import { OPENING, planOf } from '../../../suites/plan/index.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { compose } from '../../../suites/tables/tables.ts';
import { KEY, sessionOptions } from '../judge-reference.ts';
import { settingOf } from '../result.ts';
import { casesOf } from '../../../src/oracle/rows/blame.ts';
const name = process.argv[2] ?? '';
const { server, session } = settingOf([name]);
const reference = await startReference({ ...server, apiKey: KEY });
const { world } = await runRows({ options: sessionOptions(reference.baseUrl, { ...session, seed: 20261121 }), clauses, compose, opening: OPENING, planOf });
await reference.close();
const ex = world.all.filter((x) => x.sent.method === 'POST' && Buffer.from(x.sent.body ?? []).toString().includes('"status":"\\"unknown') || Buffer.from(x.sent.body ?? []).toString().includes('"unknown"'));
for (const e of ex) {
  console.log(e.number, Math.round(e.at), Buffer.from(e.sent.body ?? []).toString().slice(0, 90), e.status);
  for (const y of world.all.filter((o) => o.number > e.number - 5 && o.number < e.number + 4)) console.log('    ', y.number, y.sent.method, y.sent.target, y.status, y.response?.text?.slice(0,60));
}
for (const id of (process.argv.slice(3))) for (const x of world.all) if (x.sent.target === '/pets/' + id) console.log(x.number, Math.round(x.at), x.sent.target, x.status);
for (const [clause, cases] of casesOf(clauses, world)) { const b = cases.filter((c) => c.breach !== undefined); if (b.length > 0) console.log(clause, b.length, b[0]?.breach?.summary); }
