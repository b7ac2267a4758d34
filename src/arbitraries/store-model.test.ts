import { describe, expect, it } from 'vitest';
import type { PetView } from '../schema/pet.ts';
import { Contradiction, StoreModel } from './store-model.ts';

const pet = (changes: Partial<PetView> = {}): PetView => ({
  id: 1n,
  name: 'Rex',
  categoryId: 7n,
  status: 'sold',
  gaps: [],
  json: {},
  ...changes,
});
const rex = { id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' } as const;

describe('StoreModel', () => {
  it('finds nothing wrong with animals that it knows as they are, and with those that it does not know', () => {
    const model = new StoreModel([rex]);
    expect(() => model.shown([pet(), pet({ id: 2n, name: 'Mia' })])).not.toThrow();
  });

  it('contradicts another name, category or status of an animal that it knows', () => {
    const model = new StoreModel([rex]);
    for (const changes of [{ name: 'rex' }, { categoryId: 8n }, { status: 'pending' }, { status: undefined }] as const) {
      expect(() => model.shown([pet(changes)])).toThrow(Contradiction);
    }
  });

  it('lets a status change that it was not told', () => {
    const model = new StoreModel([{ ...rex, status: undefined }]);
    expect(() => model.shown([pet({ status: 'available' })])).not.toThrow();
  });

  it('contradicts a new animal with the id of another one', () => {
    const model = new StoreModel([rex]);
    expect(() => model.created({ name: 'Mia', categoryId: 7n }, pet({ name: 'Mia' }))).toThrow('a new animal received id 1');
  });

  it('remembers of a new animal what was sent, and the status that was answered where none was sent', () => {
    const model = new StoreModel([]);
    model.created({ name: 'Mia', categoryId: 7n }, pet({ id: 2n, name: 'other', status: 'pending' }));
    expect(model.animals).toEqual([{ id: 2n, name: 'Mia', categoryId: 7n, status: 'pending' }]);
  });

  it('contradicts an animal whose creation was refused', () => {
    const model = new StoreModel([]);
    model.refused('Mia');
    expect(() => model.shown([pet({ name: 'Mia' })])).toThrow('its creation was rejected');
  });

  it('contradicts that an animal is gone which was found before, not one that never was', () => {
    const model = new StoreModel([rex]);
    expect(() => model.gone(1n)).toThrow('animal 1 can no longer be found');
    model.created({ name: 'Mia', categoryId: 7n }, pet({ id: 2n, name: 'Mia' }));
    expect(() => model.gone(2n)).not.toThrow();
    model.shown([pet({ id: 2n, name: 'Mia' })]);
    expect(() => model.gone(2n)).toThrow('animal 2 can no longer be found');
  });
});
