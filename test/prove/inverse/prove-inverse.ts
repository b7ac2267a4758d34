import { createPool } from '../pool.ts';
import { renewOthers } from '../render-figures.ts';
import type { RegistrySubject } from '../result.ts';
import type { Verdicts } from '../tables.ts';
import { costsNothing, keepWorth, type Worth, worthOf } from './worth.ts';

const MOST_NAMED = 4;

function lineOf({ stimulus, requests, shows, only }: Worth): string {
  const names = only.slice(0, MOST_NAMED).join(' ') + (only.length > MOST_NAMED ? ` and ${only.length - MOST_NAMED} more` : '');
  return `  ${stimulus.padEnd(52)} ${String(requests).padStart(5)} ${String(shows).padStart(5)} ${String(only.length).padStart(5)}  ${names}`;
}

/**
 * What each kind of requests shows in recorded histories, and which of them could be left out: fails if no request of a fault's clause
 * shows it. Nothing is sent, so these are candidates: `--without` tests them.
 */
export async function proveInverse(
  subjects: readonly RegistrySubject[],
  folder: string,
  { keep }: { readonly keep: boolean },
): Promise<Verdicts> {
  const pool = createPool(subjects.length, { perCore: 1 });
  try {
    const all = await Promise.all(
      subjects.map(async (subject) => ({ subject, shown: await pool.ask({ kind: 'shown', subject, folder }) })),
    );
    const of = (kind: RegistrySubject['kind']) => all.filter(({ subject }) => subject.kind === kind).map(({ shown }) => shown);
    const [faults, conforming] = [of('fault'), of('variant')];
    const unshown = faults.filter(({ stimuli }) => stimuli.length === 0);
    const worth = worthOf({ faults, conforming });
    console.log(`Of ${faults.length} faults: requests to a conforming server, faults that they show, and those that nothing else shows`);
    for (const row of worth) console.log(lineOf(row));
    const free = costsNothing({ faults, conforming });
    const spared = free.reduce((sum, { requests }) => sum + requests, 0);
    console.log(
      `\nCould be left out, one after the other, without a fault that nothing shows: ${free.length} of ${worth.length}, ${spared} requests`,
    );
    for (const row of free) console.log(lineOf(row));
    for (const { name } of unshown) console.log(`GAP  ${name}: no request shows that its clause is broken`);
    if (keep) {
      keepWorth(worth);
      renewOthers();
    }
    return { passed: faults.length - unshown.length, failed: unshown.length };
  } finally {
    await pool.close();
  }
}
