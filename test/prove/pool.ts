import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { answerQuestion, type Question, type Reply } from './questions.ts';

type Message = { readonly reply: never } | { readonly broke: string };
type Pending = { readonly question: Question; readonly settle: PromiseWithResolvers<never> };

/** Asks on all cores, in the order of asking. */
export type Pool = { ask<Asked extends Question>(question: Asked): Promise<Reply<Asked>>; close(): Promise<void> };

/** One question is not worth the loading of a worker. */
const inThisThread: Pool = {
  ask: <Asked extends Question>(question: Asked) => answerQuestion(question) as Promise<Reply<Asked>>,
  close: async () => undefined,
};

/** Servers with latency leave a core idle, so there is one worker more than there are cores, unless there are fewer questions. */
export function createPool(questions = Number.POSITIVE_INFINITY): Pool {
  if (questions <= 1) return inThisThread;
  const workers = Math.min(availableParallelism() + 1, questions);
  const queue: Pending[] = [];
  const idle: Worker[] = [];
  const all: Worker[] = [];

  function assign(worker: Worker): void {
    const next = queue.shift();
    if (next === undefined) {
      idle.push(worker);
      return;
    }
    const { question, settle } = next;
    worker.once('message', (message: Message) => {
      if ('broke' in message) settle.reject(new Error(`${JSON.stringify(question)}: ${message.broke}`));
      else settle.resolve(message.reply);
      assign(worker);
    });
    worker.postMessage(question);
  }

  return {
    ask(question) {
      const settle = Promise.withResolvers<never>();
      queue.push({ question, settle });
      let worker = idle.pop();
      if (worker === undefined && all.length < workers) {
        worker = new Worker(new URL('./worker.ts', import.meta.url));
        all.push(worker);
      }
      if (worker !== undefined) assign(worker);
      return settle.promise;
    },
    async close() {
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}
