import { enableCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { WorkerQuestion, WorkerReply } from './pool.ts';

enableCompileCache();

/** Works on the questions that come, each under its number: `{ number, reply }` back, or `{ number, broke }`. */
if (parentPort !== null) {
  const port = parentPort;
  const { answerQuestion } = await import('./pool.ts');
  const send = (message: WorkerReply): void => port.postMessage(message);
  port.on('message', ({ number, question }: WorkerQuestion) => {
    answerQuestion(question).then(
      (reply) => send({ number, reply }),
      (error: unknown) => send({ number, broke: error instanceof Error ? `${error.stack} ${String(error.cause ?? '')}` : String(error) }),
    );
  });
}
