import { expect, onTestFinished, test } from 'vitest';
import { EFFECTS } from '../../src/clause/clause.ts';
import type { RotationSource } from '../../src/probe/judge-target.ts';
import { aloneAs, createRotation, type Rotation } from '../../src/probe/rotation/rotation.ts';
import { turning } from '../../src/probe/rotation/turns.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { createSmoke } from '../../src/probe/smoke.ts';
import { openSession } from '../../src/session/open-session.ts';
import { clauses } from '../../suites/index.ts';
import { probeClauses } from '../../suites/probe.ts';
import { conformingUntil, type RawRequest } from '../hostile/attacker.ts';
import { judgeSession, sessionOptions } from '../prove/judge-reference.ts';
import { KEY, memoryHistory } from './samples.ts';

const ANIMALS = 30;
const MINUTE = 60_000;
/** The day, or the minute, of the first run. */
const FIRST = 20_780;
/** Header fields that differ from run to run, and those of the connection. */
const PASSING = new Set(['host', 'connection', 'traceparent']);

/** Which key a request has; near misses of the key are drawn again each time. */
function credentialOf(authorization: string): string {
  const [, scheme, key] = /^(\S*) +(.+)$/.exec(authorization) ?? [];
  return key === undefined || key === KEY ? authorization.replace(KEY, '[key]') : `${scheme} another key`;
}

/** A class for an id: that of an animal, one that resembles those (`31`, `300`), one that is drawn each time, or the id itself. */
function idOf(id: string): string {
  if (/^\d{10}$/.test(id)) return 'drawn';
  if (!/^[1-9]\d{0,2}$/.test(id)) return id;
  return Number(id) <= ANIMALS ? 'known' : 'near';
}

/** A class for the name of a client that is unique to a run. */
const clientOf = (value: string): string => value.replace(/(?<=^petstore-conformance-)[a-z0-9]+$/, 'one of its own');

/** A request with classes in place of its key, id, and client, and of limits next to a status, which are drawn too. */
function lineOf({ method, target, headers }: RawRequest): string {
  const path = target
    .replace(/(?<=\/pets\/)\d+$/, idOf)
    .replace(/limit=\d+&status=/, 'limit=some&status=')
    .replace(/(status=[a-z]+&limit=)\d+/, '$1some');
  const fields = Object.entries(headers)
    .filter(([name]) => !PASSING.has(name))
    .map(([name, value]) => `${name}: ${name === 'authorization' ? credentialOf(value) : clientOf(value)}`);
  return [`${method} ${path}`, ...fields.toSorted()].join('\n');
}

/** A conforming server, and what it receives during some work. */
async function recordingService() {
  let seen = new Set<string>();
  const { baseUrl, close } = await conformingUntil(
    (request, genuine) => {
      seen.add(lineOf(request));
      genuine();
    },
    { apiKey: KEY, seedAnimals: ANIMALS },
  );
  onTestFinished(close);
  const during = async (work: () => Promise<unknown>): Promise<ReadonlySet<string>> => {
    seen = new Set();
    await work();
    return seen;
  };
  return { baseUrl, during };
}

/** A run with these turns, and with more time than a busy machine needs. */
async function runWith(rotation: RotationSource, { baseUrl, budget }: { baseUrl: string; budget: number }): Promise<Sample> {
  const target = { ...targetOf(budget), baseUrl, apiKey: () => KEY, deadline: 120_000, latencyLimit: 120_000, interval: 600_000 };
  const { sample } = await createSmoke(target, { clauses: probeClauses, version: '0', rotation }).run();
  expect(sample, sample.note).toMatchObject({ verdict: 'pass' });
  return sample;
}

/** `run --read-only`, as against production. */
async function runGate(baseUrl: string): Promise<void> {
  const open = await openSession(sessionOptions(baseUrl, { apiKey: KEY, readOnly: true, intrusive: false, seed: 1, runTag: 'probe' }));
  await open.start();
  await judgeSession(open, { clauses, effects: EFFECTS });
  await open.session.close();
}

const targetOf = (budget: number) => ({ name: 'production', rotation: { budget, nearMisses: true } });

/** Sequences of runs: how many, what each may send, and the source of the one with that number. */
const WAYS: readonly (readonly [
  name: string,
  runs: number,
  budget: number,
  sourceOf: (run: number, minute: (at: number) => Rotation) => RotationSource,
])[] = [
  ['smoke --budget 250 on sixteen days', 16, 250, (day) => aloneAs(FIRST + day, 250, { kinds: turning(clauses), clauses })],
  ['/probe every five minutes, with a budget of 231', 16, 231, (run, at) => at(FIRST + 5 * run).alone(targetOf(231))],
  ['the schedule, with a budget of 120', 16, 120, (run, at) => at(FIRST + run).of(targetOf(120))],
];

test.for(WAYS)('%s: together they send every request of run --read-only.', async ([, runs, budget, sourceOf]) => {
  const { baseUrl, during } = await recordingService();
  const gate = await during(() => runGate(baseUrl));
  let wall = 0;
  const rotation = createRotation({ clauses, history: memoryHistory(), wall: () => wall });
  const minute = (at: number): Rotation => {
    wall = at * MINUTE;
    return rotation;
  };
  const sent = await during(async () => {
    for (let run = 0; run < runs; run += 1) rotation.keep(await runWith(sourceOf(run, minute), { baseUrl, budget }));
  });
  expect([...gate].filter((line) => !sent.has(line))).toEqual([]);
});
