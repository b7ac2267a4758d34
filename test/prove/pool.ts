import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type HoldoutResult, judgeHoldout } from '../../corpora/holdouts/corpora.ts';
import type { Shown as Measured, STAGES } from './frozen/stages.ts';
import { type DefectResult, judgeDefect } from './grid/defects.ts';
import { readHistory } from './recorded/history-file.ts';
import { judgeRecorded, type Rejudged, recordSubject, type Shown, shownBy } from './recorded/judge-recorded.ts';
import { type Reproduction, reproduce } from './reproduce.ts';
import {
  judgeOnly,
  judgeSubject,
  type Only,
  type RecordedSubject,
  type RegistrySubject,
  type Result,
  type Subject,
  type SubjectOptions,
} from './result.ts';
import { judgeUsedStore, type UsedStore } from './used-store.ts';

/** What a worker of the proof is asked: to judge a server by all checks or by one clause, or whether failing exchanges of single faults recur on a combined one. */
type Question =
  | ({ readonly kind: 'judge'; readonly subject: Subject } & SubjectOptions)
  /** To judge a server and keep its history in the folder; to judge it anew from there. */
  | { readonly kind: 'record'; readonly subject: RecordedSubject; readonly folder: string }
  | { readonly kind: 'recorded'; readonly subject: RecordedSubject; readonly folder: string }
  /** By which requests the recorded server is seen to be broken. */
  | { readonly kind: 'shown'; readonly subject: RegistrySubject; readonly folder: string }
  /** A task of the frozen measure. */
  | { readonly kind: 'frozen'; readonly stage: keyof typeof STAGES; readonly task: string }
  | { readonly kind: 'use-store'; readonly fault: string }
  | { readonly kind: 'grid'; readonly name: string }
  | { readonly kind: 'holdout'; readonly name: string }
  | { readonly kind: 'only'; readonly clause: string; readonly faults: readonly string[] }
  | {
      readonly kind: 'reproduce';
      readonly faults: readonly string[];
      readonly of: readonly { readonly fault: string; readonly clause: string }[];
    };

/** What comes back, by the kind of the question. */
type Reply<Asked extends Question> = Asked extends { readonly kind: 'judge' | 'record' }
  ? Result
  : Asked extends { readonly kind: 'recorded' }
    ? Rejudged
    : Asked extends { readonly kind: 'shown' }
      ? Shown
      : Asked extends { readonly kind: 'use-store' }
        ? UsedStore
        : Asked extends { readonly kind: 'only' }
          ? Only
          : Asked extends { readonly kind: 'grid' }
            ? DefectResult
            : Asked extends { readonly kind: 'holdout' }
              ? HoldoutResult
              : Asked extends { readonly kind: 'frozen' }
                ? Measured
                : readonly Reproduction[];

export async function answerQuestion(
  question: Question,
): Promise<Result | Rejudged | Shown | Measured | UsedStore | Only | DefectResult | HoldoutResult | readonly Reproduction[]> {
  if (question.kind === 'record') return recordSubject(question.folder, question.subject);
  if (question.kind === 'recorded') return judgeRecorded(question.folder, question.subject);
  if (question.kind === 'shown') return shownBy(readHistory(question.folder, question.subject));
  // Loaded by those only who measure: it comes with all that is ever measured.
  if (question.kind === 'frozen') return (await import('./frozen/stages.ts')).STAGES[question.stage].measure(question.task);
  if (question.kind === 'use-store') return judgeUsedStore(question.fault);
  if (question.kind === 'grid') return judgeDefect(question.name);
  if (question.kind === 'holdout') return judgeHoldout(question.name);
  if (question.kind === 'only') return judgeOnly(question.clause, question.faults);
  if (question.kind === 'reproduce') return reproduce(question);
  const { subject, ...options } = question;
  return judgeSubject(subject, options);
}

type Settle = PromiseWithResolvers<never>;
type Pending = { readonly question: Question; readonly settle: Settle };
export type WorkerQuestion = { readonly number: number; readonly question: Question };
export type WorkerReply = { readonly number: number } & ({ readonly reply: unknown } | { readonly broke: string });

/** Asks on all cores, in the order of asking. */
export type Pool = { ask<Asked extends Question>(question: Asked): Promise<Reply<Asked>>; close(): Promise<void> };

/** One question is not worth the loading of a worker. */
const inThisThread: Pool = {
  ask: <Asked extends Question>(question: Asked) => answerQuestion(question) as Promise<Reply<Asked>>,
  close: async () => undefined,
};

/** Servers that leave the cores idle nearly all the time: they are judged at the same time as the others, several in one worker. */
const MOSTLY_WAITING = new Set([
  'chunked-slowly',
  'creations-rate-limited',
  'latency-400-ms',
  'latency-jitter',
  'quota-of-30-too-many',
  'rate-limited',
  'rate-limited-before-authentication',
  'rate-limited-in-plain-text',
  'rate-limited-tightly',
  'rate-limited-with-date',
  'slow-creation',
  'two-at-a-time',
  'unavailable-now-and-then',
]);
const WAITING_AT_ONCE = 7;

function isWaiting(question: Question): boolean {
  if (question.kind === 'frozen') return MOSTLY_WAITING.has(question.task.split(' ').at(-1) ?? '');
  return (question.kind === 'judge' || question.kind === 'record') && MOSTLY_WAITING.has(question.subject.name);
}

/** Workers that take questions in the order of asking, each `atOnce` at a time. */
function createLane(workers: number, atOnce: number) {
  const queue: Pending[] = [];
  const all: { readonly worker: Worker; readonly open: Map<number, Pending> }[] = [];
  let asked = 0;

  function start() {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    const started = { worker, open: new Map<number, Pending>() };
    worker.on('message', (message: WorkerReply) => {
      const { question, settle } = started.open.get(message.number) ?? {};
      started.open.delete(message.number);
      if ('broke' in message) settle?.reject(new Error(`${JSON.stringify(question)}: ${message.broke}`));
      else settle?.resolve(message.reply as never);
      assign();
    });
    all.push(started);
    return started;
  }

  function assign(): void {
    const free = all.find(({ open }) => open.size < atOnce) ?? (all.length < workers ? start() : undefined);
    const next = free === undefined ? undefined : queue.shift();
    if (free === undefined || next === undefined) return;
    asked += 1;
    free.open.set(asked, next);
    free.worker.postMessage({ number: asked, question: next.question } satisfies WorkerQuestion);
  }

  return {
    ask(question: Question): Promise<never> {
      const settle: Settle = Promise.withResolvers();
      queue.push({ question, settle });
      assign();
      return settle.promise;
    },
    close: () => Promise.all(all.map(({ worker }) => worker.terminate())),
  };
}

/**
 * Other servers wait now and then, too, so there are three times as many workers as cores, unless there are fewer questions. What was recorded
 * waits for nothing: one worker a core.
 */
export function createPool(questions = Number.POSITIVE_INFINITY, { perCore = 3 } = {}): Pool {
  if (questions <= 1) return inThisThread;
  const busy = createLane(Math.min(perCore * availableParallelism(), questions), 1);
  const waiting = createLane(1, WAITING_AT_ONCE);
  return {
    ask: (question) => (isWaiting(question) ? waiting : busy).ask(question),
    async close() {
      await Promise.all([busy.close(), waiting.close()]);
    },
  };
}
