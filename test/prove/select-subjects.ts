import { UsageError } from '../../src/cli/option-spec.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { lookUp, UnknownNameError } from '../../src/reference/server.ts';
import { variants } from '../../src/reference/variants/index.ts';
import type { RegistrySubject } from './result.ts';

type Named = { readonly subject: RegistrySubject; readonly clause: string };

const SUBJECTS: readonly Named[] = [
  ...variants.map(({ name }) => ({ subject: { kind: 'variant' as const, name }, clause: '' })),
  ...faults.map(({ name, clause }) => ({ subject: { kind: 'fault' as const, name }, clause })),
];
const ALL_NAMES = [...new Set([...SUBJECTS.map(({ subject }) => subject.name), ...faults.map(({ clause }) => clause)])];

function nearTo(wanted: string): readonly string[] {
  try {
    return [
      lookUp(
        'name',
        ALL_NAMES.map((name) => ({ name })),
        wanted,
      ).name,
    ];
  } catch (error) {
    if (error instanceof UnknownNameError) return error.near.slice(0, 3);
    throw error;
  }
}

function matching(wanted: string): readonly RegistrySubject[] {
  const exact = SUBJECTS.filter(({ subject, clause }) => subject.name === wanted || clause === wanted);
  const found = exact.length > 0 ? exact : SUBJECTS.filter(({ subject }) => subject.name.includes(wanted));
  if (found.length > 0) return found.map(({ subject }) => subject);
  const near = nearTo(wanted);
  const advice = near.length === 0 ? '"list faults" shows them all' : `did you mean ${near.join(' or ')}?`;
  throw new UsageError(`no fault or variant is called "${wanted}", and no clause with faults; ${advice}`);
}

/**
 * The servers that the names stand for: a fault or a variant, all faults of a clause, or whatever has the text in its name. All of them
 * where nothing is named. Throws UsageError with the nearest names where nothing fits.
 */
export function selectSubjects(names: readonly string[]): readonly RegistrySubject[] {
  if (names.length === 0) return SUBJECTS.map(({ subject }) => subject);
  return [...new Set(names.flatMap(matching))];
}
