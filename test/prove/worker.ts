import { enableCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { Question } from './questions.ts';

enableCompileCache();

/** Works on one question at a time: `{ question, reply }` back, or `{ question, broke }`. */
if (parentPort !== null) {
  const port = parentPort;
  const { answerQuestion } = await import('./questions.ts');
  port.on('message', (question: Question) => {
    answerQuestion(question).then(
      (reply) => port.postMessage({ question, reply }),
      (error: unknown) =>
        port.postMessage({ question, broke: error instanceof Error ? `${error.stack} ${String(error.cause ?? '')}` : String(error) }),
    );
  });
}
