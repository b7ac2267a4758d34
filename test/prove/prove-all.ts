import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Proof } from './prove.ts';
import type { Question } from './worker.ts';

type Reply = { readonly question: Question } & ({ readonly proof: Proof } | { readonly broke: string });
type Pending = { readonly question: Question; readonly settle: PromiseWithResolvers<Proof> };

/** Proves on all cores, in the order of asking. */
export type Prover = { prove(question: Question): Promise<Proof>; close(): Promise<void> };

/** Servers with latency leave a core idle, so there is one worker more than there are cores. */
export function createProver(workers = availableParallelism() + 1): Prover {
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
    worker.once('message', (reply: Reply) => {
      if ('broke' in reply) settle.reject(new Error(`${question.kind} ${question.name}: ${reply.broke}`));
      else settle.resolve(reply.proof);
      assign(worker);
    });
    worker.postMessage(question);
  }

  return {
    prove(question) {
      const settle = Promise.withResolvers<Proof>();
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
