// What a run of rows says about the faults and variants of the registry, by whatever choice of rows.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type CatalogClauseId, isBinding } from '../../../src/clause/clause.ts';
import { type RowsRun, runRows } from '../../../src/judge/rows-run.ts';
import type { Row } from '../../../src/plan/row.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { startReference } from '../../../src/reference/server.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import type { Vector } from '../../../src/session/rows.ts';
import { DEPTHS, type SessionOptions } from '../../../src/session/session.ts';
import { messageOf } from '../../../src/wire/wording.ts';
import { OPENING, planOf } from '../../../suites/plan/index.ts';
import { probePlan, SMOKE_OPENING, TURNS } from '../../../suites/plan/smoke.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { compose } from '../../../suites/tables/tables.ts';
import { readFrozen } from '../frozen/results.ts';
import { readGolden } from '../golden-file.ts';
import { KEY, sessionOptions } from '../judge-reference.ts';
import { CONFORMING_TIMEOUT, type RegistrySubject, selectSubjects, settingOf } from '../result.ts';

const USAGE = `Usage: node test/prove/rows/live.ts [OPTION...] [OUT.jsonl PART/OF] [faults|variants] [NAME...]

Runs rows against the servers of the registry: all of them, or those whose name or clause is given. OUT.jsonl gets a line for each.

  --depth ${DEPTHS.join('|')}   default: standard
  --seed N
  --only own|ID,...      runs of selected clauses; "own": of the clause that each fault breaks
  --skip ID,...
  --read-only            nothing is created, and the API key is in the Authorization header only
  --max-creates N
  --requests N           at most about so many requests
  --deadline SECONDS
  --smoke                the requests of a run of the probe
  --turns N              so many runs of the probe, with 20 requests more in each
  --frozen only|read-only|max-creates-20|smoke|turns
                         the faults that the frozen measure was taken of, by that choice, and what it found
  --notes                every finding`;

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
  readonly pairs: { readonly met: number; readonly of: number };
  readonly milliseconds: number;
  readonly phases: readonly { readonly title: string; readonly requests: number; readonly from: number }[];
};

type Choices = Pick<RowsRun, 'requests' | 'deadline'> & {
  readonly session: Partial<SessionOptions>;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Runs of the probe; 0 for a run of the gate. */
  readonly turns: number;
};

/** Requests of a turn. */
const BUDGET = 20;
const ALL = clauses.map(({ id }) => id as CatalogClauseId);
const accepted = readGolden().broken;

function selectedBy({ only, skip }: Choices, own: string): ReadonlySet<CatalogClauseId> | undefined {
  if (only.length === 0 && skip.length === 0) return undefined;
  const wanted = new Set(only.map((id) => (id === 'own' ? own : id)));
  return new Set(ALL.filter((id) => (wanted.size === 0 || wanted.has(id)) && !skip.includes(id)));
}

/** The requests of so many runs of the probe, of which the first has no turn, as one run. */
function probe(runs: number): Pick<RowsRun, 'opening' | 'planOf'> {
  const rows: Row[] = [];
  let cursor = TURNS.start(1);
  for (let run = 1; run < runs; run += 1) {
    const turn = TURNS.take(cursor, BUDGET);
    cursor = turn.next;
    rows.push(...turn.rows);
  }
  return { opening: SMOKE_OPENING, planOf: () => probePlan(rows) };
}

async function judgeLive({ kind, name }: RegistrySubject, choices: Choices): Promise<Live> {
  const variant = variants.find((one) => kind === 'variant' && one.name === name);
  const now = variant?.now === undefined ? {} : { now: variant.now() };
  const { server, session } =
    kind === 'fault' ? settingOf([name]) : { server: { variants: [name] }, session: { timeout: CONFORMING_TIMEOUT, ...now } };
  const begin = performance.now();
  const reference = await startReference({ ...server, apiKey: KEY });
  try {
    const own = faults.find((one) => kind === 'fault' && one.name === name)?.clause ?? '';
    const only = selectedBy(choices, own);
    const { requests: most, deadline, turns } = choices;
    const { verdicts, requests, created, phases, pairs, vectorOf } = await runRows({
      options: sessionOptions(reference.baseUrl, { ...session, ...choices.session }),
      ...{ clauses, compose, opening: OPENING, planOf },
      ...(turns === 0 ? {} : probe(turns)),
      ...(only === undefined ? {} : { only }),
      ...(most === undefined ? {} : { requests: most }),
      ...(deadline === undefined ? {} : { deadline }),
    });
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
  } finally {
    await reference.close();
  }
}

