import { faults } from '../../proof/faults/index.ts';
import { breakParts, drawDefects } from '../../proof/grid/defects.ts';
import { walk } from '../../proof/grid/walk.ts';
import { KEY, startParts } from '../../proof/judge-reference.ts';
import { settingOf } from '../../proof/result.ts';
import { type ReferenceOptions, startReference } from '../../proof/server.ts';
import { numberOf } from '../../proof/spread.ts';
import { variants } from '../../proof/variants/index.ts';
import type { ReferenceServer } from '../../src/reference/server.ts';
import { clauses } from '../../suites/clauses/index.ts';

/** A server that takes the key of `judge-reference.ts`: with a fault or a defect of the grid, which a program should find, or a conforming one. */
export type Subject = {
  readonly kind: 'fault' | 'variant' | 'grid' | 'plain';
  readonly name: string;
  readonly start: () => Promise<Pick<ReferenceServer, 'baseUrl' | 'close'>>;
  /** The date by its clock; undefined for today. */
  readonly now?: Date;
};

const reference = (kind: Subject['kind'], name: string, server: Omit<ReferenceOptions, 'apiKey'>): Subject => ({
  ...{ kind, name, start: () => startReference({ ...server, apiKey: KEY }) },
  ...(server.now === undefined ? {} : { now: server.now() }),
});

const advised = new Set<string>(clauses.filter(({ level }) => level === 'advised').map(({ id }) => id));

/** Faults of advised clauses are left out: the interface does not forbid them. */
const FAULTY: readonly Subject[] = faults
  .filter(({ clause }) => !advised.has(clause))
  .map(({ name }) => reference('fault', name, settingOf([name]).server));

const CONFORMING: readonly Subject[] = variants.map(({ name, now }) =>
  reference('variant', name, { variants: [name], ...(now === undefined ? {} : { now }) }),
);

/** The number of faults and variants to judge. */
export const REGISTERED = { faults: FAULTY.length, variants: CONFORMING.length };

/** The conforming server without any variant: a program that fails it is configured wrongly. */
export const PLAIN: Subject = reference('plain', 'reference', { seedAnimals: 7 });

/** No figure of the proof was drawn by it, and each program judges the same defects. */
const GRID_SEED = 20261128;

/** That many servers with one defect each that nobody chose, of those that show in a walk of plain requests. */
export async function gridSample(most: number): Promise<readonly Subject[]> {
  const chosen: Subject[] = [];
  for (const defect of drawDefects(GRID_SEED)) {
    if (chosen.length === most) break;
    const { name, seedAnimals } = defect;
    if ((await walk(defect, { seedAnimals })) === 0) continue;
    const start: Subject['start'] = () => startParts(breakParts(defect, { clock: { now: () => Date.now() } }).parts, { seedAnimals });
    chosen.push({ kind: 'grid', name, start });
  }
  return chosen;
}

function drawn(subjects: readonly Subject[], most: number): readonly Subject[] {
  // By the name alone: a smaller sample is part of a larger one, and the same on every machine.
  return subjects.toSorted((a, b) => numberOf(a.name) - numberOf(b.name)).slice(0, most);
}

/** That many faults and half as many variants, chosen by their names; all of both without a number. */
export function sampleOf(most: number = FAULTY.length): readonly Subject[] {
  const variants = drawn(CONFORMING, most < FAULTY.length ? Math.ceil(most / 2) : CONFORMING.length);
  const chosen = drawn(FAULTY, most);
  // Two faults, then a variant, so that an interrupted run is still a sample.
  const mixed = chosen.flatMap((fault, index) => [fault, ...(index % 2 === 0 ? variants.slice(index / 2, index / 2 + 1) : [])]);
  return [...mixed, ...variants.slice(Math.ceil(chosen.length / 2))];
}

/** The faults and variants with those names, and the server without any as `reference`. Throws an Error that names the unknown ones. */
export function subjectsNamed(names: readonly string[]): readonly Subject[] {
  const all = new Map([PLAIN, ...CONFORMING, ...FAULTY].map((subject) => [subject.name, subject]));
  const unknown = names.filter((name) => !all.has(name));
  if (unknown.length > 0)
    throw new Error(`no fault or variant is called ${unknown.join(', ')}; "npm run prove:serve -- --list" shows them all`);
  return names.flatMap((name) => all.get(name) ?? []);
}
