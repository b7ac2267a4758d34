// `npm run prove:rows -- --live`: what a run of rows says about the faults and variants of the registry.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBinding } from '../../../src/clause/clause.ts';
import { runRows } from '../../../src/judge/rows-run.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { startReference } from '../../../src/reference/server.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import type { Vector } from '../../../src/session/rows.ts';
import { OPENING, planOf } from '../../../suites/plan/index.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { compose } from '../../../suites/tables/tables.ts';
import { readGolden } from '../golden-file.ts';
import { KEY, sessionOptions } from '../judge-reference.ts';
import { CONFORMING_TIMEOUT, type RegistrySubject, selectSubjects, settingOf } from '../result.ts';

export type Live = {
  readonly kind: string;
  readonly name: string;
  readonly clause: string;
  readonly red: readonly string[];
  readonly binding: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
  /** The requests by which the clause of a fault is broken. */
  readonly shown: readonly (Vector | undefined)[];
  readonly requests: number;
  readonly created: number;
  readonly milliseconds: number;
  readonly phases: readonly { readonly title: string; readonly requests: number; readonly from: number }[];
};

const accepted = readGolden().broken;

export async function judgeLive({ kind, name }: RegistrySubject, seed = Number(process.env['SEED'] ?? 20261121)): Promise<Live> {
  const variant = variants.find((one) => kind === 'variant' && one.name === name);
  const now = variant?.now === undefined ? {} : { now: variant.now() };
  const { server, session } =
    kind === 'fault' ? settingOf([name]) : { server: { variants: [name] }, session: { timeout: CONFORMING_TIMEOUT, ...now } };
  const begin = performance.now();
  const reference = await startReference({ ...server, apiKey: KEY });
  try {
    const options = sessionOptions(reference.baseUrl, { ...session, seed });
    const { verdicts, requests, created, phases, vectorOf } = await runRows({ options, clauses, compose, opening: OPENING, planOf });
    const own = faults.find((one) => kind === 'fault' && one.name === name)?.clause ?? '';
    const failed = verdicts.filter(({ verdict }) => verdict === 'fail');
    return {
      kind,
      name,
      clause: own,
      red: failed.map(({ clause }) => clause.id),
      binding: failed.filter(({ clause }) => isBinding(clause)).map(({ clause }) => clause.id),
      notes: Object.fromEntries(failed.map(({ clause, note }) => [clause.id, note])),
      shown:
        failed
          .find(({ clause }) => clause.id === own)
          ?.broken.slice(0, 200)
          .map(({ exchange }) => vectorOf(exchange.sent)) ?? [],
      requests,
      created,
      milliseconds: Math.round(performance.now() - begin),
      phases,
    };
  } finally {
    await reference.close();
  }
}

export const isNamed = ({ kind, name, clause, red }: Live): boolean =>
  kind === 'variant' ||
  red.includes(clause) ||
  (accepted.get(name)?.includes(clause) === false && red.some((one) => accepted.get(name)?.includes(one)));

const [out = 'reports/rows/live.jsonl', part = '1/1', ...names] = process.argv.slice(2);
const [own = 1, of = 1] = part.split('/').map(Number);
const verbose = process.env['NOTES'] !== undefined;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, '');
const subjects = selectSubjects(names.filter((name) => !/^(faults|variants)$/.test(name)))
  .filter(({ kind }) => (names.includes('faults') ? kind === 'fault' : names.includes('variants') ? kind === 'variant' : true))
  .filter((_subject, index) => index % of === own - 1);
const results: Live[] = [];
const cpu = process.cpuUsage();
const queue = [...subjects];
async function work(): Promise<void> {
  for (let subject = queue.shift(); subject !== undefined; subject = queue.shift()) {
    const live = await judgeLive(subject).catch((error: unknown) => {
      console.log(`BROKE ${subject?.name} ${error instanceof Error ? error.stack : String(error)}`);
      return undefined;
    });
    if (live === undefined) continue;
    results.push(live);
    appendFileSync(out, `${JSON.stringify(live)}\n`);
    const isRight = live.kind === 'variant' ? live.binding.length === 0 : isNamed(live);
    if (!isRight || verbose)
      console.log(
        `${isRight ? 'ok  ' : 'GAP '} ${live.kind.padEnd(7)} ${live.name.padEnd(44)} ${live.clause.padEnd(28)} ${live.red.join(' ')}`,
      );
    if ((verbose || (live.kind === 'variant' && !isRight)) && live.red.length > 0) console.log(`       ${JSON.stringify(live.notes)}`);
  }
}
await Promise.all([work(), work(), work()]);
const faulty = results.filter(({ kind }) => kind === 'fault');
const conforming = results.filter(({ kind }) => kind === 'variant');
const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[all.length >> 1] ?? 0;
const others = faulty.reduce((sum, { binding, clause }) => sum + binding.filter((one) => one !== clause).length, 0);
const { user, system } = process.cpuUsage(cpu);
console.log(
  `${faulty.filter(isNamed).length} of ${faulty.length} faults named, ${faulty.filter(({ binding }) => binding.length > 0).length} found, ${(others / Math.max(1, faulty.length)).toFixed(2)} others; ` +
    `${conforming.filter(({ binding }) => binding.length > 0).length} of ${conforming.length} variants red; median ${median(results.map(({ requests }) => requests))} requests, ` +
    `${median(results.map(({ created }) => created))} animals, ${Math.round((user + system) / 1000 / Math.max(1, results.length))} ms CPU each with the server`,
);
