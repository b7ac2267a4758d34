import { createWriteStream, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, zstdDecompressSync } from 'node:zlib';
import type { CheckId } from '../../../src/clause/clause.ts';
import type { Unsent } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { UsageError } from '../../../src/cli/option-spec.ts';
import type { Sent } from '../../../src/judge/judging.ts';
import type { SessionOptions } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { messageOf } from '../../../src/wire/wording.ts';
import type { KeptRun } from '../judge-reference.ts';
import type { RecordedSubject, Result } from '../result.ts';
import { createExchangeReader, createExchangeWriter, type ExchangeFileLine, type RunFacts } from './run-history.ts';

/** The version of the line format: files with another one can't be read, and are recorded again. */
const VERSION = 1;
const ENDING = '.jsonl.zst';

/** A recorded run, and what the proof reported about it in addition to the verdicts. */
export type ReadRun = {
  readonly facts: RunFacts;
  readonly run: Omit<KeptRun, 'history' | 'records' | 'now'>;
  readonly exchanges: readonly Exchange[];
  /** From now on the exchanges are read as at the end of the run, instead of as when they were recorded. */
  readonly end: () => void;
};

/** Everything that was recorded about a server: all checks, and the clause of a fault alone, if that was judged too. */
export type ReadHistory = { readonly subject: RecordedSubject; readonly runs: readonly ReadRun[]; readonly result: Result };

type OutcomeLine = Exclude<Unsent, { kind: 'fail' }> | { readonly kind: 'fail'; readonly findings: readonly FindingLine[] };
/** Exchanges by their numbers. */
type FindingLine = Omit<Finding, 'exchanges'> & { readonly exchanges: readonly number[] };
type SentLine = readonly [id: CheckId, duration: number, outcome?: OutcomeLine];
type RunLine = {
  readonly run: Omit<ReadRun['run'], 'options'>;
  readonly facts: Omit<RunFacts, 'options' | 'sent'>;
  readonly sent: readonly SentLine[];
  readonly options: Omit<SessionOptions, 'now' | 'categoryIds'> & { readonly now: string; readonly categoryIds: readonly string[] };
};
type Head = { readonly recorded: RecordedSubject; readonly version: number };
type Last = { readonly result: Result; readonly lines: number };
type FileLine = Head | Last | RunLine | ExchangeFileLine;

export function historyFile(folder: string, { kind, name }: RecordedSubject): string {
  return join(folder, `${kind}-${name}${ENDING}`);
}

