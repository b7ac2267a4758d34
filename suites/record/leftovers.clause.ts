import { haltInconclusive, inconclusive, notApplicable, pass } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { finding, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { ForbiddenValue } from '../../src/session/state/forbidden-values.ts';
import type { Leftover } from '../../src/session/state/leftovers.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';

/** Of each kind of value, so many are read, to see whether it is what is stored. */
const READ_OF_A_KIND = 3;
/** Animals that the one line names; all of them are in the rest of the finding. */
const MOST_NAMED = 5;

function someOfEachKind(found: readonly Leftover[]): readonly Leftover[] {
  const counts = new Map<string, number>();
  return found.filter(({ values }) => {
    const kind = values.map(({ clause }) => clause).join();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= READ_OF_A_KIND;
  });
}

const clausesOf = ({ values }: Leftover): ForbiddenValue['clause'][] => values.map(({ clause }) => clause);

function warning([first, ...others]: readonly [Exchange, ...Exchange[]], old: readonly Leftover[]): Outcome {
  const animals = old.map(({ id, values }) => `${id} (${values.map((value) => value.shown).join(', ')})`);
  const more = old.length > MOST_NAMED ? ` and ${old.length - MOST_NAMED} more` : '';
  const count = `${old.length} ${old.length === 1 ? 'animal' : 'animals'}`;
  return {
    kind: 'fail',
    findings: [
      finding([first, ...others], {
        summary: `the store holds ${count} of earlier runs of this suite that can't be created today: ${animals.slice(0, MOST_NAMED).join(', ')}${more}`,
        expected: ['a store without animals that an earlier build accepted by mistake: remove them'],
        received: animals.join(', '),
      }),
    ],
  };
}

async function leftovers(s: Session): Promise<Outcome> {
  const known = s.knowledge.leftovers;
  const found = known.found();
  if (found.length === 0)
    return known.anyAnimal()
      ? pass('animals of earlier runs are in the store, and those that were seen are Pets')
      : notApplicable('no animal of an earlier run was seen');
  if (s.options.readOnly)
    return inconclusive("a read-only run can't see whether the service still accepts what earlier runs left", 'choice');
  const read = await s.all(someOfEachKind(found), async ({ id }) => s.api.get(id));
  const [first, ...others] = read.filter((exchange) => statusOf(exchange) !== undefined);
  const old = found.filter((one) => known.areOld(clausesOf(one)));
  if (old.length > 0 && first !== undefined) return warning([first, ...others], old);
  const [clause] = found.flatMap(clausesOf);
  haltInconclusive('this run shows by itself what is wrong with animals of earlier runs', clause ?? 'record.pets');
}

export const recordLeftovers = defineClause({
  id: 'record.leftovers',
  chapter: 'records',
  section: 'Pet (response record)',
  level: 'advised',
  requirement: 'The store holds no animal of an earlier run of this suite that an earlier build should have rejected.',
  likelyCause:
    'An earlier build accepted what the service rejects today, and the interface has no operation that deletes. Remove these animals from the store: they hide nothing, but every client of the list gets them.',
  checks: [
    {
      id: 'seen',
      title: 'Animals of earlier runs are Pets',
      step: 'final',
      given: [
        'record.pets',
        'create.name-required',
        'create.name-type',
        'create.category-required',
        'create.category-type',
        'create.category-range',
        'create.status-invalid',
      ],
      fault: 'leftover-of-earlier-build',
      run: leftovers,
    },
  ],
});