const isNamed = ({ kind, name, clause, red }: Live): boolean =>
  kind === 'variant' ||
  red.includes(clause) ||
  (accepted.get(name)?.includes(clause) === false && red.some((one) => accepted.get(name)?.includes(one)));
const isRight = (live: Live): boolean => (live.kind === 'variant' ? live.binding.length === 0 : isNamed(live));

const READ_ONLY: Partial<SessionOptions> = { readOnly: true, intrusive: false };
const NONE: Choices = { session: {}, only: [], skip: [], turns: 0 };
const ONCE = 1;
/** Requests of a day's turns cover every row: about sixty of them do. */
const DAY = 80;
/** What the frozen measure was taken by, and the stage that has it. */
const FROZEN: Readonly<Record<string, { readonly stage: string; readonly choices: Choices }>> = {
  only: { stage: 'only', choices: { ...NONE, only: ['own'] } },
  'read-only': { stage: 'choices', choices: { ...NONE, session: READ_ONLY } },
  'max-creates-20': { stage: 'choices', choices: { ...NONE, session: { maxCreates: 20 } } },
  smoke: { stage: 'choices', choices: { ...NONE, session: READ_ONLY, turns: ONCE } },
  turns: { stage: 'turns', choices: { ...NONE, session: READ_ONLY, turns: DAY } },
};

/** The faults of a frozen stage, and whether they were found. */
function frozenFaults(choice: string): ReadonlyMap<string, boolean> {
  const { stage } = FROZEN[choice] ?? {};
  if (stage === undefined) throw new Error(`--frozen is one of ${Object.keys(FROZEN).join(', ')}\n\n${USAGE}`);
  const word = stage === 'only' ? 'fault ' : `${choice} `;
  const lines = readFrozen(stage)?.lines.filter(({ task }) => task.startsWith(word)) ?? [];
  const wasFound = (line: (typeof lines)[number]): boolean => {
    const { red, run } = line;
    return Array.isArray(red) ? [...red, ...((line['advised'] as string[] | undefined) ?? [])].length > 0 : red === true || Number(run) > 0;
  };
  return new Map(lines.map((line) => [line.task.slice(word.length), wasFound(line)]));
}

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[all.length >> 1] ?? 0;

function show(results: readonly Live[], { before, cpu }: { readonly before: ReadonlyMap<string, boolean>; readonly cpu: number }): void {
  const faulty = results.filter(({ kind }) => kind === 'fault');
  const conforming = results.filter(({ kind }) => kind === 'variant');
  const others = faulty.reduce((sum, { binding, clause }) => sum + binding.filter((one) => one !== clause).length, 0);
  const pairs = results.map(({ pairs: { met, of } }) => (of === 0 ? 0 : met / of));
  const figures: readonly (readonly [string, string])[] = [
    ['faults named', `${faulty.filter(isNamed).length} of ${faulty.length}`],
    ['faults found', `${faulty.filter(({ red }) => red.length > 0).length} of ${faulty.length}`],
    ...(before.size === 0 ? [] : [['found when frozen', `${[...before.values()].filter(Boolean).length} of ${before.size}`] as const]),
    ['other red clauses a fault', (others / Math.max(1, faulty.length)).toFixed(2)],
    ['variants red', `${conforming.filter(({ binding }) => binding.length > 0).length} of ${conforming.length}`],
    ['requests, median', String(median(results.map(({ requests }) => requests)))],
    ['requests, most', String(Math.max(...results.map(({ requests }) => requests)))],
    ['animals, median', String(median(results.map(({ created }) => created)))],
    ['pairs met, median', `${Math.round(100 * median(pairs))} %`],
    ['CPU with the server, ms', String(Math.round(cpu / Math.max(1, results.length)))],
  ];
  for (const [figure, value] of figures) console.log(`${figure.padEnd(28)} ${value.padStart(12)}`);
}

