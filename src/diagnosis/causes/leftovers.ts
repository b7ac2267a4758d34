import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure, RunView } from '../run-view.ts';
import { bodyOf, shownAnimals, textOf } from './reads.ts';

/** The animal that the finding points to, as its JSON text; undefined when the shown part of the body ends before it. */
function animalOf({ exchange, finding }: Failure): string | undefined {
  const index = /^\/(\d+)\//.exec(finding.pointer ?? '')?.[1];
  return index === undefined ? bodyOf(exchange) : shownAnimals(exchange)[Number(index)];
}

function isLeftover(failure: Failure, { record }: RunView): boolean {
  const name = textOf(animalOf(failure) ?? '', 'name');
  const { prefix, created, ambiguous } = record.animals;
  if (name === undefined || prefix === '' || !name.startsWith(prefix)) return false;
  return !created.some((animal) => animal.name === name) && !ambiguous.includes(name);
}

export const leftovers: CauseRule = {
  id: 'leftovers',
  title: 'The store holds animals of an earlier run that the service rejects today',
  advice: 'Remove them from the store: an earlier build accepted them, and the interface has no operation that deletes',
  clauses: ['record.pet', 'record.pets'],
  sign: (failure, run) => (isLeftover(failure, run) ? describeExchange(failure.exchange) : undefined),
  // A build that still accepts such bodies has another cause.
  suffices: (_signs, { record }) => !record.clauses.some(({ id, verdict }) => id.startsWith('create.') && verdict === 'fail'),
};
