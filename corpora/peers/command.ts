// `npm run -w corpora peers`: what other programs find in the registry of faults and variants, and what they wrongly fail.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { keepMeasurement, machine, ROOT } from '../../bench/measure.ts';
import { once } from '../../src/wire/once.ts';
import { wholeNumber } from '../../test/support/whole-number.ts';
import { peers } from './index.ts';
import { judgeServer, runCommand } from './judge-server.ts';
import { measurementOf } from './page.ts';
import type { Peer } from './peer.ts';
import { gridSample, PLAIN, REGISTERED, type Subject, sampleOf, subjectsNamed } from './registry.ts';
import { addResult, beginResults, readResults } from './results.ts';

const CACHE = join(ROOT, 'corpora', '.peers');
const RESULTS = join(ROOT, 'reports', 'peers');
const LONGEST_INSTALLATION = 1_800_000;

type Options = {
  readonly install: boolean;
  readonly add: boolean;
  readonly page: boolean;
  readonly sample?: number;
  readonly grid: number;
  readonly server: readonly string[];
  readonly patience: number;
  readonly verbose: boolean;
};

const fileOf = ({ name }: Peer): string => join(RESULTS, `${name}.jsonl`);
const cacheOf = ({ name }: Peer): string => join(CACHE, name);
const isInstalled = (peer: Peer): boolean => existsSync(join(cacheOf(peer), peer.program)) || peer.program === '';

async function succeed(command: Parameters<typeof runCommand>[0], patience: number): Promise<string> {
  const { code, output } = await runCommand(command, patience);
  if (code !== 0) throw new Error(`${command.argv.join(' ')} ended with exit code ${code}\n${output}`);
  return output;
}

async function install(peer: Peer): Promise<void> {
  mkdirSync(cacheOf(peer), { recursive: true });
  for (const command of peer.install(cacheOf(peer))) {
    console.log(`${peer.name}: ${command.argv.join(' ')}`);
    await succeed(command, LONGEST_INSTALLATION);
  }
}

async function versionOf(peer: Peer): Promise<string> {
  const output = await succeed(peer.version(cacheOf(peer)), 60_000);
  return /\d+\.\d+[\w.+-]*/.exec(output)?.[0] ?? output.trim();
}

const drawn = once(() => gridSample(options.grid));

async function chosen(peer: Peer, { server, sample }: Options): Promise<readonly Subject[]> {
  return server.length > 0 ? subjectsNamed(server) : [...sampleOf(sample ?? peer.sample), ...(await drawn())];
}

/** Judges each server in turn; the results are appended to a file, after a line that says what was measured. */
async function judgeAll(peer: Peer, options: Options): Promise<void> {
  const cache = cacheOf(peer);
  await peer.prepare?.(cache);
  const version = await versionOf(peer);
  const patience = options.patience * 1_000;
  const plain = await judgeServer(peer, cache, { subject: PLAIN, patience });
  if (plain.verdict !== 'passed')
    throw new Error(
      `${peer.name} did not pass the conforming reference server (${plain.verdict}, exit code ${plain.code}): its configuration is wrong\n${plain.output}`,
    );
  const file = fileOf(peer);
  const kept = options.add ? readResults(file) : undefined;
  const before = kept?.version === version ? kept.judged : [];
  if (before.length === 0) {
    const { milliseconds, processor, requests } = plain;
    beginResults(file, { peer: peer.name, version, date: new Date().toISOString(), plain: { milliseconds, processor, requests } });
  }
  const all = await chosen(peer, options);
  const subjects = all.filter(({ kind, name }) => !before.some((one) => one.kind === kind && one.name === name));
  for (const [index, subject] of subjects.entries()) {
    const { output, ...judged } = await judgeServer(peer, cache, { subject, patience });
    addResult(file, judged);
    const right = judged.verdict === (subject.kind === 'fault' || subject.kind === 'grid' ? 'failed' : 'passed');
    if (options.verbose) console.log(output);
    // Kept, because it can't be reconstructed later what a program said about a conforming server.
    else if (!right && subject.kind === 'variant') writeFileSync(join(RESULTS, `${peer.name}-${subject.name}.txt`), output);
    console.log(
      `${right ? 'ok ' : 'GAP'} ${peer.name} ${index + 1}/${subjects.length} ${judged.verdict.padEnd(9)} ${judged.milliseconds} ms ${judged.requests} requests  ${subject.name}`,
    );
  }
}

/** A program that fails does not keep the others from being measured. */
function giveUp(error: unknown): void {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

const program = new Command('npm run -w corpora peers --')
  .description('Lets other programs judge the servers of the registry, and shows what they find and what they fail wrongly.')
  .argument('[PEER...]', `which programs: ${peers.map(({ name }) => name).join(', ')}; default: all that are installed`)
  .option('--install', 'install these programs into corpora/.peers/ and end', false)
  .option('--page', 'judge nothing; write reports/measured/peers.md and .json from the results in reports/peers/', false)
  .option('--add', 'keep the results of earlier runs with the same version, and judge only other servers', false)
  .option('--sample <faults>', 'judge that many faults and half as many variants, chosen by their names', wholeNumber)
  .option('--grid <defects>', 'judge also that many servers with a defect that nobody chose', wholeNumber, 0)
  .option(
    '--server <name>',
    'judge this fault or variant (repeatable)',
    (name: string, all: readonly string[]) => [...all, name],
    [] as readonly string[],
  )
  .option('--patience <seconds>', 'how long a program may take for one server', wholeNumber, 120)
  .option('--verbose', 'show what the programs print', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();
const names = program.args;
const unknown = names.filter((name) => !peers.some((peer) => peer.name === name));
if (unknown.length > 0)
  program.error(`error: no program is called ${unknown.join(', ')}; there are ${peers.map(({ name }) => name).join(', ')}`);
const options = program.opts<Options>();
if (options.server.length > 0 && options.grid > 0)
  program.error('error: --grid draws servers, and --server names them: leave one of them out');
const wanted = peers.filter(({ name }) => names.length === 0 || names.includes(name));
for (const peer of options.page ? [] : wanted) {
  if (options.install) await install(peer);
  else if (isInstalled(peer)) await judgeAll(peer, options).catch(giveUp);
  else console.log(`${peer.name} is not installed, so it is skipped; npm run -w corpora peers -- --install ${peer.name} installs it`);
}
if (!options.install && options.server.length === 0) {
  const results = peers.flatMap((peer) => readResults(fileOf(peer)) ?? []);
  console.log(keepMeasurement(measurementOf(peers, { registered: REGISTERED, results }, machine())).join('\n'));
}
