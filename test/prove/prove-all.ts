import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import type { Proof } from './prove.ts';
import type { Question } from './worker.ts';

type Reply = { readonly question: Question } & ({ readonly proof: Proof } | { readonly broke: string });

/** Proves all faults and variants whose name contains `part`, on all cores; `onProof` sees each as it comes. */
export async function proveAll(part: string, onProof: (question: Question, proof: Proof) => void): Promise<void> {
  const questions: Question[] = [
    ...variants.map(({ name }) => ({ kind: 'variant' as const, name })),
    ...faults.map(({ name }) => ({ kind: 'fault' as const, name })),
  ].filter(({ name }) => name.includes(part));
  const next = (): Question | undefined => questions.shift();
  // Servers with latency leave a core idle, so there are more workers than cores.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, () => work(next, onProof)));
}

function work(next: () => Question | undefined, onProof: (question: Question, proof: Proof) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    const ask = (): void => {
      const question = next();
      if (question === undefined) worker.terminate().then(() => resolve(), reject);
      else worker.postMessage(question);
    };
    worker.on('error', reject);
    worker.on('message', (reply: Reply) => {
      if ('broke' in reply) {
        reject(new Error(`prove ${reply.question.kind} ${reply.question.name}: ${reply.broke}`));
        return;
      }
      onProof(reply.question, reply.proof);
      ask();
    });
    ask();
  });
}
