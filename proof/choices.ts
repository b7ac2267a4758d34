// `npm run prove:choices`: what a run says about the faults and variants of the registry where its user has made other choices, or what the probe says.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CatalogClauseId, isBinding } from '../src/clause/clause.ts';
import type { RunInput } from '../src/judge/run.ts';
import { DEPTHS, type SessionOptions } from '../src/session/session.ts';
import type { Vector } from '../src/session/vector.ts';
import { clauses } from '../suites/clauses/index.ts';
import { leave, readCommandLine, wholeNumber } from '../test/support/command-line.ts';
import { faults } from './faults/index.ts';
import { BUDGET, probeServer } from './judge-probe.ts';
import { registrySetting, runSuiteOn } from './judge-server.ts';
import { isNamed, type RegistrySubject, selectSubjects } from './result.ts';
import { percentile } from './tables.ts';

type Live = {
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
  /** Runs of the probe until one failed. */
  readonly runs?: number;
  readonly pairs: { readonly met: number; readonly of: number };
  readonly milliseconds: number;
  readonly phases: readonly { readonly title: string; readonly requests: number; readonly from: number }[];
};

type Choices = Pick<RunInput, 'requests' | 'deadline'> & {
  readonly session: Partial<SessionOptions>;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Whether it is the second run on the same server. */
  readonly used: boolean;
  /** Runs of the probe; 0 for a run of the gate. */
  readonly turns: number;
  /** Requests of a turn. */
  readonly budget: number;
};

const ALL = clauses.map(({ id }) => id as CatalogClauseId);

function selectedBy({ only, skip }: Choices, own: string): ReadonlySet<CatalogClauseId> | undefined {
  if (only.length === 0 && skip.length === 0) return undefined;
  const wanted = new Set(only.map((id) => (id === 'own' ? own : id)));
  return new Set(ALL.filter((id) => (wanted.size === 0 || wanted.has(id)) && !skip.includes(id)));
}

/** Runs of the probe; of a fault, until one fails. */
async function probeLive(
  subject: RegistrySubject,
  { turns, budget, session: chosen }: Choices,
): Promise<Omit<Live, 'clause' | 'milliseconds'>> {
  const { kind, name } = subject;
  const { start, session } = registrySetting(subject);
  const asked = { runs: turns, untilFailed: kind === 'fault', limits: { budget } };
  const { confirmed, binding, notes, requests, runs, seen } = await probeServer(start, { ...session, ...chosen }, asked);
  // Of a conforming server, not even once.
  const red = kind === 'fault' ? confirmed : seen;
  return {
    ...{ kind, name, notes, requests, created: 0, runs },
    ...{ red, binding: red.filter((id) => binding.has(id)) },
    ...{ shown: [], pairs: { met: 0, of: 0 }, phases: [] },
  };
}

async function judgeLive(subject: RegistrySubject, choices: Choices): Promise<Live> {
  const { kind, name } = subject;
  const { start, session } = registrySetting(subject);
  const begin = performance.now();
  const own = faults.find((one) => kind === 'fault' && one.name === name)?.clause ?? '';
  const only = selectedBy(choices, own);
  const { requests: most, deadline, turns } = choices;
  if (turns > 0) return { ...(await probeLive(subject, choices)), clause: own, milliseconds: Math.round(performance.now() - begin) };
  const { verdicts, requests, created, phases, pairs, vectorOf } = await runSuiteOn(
    start,
    { ...session, ...choices.session },
    {
      used: choices.used,
      ...(only === undefined ? {} : { only }),
      ...(most === undefined ? {} : { requests: most }),
      ...(deadline === undefined ? {} : { deadline }),
    },
  );
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
    pairs,
    milliseconds: Math.round(performance.now() - begin),
    phases,
  };
}

const isRight = ({ kind, binding, name, red }: Live): boolean =>
  kind === 'variant' ? binding.length === 0 : isNamed(name, { red, advised: [] });

const READ_ONLY: Partial<SessionOptions> = { readOnly: true, intrusive: false };
const ONCE = { turns: 1, budget: 0 };
const foundWithin = (faulty: readonly Live[], most: number): number =>
  faulty.filter(({ red, runs = 0 }) => red.length > 0 && runs <= most).length;

const median = (all: readonly number[]): number => percentile(all, 0.5);

function show(results: readonly Live[], cpu: number): void {
  const faulty = results.filter(({ kind }) => kind === 'fault');
  const conforming = results.filter(({ kind }) => kind === 'variant');
  const others = faulty.reduce((sum, { binding, clause }) => sum + binding.filter((one) => one !== clause).length, 0);
  const pairs = results.map(({ pairs: { met, of } }) => (of === 0 ? 0 : met / of));
  const figures: readonly (readonly [string, string])[] = [
    ['faults named', `${faulty.filter(isRight).length} of ${faulty.length}`],
    ['faults found', `${faulty.filter(({ red }) => red.length > 0).length} of ${faulty.length}`],
    ['other red clauses a fault', (others / Math.max(1, faulty.length)).toFixed(2)],
    ['variants red', `${conforming.filter(({ binding }) => binding.length > 0).length} of ${conforming.length}`],
    ['requests, median', String(median(results.map(({ requests }) => requests)))],
    ['requests, most', String(Math.max(...results.map(({ requests }) => requests)))],
    ...(results.some(({ runs }) => runs !== undefined)
      ? [
          [
            'found within 1, 5, 10 and all runs',
            [1, 5, 10, Number.POSITIVE_INFINITY].map((most) => foundWithin(faulty, most)).join(' '),
          ] as const,
        ]
      : []),
    ['animals, median', String(median(results.map(({ created }) => created)))],
    ['pairs met, median', `${Math.round(100 * median(pairs))} %`],
    ['CPU with the server, ms', String(Math.round(cpu / Math.max(1, results.length)))],
  ];
  for (const [figure, value] of figures) console.log(`${figure.padEnd(28)} ${value.padStart(12)}`);
}

