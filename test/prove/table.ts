// `npm run prove [-- PART]`: every fault must turn the clause that it names red, and no variant may turn anything red.
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import type { Proof } from './prove.ts';
import { createProver } from './prove-all.ts';
import type { Question } from './worker.ts';

const [part = ''] = process.argv.slice(2);
const questions: Question[] = [
  ...variants.map(({ name }) => ({ kind: 'variant' as const, name, swift: false })),
  ...faults.map(({ name }) => ({ kind: 'fault' as const, name, swift: false })),
].filter(({ name }) => name.includes(part));

function lineOf({ kind, name }: Question, proof: Proof): string {
  const figures = [
    `${proof.requestsUntilFound}/${proof.requests}`.padStart(11),
    `${String(proof.created).padStart(3)} made`,
    `${String(proof.milliseconds).padStart(6)} ms`,
  ].join(' ');
  const expected = kind === 'fault' ? `${proof.expected}  ` : '';
  const advised = proof.advised.length > 0 ? `  advised: ${proof.advised.join(' ')}` : '';
  const details = proof.proven || kind === 'fault' ? [] : proof.failures.map(({ check, note }) => `\n       ${check}: ${note}`);
  return `${proof.proven ? 'ok  ' : 'GAP '} ${kind.padEnd(7)} ${name.padEnd(44)} ${figures}  ${expected}red: ${proof.red.join(' ') || 'none'}${advised}${details.join('')}`;
}

const prover = createProver();
let proven = 0;
await Promise.all(
  questions.map(async (question) => {
    const proof = await prover.prove(question);
    if (proof.proven) proven += 1;
    console.log(lineOf(question, proof));
  }),
);
await prover.close();
console.log(`\nColumns: requests until found/all, animals made, time, clause expected, clauses red`);
console.log(`${proven} proven, ${questions.length - proven} not`);
process.exitCode = proven === questions.length && proven > 0 ? 0 : 1;
