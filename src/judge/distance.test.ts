import { expect, test } from 'vitest';
import type { Phase, Row } from '../plan/row.ts';
import { creates, joinPhasesInOrder, type NumberedPhase } from './distance.ts';
import { numbered } from './sending.ts';

const READ: Row = { op: 'get', id: 0 };
const PET: Row = { op: 'create' };
const turns: Row = { how: 'in turn', rows: [PET, READ] };
const titlesOf = (phases: readonly NumberedPhase[]) => phases.map(({ title, rows }) => [title, rows.length]);

test('a row creates if one of its requests does, with the key', () => {
  expect([READ, PET, turns, { ...PET, credential: 'none' }].map(creates)).toEqual([false, true, true, false]);
});

test('phases in order that create are sent together, in the place of the first of them', () => {
  const plan: readonly Phase[] = [
    { title: 'what is there', isInOrder: true, rows: [READ] },
    { title: 'growing', rows: [PET] },
    { title: 'one after the other', isInOrder: true, readsBack: true, rows: [turns, turns] },
    { title: 'a large store', rows: [READ] },
    { title: 'before and after the key', isInOrder: true, rows: [READ, turns] },
    { title: 'after a pause', isInOrder: true, pause: 5, rows: [READ] },
  ];
  const phases = plan.map((phase): NumberedPhase => ({ ...phase, rows: numbered(phase.rows, 1) }));
  expect(titlesOf(joinPhasesInOrder(phases))).toEqual([
    ['what is there', 1],
    ['growing', 1],
    ['one after the other', 4],
    ['a large store', 1],
    ['after a pause', 1],
  ]);
  expect(joinPhasesInOrder([])).toEqual([]);
});
