import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type HoldoutResult, judgeHoldout } from '../corpora/holdouts/corpora.ts';
import { faultsThatShow } from './companions.ts';
import { type DefectResult, judgeDefect } from './grid/defects.ts';
import { judgeSubject, type SubjectOptions } from './judge-subject.ts';
import type { Result, Subject } from './result.ts';
import { judgeUsedStore, type UsedStore } from './used-store.ts';
import { type FaultRuns, runsOn } from './waivers/waived-faults.ts';

/** What a worker of the proof is asked: to judge a server, or which faults of a combined one still show on it. */
type Question =
  | ({ readonly kind: 'judge'; readonly subject: Subject } & SubjectOptions)
  | { readonly kind: 'use-store'; readonly fault: string }
  | { readonly kind: 'waive'; readonly fault: string; readonly swift: boolean }
  | { readonly kind: 'grid'; readonly name: string }
  | { readonly kind: 'holdout'; readonly name: string }
  | { readonly kind: 'shows'; readonly faults: readonly string[]; readonly of: readonly string[] };

/** What comes back, by the kind of the question. */
type Replies = {
  readonly judge: Result;
  readonly 'use-store': UsedStore;
  readonly waive: FaultRuns;
  readonly grid: DefectResult;
  readonly holdout: HoldoutResult;
  readonly shows: readonly string[];
};
type Reply<Asked extends Question> = Replies[Asked['kind']];

export async function answerQuestion(question: Question): Promise<Replies[Question['kind']]> {
  if (question.kind === 'use-store') return judgeUsedStore(question.fault);
  if (question.kind === 'waive') return runsOn(question.fault, question);
  if (question.kind === 'grid') return judgeDefect(question.name);
  if (question.kind === 'holdout') return judgeHoldout(question.name);
  if (question.kind === 'shows') return faultsThatShow(question);
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

/** Servers that leave the cores idle nearly all the time: they are judged at the same time as the others, several in one worker: so few that none looks slow because another one is judged. */
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
const WAITING_WORKERS = 2;
const WAITING_AT_ONCE = 4;

const isWaiting = (question: Question): boolean => question.kind === 'judge' && MOSTLY_WAITING.has(question.subject.name);

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

const PER_CORE = 3;

/** Other servers wait now and then, too, so there are three times as many workers as cores, unless there are fewer questions. */
export function createPool(questions = Number.POSITIVE_INFINITY): Pool {
  if (questions <= 1) return inThisThread;
  const busy = createLane(Math.min(PER_CORE * availableParallelism(), questions), 1);
  const waiting = createLane(WAITING_WORKERS, WAITING_AT_ONCE);
  return {
    ask: (question) => (isWaiting(question) ? waiting : busy).ask(question),
    async close() {
      await Promise.all([busy.close(), waiting.close()]);
    },
  };
}