/** The servers whose histories are in the folder. Throws UsageError if there are none. */
export function recordedIn(folder: string): readonly RecordedSubject[] {
  let files: readonly string[] = [];
  try {
    files = readdirSync(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const subjects = files.flatMap((file): RecordedSubject[] => {
    const [, kind, name = ''] = new RegExp(`^(fault|variant|holdout)-(.*)\\${ENDING}$`).exec(file) ?? [];
    return kind === 'fault' || kind === 'variant' || kind === 'holdout' ? [{ kind, name }] : [];
  });
  if (subjects.length === 0)
    throw new UsageError(`there are no recorded histories in ${folder}; "npm run prove -- --record ${folder}" records them`);
  return subjects;
}

function sentLine([id, { outcome, duration }]: readonly [CheckId, Sent]): SentLine {
  if (outcome === undefined) return [id, duration];
  if (outcome.kind !== 'fail') return [id, duration, outcome];
  const numbers = (finding: Finding): FindingLine => ({ ...finding, exchanges: finding.exchanges.map(({ number }) => number) });
  return [id, duration, { kind: 'fail', findings: outcome.findings.map(numbers) }];
}

function runLine({ history, records: _records, now: _now, ...run }: KeptRun): RunLine {
  const { options, sent, ...facts } = history.facts;
  const { now, categoryIds } = options;
  return {
    run,
    facts,
    sent: [...sent].map(sentLine),
    options: { ...options, now: now.toISOString(), categoryIds: categoryIds.map(String) },
  };
}

function* linesOf(recorded: RecordedSubject, runs: readonly KeptRun[], result: Result): Generator<string> {
  let lines = 0;
  const line = (one: Head | RunLine | Last): string => `${JSON.stringify(one)}\n`;
  yield line({ recorded, version: VERSION });
  for (const run of runs) {
    yield line(runLine(run));
    const writer = createExchangeWriter();
    for (const exchange of run.history.exchanges) {
      writer.write(exchange);
      for (const written of writer.lines.splice(0)) {
        lines += 1;
        yield `${written}\n`;
      }
    }
  }
  yield line({ result, lines });
}

/** Writes the history of a server to a file in the folder, replacing an earlier one. */
export async function writeHistory(
  folder: string,
  { subject, runs, result }: { readonly subject: RecordedSubject; readonly runs: readonly KeptRun[]; readonly result: Result },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = historyFile(folder, subject);
  const unfinished = `${file}.part`;
  await pipeline(Readable.from(linesOf(subject, runs, result)), createZstdCompress(), createWriteStream(unfinished));
  renameSync(unfinished, file);
}

const NEWLINE = 0x0a;

/** A file may be larger than a string can be. */
function* readLines(file: string): Generator<FileLine> {
  const bytes = zstdDecompressSync(readFileSync(file));
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(NEWLINE, from);
    if (to === -1) throw new Error('its last line is cut off');
    yield JSON.parse(bytes.toString('utf8', from, to)) as FileLine;
    from = to + 1;
  }
}

function outcomeOf(line: OutcomeLine, exchanges: readonly Exchange[]): Unsent {
  if (line.kind !== 'fail') return line;
  const byNumber = new Map(exchanges.map((exchange) => [exchange.number, exchange]));
  const [first, ...rest] = line.findings.map((finding) => ({
    ...finding,
    exchanges: finding.exchanges.flatMap((number) => byNumber.get(number) ?? []),
  }));
  if (first === undefined) throw new Error('a failed check has no finding');
  return { kind: 'fail', findings: [first, ...rest] };
}

/** Collects the lines of one run. */
function createRunReader({ run, facts, sent, options }: RunLine) {
  let isOver = false;
  const read = createExchangeReader(() => isOver);
  const exchanges: Exchange[] = [];
  return {
    take(line: ExchangeFileLine): void {
      const exchange = read(line);
      if (exchange !== undefined) exchanges.push(exchange);
    },
    end(): ReadRun {
      const outcomes = sent.map(([id, duration, outcome]): [CheckId, Sent] => [
        id,
        { duration, outcome: outcome === undefined ? undefined : outcomeOf(outcome, exchanges) },
      ]);
      const told = { ...options, now: new Date(options.now), categoryIds: options.categoryIds.map(BigInt) };
      return {
        ...{ run, exchanges },
        facts: { ...facts, options: told, sent: new Map(outcomes) },
        end: () => {
          isOver = true;
        },
      };
    },
  };
}

function readWhole(file: string): ReadHistory {
  const lines = readLines(file);
  const head = lines.next().value;
  if (head === undefined || !('recorded' in head)) throw new Error('it does not begin like one');
  if (head.version !== VERSION) throw new Error(`it is of version ${head.version}, and this program reads version ${VERSION}`);
  const runs: ReturnType<typeof createRunReader>[] = [];
  let count = 0;
  for (const line of lines) {
    if ('run' in line) runs.push(createRunReader(line));
    else if ('result' in line) {
      if (line.lines !== count) throw new Error(`it has ${count} of ${line.lines} lines`);
      return { subject: head.recorded, runs: runs.map((run) => run.end()), result: line.result };
    } else if ('text' in line || 'exchange' in line) {
      count += 1;
      runs.at(-1)?.take(line);
    }
  }
  throw new Error('its end is missing');
}

/** The options that record such a server. */
const recording = ({ kind }: RecordedSubject, folder: string): string => `${kind === 'holdout' ? '--holdouts ' : ''}--record ${folder}`;

/** Reads the history of a server. Throws UsageError that says what is wrong with the file, and what to do. */
export function readHistory(folder: string, subject: RecordedSubject): ReadHistory {
  const file = historyFile(folder, subject);
  try {
    return readWhole(file);
  } catch (cause) {
    const what = messageOf(cause);
    throw new UsageError(
      `cannot read the history in ${file}: ${what}; "npm run prove -- ${recording(subject, folder)} ${subject.name}" records it anew`,
      { cause },
    );
  }
}