const idsIn = (text: string): readonly string[] => {
  const ids = text.split(',').filter((id) => id !== '');
  const unknown = ids.find((id) => id !== 'own' && !ALL.includes(id as CatalogClauseId));
  if (unknown !== undefined) leave(`there is no clause ${unknown}; --only and --skip take ids of clauses, with commas between them`);
  return ids;
};

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values, words } = readCommandLine({
  usage: `Usage: npm run prove:choices -- [OPTION...] [faults|variants] [NAME...]

Judges the servers of the registry: all of them, or those whose name or clause is given.

  --depth ${DEPTHS.join('|')}   default: standard
  --seed N
  --only own|ID,...      runs of selected clauses; "own": of the clause that each fault breaks
  --skip ID,...
  --read-only            nothing is created, and the API key is in the Authorization header only
  --max-creates N
  --requests N           at most about so many requests
  --used                 the second run on each server, whose store has the animals of the first
  --deadline SECONDS
  --smoke                the requests of a run of the probe
  --turns N              so many runs of the probe, with ${BUDGET} requests more in each
  --out FILE             gets a line for each server; default: reports/proof/choices.jsonl
  --part N/OF            one part of several, for several processes
  --notes                every finding`,
  options: {
    ...{ depth: { ...text, default: 'standard' }, seed: text, only: { ...text, default: '' }, skip: { ...text, default: '' } },
    ...{ 'read-only': flag, 'max-creates': text, requests: text, deadline: text, smoke: flag, used: flag, turns: text },
    ...{ out: { ...text, default: 'reports/proof/choices.jsonl' }, part: { ...text, default: '1/1' }, notes: flag },
  },
  words: faults.length,
});

function choicesGiven(): Choices {
  const { 'max-creates': creations, 'read-only': readsOnly, smoke, turns, requests, deadline } = values;
  const depth = DEPTHS.find((one) => one === values.depth) ?? leave(`--depth is one of ${DEPTHS.join(', ')}, not ${values.depth}`);
  const maxCreates = creations === undefined ? (depth === 'thorough' ? 320 : 250) : wholeNumber(creations, '--max-creates');
  return {
    session: { depth, maxCreates, ...(readsOnly || smoke || turns !== undefined ? READ_ONLY : {}) },
    ...{ only: idsIn(values.only), skip: idsIn(values.skip), used: values.used },
    ...(smoke ? ONCE : { turns: turns === undefined ? 0 : wholeNumber(turns, '--turns'), budget: BUDGET }),
    ...(requests === undefined ? {} : { requests: wholeNumber(requests, '--requests') }),
    ...(deadline === undefined ? {} : { deadline: wholeNumber(deadline, '--deadline') * 1_000 }),
  };
}

const { session, ...others } = choicesGiven();
const choices: Choices = {
  ...others,
  session: { ...session, ...(values.seed === undefined ? {} : { seed: wholeNumber(values.seed, '--seed') }) },
};
const [part = 1, of = 1] = values.part.split('/').map(Number);
const kinds = words.filter((word) => word === 'faults' || word === 'variants');
const names = words.filter((word) => !kinds.includes(word));
const queue = selectSubjects(names)
  .filter(({ kind }) => kinds.length === 0 || kinds.includes(`${kind}s`))
  .filter((_subject, index) => index % of === part - 1);

mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, '');
const results: Live[] = [];
const cpu = process.cpuUsage();
async function work(): Promise<void> {
  for (let subject = queue.shift(); subject !== undefined; subject = queue.shift()) {
    const live = await judgeLive(subject, choices).catch((error: unknown) => {
      console.log(`BROKE ${subject?.name} ${error instanceof Error ? error.stack : String(error)}`);
      return undefined;
    });
    if (live === undefined) continue;
    results.push(live);
    appendFileSync(values.out, `${JSON.stringify(live)}\n`);
    if (!isRight(live) || values.notes)
      console.log(
        `${isRight(live) ? 'ok  ' : 'GAP '} ${live.kind.padEnd(7)} ${live.name.padEnd(44)} ${live.clause.padEnd(28)} ${live.red.join(' ')}`,
      );
    if ((values.notes || (live.kind === 'variant' && !isRight(live))) && live.red.length > 0)
      console.log(`       ${JSON.stringify(live.notes)}`);
  }
}
await Promise.all([work(), work(), work()]);
const { user, system } = process.cpuUsage(cpu);
show(results, (user + system) / 1_000);
