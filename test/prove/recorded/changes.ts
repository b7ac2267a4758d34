import { clauses } from '../../../suites/index.ts';
import type { Result } from '../result.ts';

/** The result for a server today, and the earlier one. */
type Both = { readonly now: Result; readonly then: Result };

const redOf = ({ red, advised }: Result): readonly string[] => [...red, ...advised];
const without = (some: readonly string[], others: readonly string[]): readonly string[] => some.filter((one) => !others.includes(one));

/** The changes, one sentence each: clauses that have become red or are no longer, and parts with another verdict. */
export function changesOf({ now, then }: Both): readonly string[] {
  const clauses = [
    ...without(redOf(now), redOf(then)).map((clause) => `${clause} is red now`),
    ...without(redOf(then), redOf(now)).map((clause) => `${clause} is no longer red`),
  ];
  const parts = [...new Set([...Object.keys(then.parts), ...Object.keys(now.parts)])].flatMap((id) => {
    const [before, after] = [then.parts[id]?.verdict ?? 'absent', now.parts[id]?.verdict ?? 'absent'];
    const note = now.notes[id];
    return before === after ? [] : [`${id}: ${before} -> ${after}${note === undefined ? '' : `: ${note}`}`];
  });
  const alone = [
    ...without(now.failAlone, then.failAlone).map((id) => `${id} fails alone now`),
    ...without(then.failAlone, now.failAlone).map((id) => `${id} no longer fails alone`),
  ];
  return [...clauses, ...parts, ...alone];
}

/** Prints the changes under the line of a server. */
export function showChanges(both: Both): void {
  for (const change of changesOf(both)) console.log(`     CHANGED  ${change}`);
}

/** The parts that rules judge. */
const KINDS = clauses.flatMap(({ id: clause, checks, invariants }) => [
  ...checks.map(({ id }) => ({ id, clause })),
  ...invariants.map(({ id }) => ({ id, clause })),
]);

/** The faults that break a kind; `alone`: those that break no other part of its clause. */
export type KindResult = { readonly id: string; readonly alone: readonly string[]; readonly others: readonly string[] };

/** What each kind that rules judge finds among the faults. */
export function kindResults(
  results: readonly Result[],
  kinds: readonly { readonly id: string; readonly clause: string }[] = KINDS,
): readonly KindResult[] {
  const failed = results
    .filter(({ kind }) => kind === 'fault')
    .map(({ name, parts }) => ({ name, failed: Object.keys(parts).filter((id) => parts[id]?.verdict === 'fail') }));
  return kinds.map(({ id, clause }) => {
    const breaking = failed.filter((one) => one.failed.includes(id));
    const isAlone = (one: (typeof failed)[number]): boolean => one.failed.filter((part) => part.startsWith(`${clause}/`)).length === 1;
    const [alone, others] = [breaking.filter(isAlone), breaking.filter((one) => !isAlone(one))];
    return { id, alone: alone.map(({ name }) => name), others: others.map(({ name }) => name) };
  });
}

/** Prints for each kind which faults break it, beginning with those that no other part of its clause shows. */
export function showKinds(results: readonly Result[]): void {
  console.log('\nKinds that rules judge: the faults that break them, with * where no other part of the clause does');
  for (const { id, alone, others } of kindResults(results)) {
    const names = [...alone.map((name) => `${name}*`), ...others];
    console.log(`  ${id.padEnd(60)} ${String(names.length).padStart(3)}  ${names.join(' ') || 'none'}`);
  }
}
