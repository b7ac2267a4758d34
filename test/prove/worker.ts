import { parentPort } from 'node:worker_threads';
import { answerQuestion, type Question } from './questions.ts';

/** Works on one question at a time: `{ question, reply }` back, or `{ question, broke }`. */
if (parentPort !== null) {
  const port = parentPort;
  port.on('message', (question: Question) => {
    answerQuestion(question).then(
      (reply) => port.postMessage({ question, reply }),
      (error: unknown) =>
        port.postMessage({ question, broke: error instanceof Error ? `${error.stack} ${String(error.cause ?? '')}` : String(error) }),
    );
  });
}
