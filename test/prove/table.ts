// `npm run prove [-- PART]`: every fault must turn the clause that it names red, and no variant may turn anything red.
import { proveAll } from './prove-all.ts';

const [part = ''] = process.argv.slice(2);
let proven = 0;
let unproven = 0;

await proveAll(part, ({ kind, name }, proof) => {
  if (proof.proven) proven += 1;
  else unproven += 1;
  const mark = proof.proven ? 'ok  ' : 'GAP ';
  const figures = `${String(proof.requestsUntilFound).padStart(5)}/${String(proof.requests).padEnd(5)} ${String(proof.created).padStart(3)} made ${String(proof.milliseconds).padStart(6)} ms`;
  const clauses = kind === 'fault' ? `${proof.expected}  red: ${proof.red.join(' ') || 'none'}` : `red: ${proof.red.join(' ') || 'none'}`;
  console.log(
    `${mark} ${kind.padEnd(7)} ${name.padEnd(44)} ${figures}  ${clauses}${proof.advised.length > 0 ? `  advised: ${proof.advised.join(' ')}` : ''}`,
  );
  if (!proof.proven && kind === 'variant') for (const { check, note } of proof.failures) console.log(`       ${check}: ${note}`);
});

console.log(`\n${proven} proven, ${unproven} not; columns: requests until found/all, animals made, time, clause expected, clauses red`);
process.exitCode = unproven === 0 && proven > 0 ? 0 : 1;