const idsIn = (text: string | undefined): readonly string[] => {
  const ids = (text ?? '').split(',').filter((id) => id !== '');
  const unknown = ids.find((id) => id !== 'own' && !ALL.includes(id as CatalogClauseId));
  if (unknown !== undefined)
    throw new Error(`there is no clause ${unknown}; --only and --skip take ids of clauses, with commas between them`);
  return ids;
};

function parse(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...{
        depth: text,
        seed: text,
        only: text,
        skip: text,
        'max-creates': text,
        requests: text,
        deadline: text,
        turns: text,
        frozen: text,
      },
      ...{ 'read-only': flag, smoke: flag, notes: flag, help: flag },
    },
  });
  const depth = DEPTHS.find((one) => one === (values.depth ?? 'standard'));
  if (depth === undefined) throw new Error(`--depth is one of ${DEPTHS.join(', ')}, not ${values.depth}`);
  const frozen = values.frozen === undefined ? undefined : FROZEN[values.frozen]?.choices;
  const [requests, deadline] = [values.requests, values.deadline].map((value) => (value === undefined ? undefined : Number(value)));
  const choices: Choices = frozen ?? {
    session: {
      ...{ depth, maxCreates: Number(values['max-creates'] ?? (depth === 'thorough' ? 320 : 250)) },
      ...(values['read-only'] === true || values.smoke === true || values.turns !== undefined ? READ_ONLY : {}),
    },
    ...{ only: idsIn(values.only), skip: idsIn(values.skip), turns: values.smoke === true ? ONCE : Number(values.turns ?? 0) },
    ...(requests === undefined ? {} : { requests }),
    ...(deadline === undefined ? {} : { deadline: deadline * 1_000 }),
  };
  const hasFile = positionals[0]?.endsWith('.jsonl') === true;
  const [out = 'reports/rows/live.jsonl', part = '1/1'] = hasFile ? positionals : [];
  const names = hasFile ? positionals.slice(2) : positionals;
  const before = values.frozen === undefined ? new Map<string, boolean>() : frozenFaults(values.frozen);
  const [own = 1, of = 1] = part.split('/').map(Number);
  const subjects = selectSubjects(
    before.size > 0 && names.length === 0 ? [...before.keys()] : names.filter((name) => !/^(faults|variants)$/.test(name)),
  )
    .filter(({ kind, name }) => before.size === 0 || (kind === 'fault' && before.has(name)))
    .filter(({ kind }) => (names.includes('faults') ? kind === 'fault' : names.includes('variants') ? kind === 'variant' : true))
    .filter((_subject, index) => index % of === own - 1);
  const session = { ...choices.session, ...(values.seed === undefined ? {} : { seed: Number(values.seed) }) };
  return {
    help: values.help === true,
    showsNotes: values.notes === true || process.env['NOTES'] !== undefined,
    choices: { ...choices, session },
    out,
    before,
    subjects,
  };
}

async function main(words: readonly string[]): Promise<void> {
  const { help, showsNotes, choices, out, before, subjects } = parse(words);
  if (help) {
    console.log(USAGE);
    return;
  }
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, '');
  const results: Live[] = [];
  const cpu = process.cpuUsage();
  const queue = [...subjects];
  async function work(): Promise<void> {
    for (let subject = queue.shift(); subject !== undefined; subject = queue.shift()) {
      const live = await judgeLive(subject, choices).catch((error: unknown) => {
        console.log(`BROKE ${subject?.name} ${error instanceof Error ? error.stack : String(error)}`);
        return undefined;
      });
      if (live === undefined) continue;
      results.push(live);
      appendFileSync(out, `${JSON.stringify(live)}\n`);
      const was = before.get(live.name);
      const word = isRight(live) ? (was === false ? 'NEW ' : 'ok  ') : was === false ? 'both' : 'GAP ';
      if (word !== 'ok  ' || showsNotes)
        console.log(`${word} ${live.kind.padEnd(7)} ${live.name.padEnd(44)} ${live.clause.padEnd(28)} ${live.red.join(' ')}`);
      if ((showsNotes || (live.kind === 'variant' && !isRight(live))) && live.red.length > 0)
        console.log(`       ${JSON.stringify(live.notes)}`);
    }
  }
  await Promise.all([work(), work(), work()]);
  const { user, system } = process.cpuUsage(cpu);
  show(results, { before, cpu: (user + system) / 1_000 });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
