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
import { timelineCases } from '../../../src/oracle/rows/timelines.ts';
import { viewOf } from '../../../src/oracle/rows/view.ts';
for (const clause of ['list.read-only', 'list.complete', 'list.filter-complete', 'get.durable', 'get.repeatable', 'get.success'] as const) {
  const bad = timelineCases(world, clause).filter((c) => c.breach !== undefined);
  console.log('==', clause, bad.length);
  for (const c of bad.slice(0, 6)) console.log('  ', c.animal, c.shape, c.field, c.exchange.number, Math.round(c.exchange.at), c.breach?.summary.slice(0, 120), 'birth', Math.round(world.animals.get(c.animal ?? 0n)?.birth?.at ?? -1));
}
console.log(viewOf(world).goneAfter.map(({ operations, wasRead, until }) => `${until}:${[...operations].join('+')}${wasRead ? ' read' : ''}`).slice(0, 40).join(' | '));
const animal = BigInt(process.argv[4] ?? '21');
const nm = world.animals.get(animal)?.birth?.read.pet?.name;
console.log(nm);
for (const x of world.creations) if (x.read.pet?.name === nm) console.log('create', x.number, Math.round(x.at), Math.round(x.done), x.read.pet?.id);
for (const l of viewOf(world).lists) if (/limit=100/.test(l.exchange.sent.target) || l.exchange.sent.target === '/pets') console.log(l.exchange.number, Math.round(l.exchange.at), Math.round(l.exchange.done), l.shown.has(animal), l.exchange.sent.target, l.size, l.key.split('\n').slice(0,3).join('|').slice(0,80));
