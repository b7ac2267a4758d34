import { startReference } from '../../../src/reference/server.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { KEY, startParts } from '../judge-reference.ts';
import { settingOf, CONFORMING_TIMEOUT, FAULT_WINDOW } from '../result.ts';
import { casesOf } from '../../../src/oracle/rows/blame.ts';
import { standing } from '../../../src/oracle/rows/standing.ts';
import { breakParts, defectCalled } from '../grid/defects.ts';
import { runRowsOn } from './judge-server.ts';
const [name = '', find = ''] = process.argv.slice(2);
let run;
if (name.includes(':')) { const d = defectCalled(name); const { parts, applied } = breakParts(d, { clock: { now: () => Date.now() } }); run = await runRowsOn(() => startParts(parts, { seedAnimals: d.seedAnimals }), { timeout: CONFORMING_TIMEOUT, consistencyWindow: FAULT_WINDOW }); console.log('applied', applied()); }
else if (name.startsWith('v=')) run = await runRowsOn(() => startReference({ variants: [name.slice(2)], apiKey: KEY }), { timeout: CONFORMING_TIMEOUT });
else { const { server, session } = settingOf([name]); run = await runRowsOn(() => startReference({ ...server, apiKey: KEY }), session); }
const { world } = run;
for (const x of world.all) { const t = x.status + ' ' + (x.sent.headers.find(([n]) => n.toLowerCase() === 'authorization')?.[1] ?? 'none') + ' ' + x.sent.method + ' ' + x.sent.target + ' ' + Buffer.from(x.sent.body ?? []).toString(); if (find !== '' && new RegExp(find).test(t)) console.log(x.number, Math.round(x.at), t.slice(0, 160), '->', x.status, x.response?.text?.slice(0, 140), standing(x, world).body); }
for (const [clause, cases] of casesOf(clauses, world)) { const b = cases.filter((c) => c.breach !== undefined); if (b.length > 0) console.log(clause, b.length, b[0]?.breach?.summary); }
console.log(run.verdicts.filter((v) => v.verdict === 'fail').map((v) => v.clause.id).join(' '));
