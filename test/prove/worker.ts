import { parentPort } from 'node:worker_threads';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { proveFault, proveVariant } from './prove.ts';

/** Proves what it is asked to, one at a time: `{ kind, name }` in, the proof or `{ name, broke }` out. */
export type Question = { readonly kind: 'fault' | 'variant'; readonly name: string; readonly swift: boolean };

async function answer({ kind, name, swift }: Question): Promise<unknown> {
  const fault = kind === 'fault' ? faults.find((candidate) => candidate.name === name) : undefined;
  if (fault !== undefined) return proveFault(fault, { swift });
  const variant = variants.find((candidate) => candidate.name === name);
  if (variant !== undefined) return proveVariant(variant, { swift });
  throw new Error(`prove: there is no ${kind} ${name}`);
}

if (parentPort !== null) {
  const port = parentPort;
  port.on('message', (question: Question) => {
    answer(question).then(
      (proof) => port.postMessage({ question, proof }),
      (error: unknown) =>
        port.postMessage({ question, broke: error instanceof Error ? `${error.stack} ${String(error.cause ?? '')}` : String(error) }),
    );
  });
}
