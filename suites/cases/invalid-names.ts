import { byPrototype, having, type InvalidBody, made, without } from './invalid-body.ts';

export const MISSING_NAMES: readonly InvalidBody[] = [
  made('without name', (valid) => without(valid, 'name')),
  made('without name, with a status', (valid) => ({ ...without(valid, 'name'), status: 'pending' })),
  made('without any properties', () => ({})),
  made('wrapped in a property named pet', (valid) => ({ pet: valid })),
  made('with Name instead of name', (valid) => ({ ...without(valid, 'name'), Name: valid.name })),
  made('with NAME and CategoryID instead of name and categoryId', ({ name, categoryId }) => ({ NAME: name, CategoryID: categoryId })),
  made('with a title instead of a name', (valid) => ({ ...without(valid, 'name'), title: valid.name })),
  made('with "name " instead of name', ({ name, categoryId }) => ({ 'name ': name, categoryId })),
  made('with a zero-width space in the property name', ({ name, categoryId }) => ({ 'na\u200bme': name, categoryId })),
  made('with properties named constructor and toString, but without name', (valid) => ({
    ...without(valid, 'name'),
    constructor: 'x',
    toString: 'x',
  })),
  { what: 'whose name is in a property named __proto__', body: (valid) => byPrototype(without(valid, 'name'), { name: valid.name }) },
];

export const NULL_NAMES: readonly InvalidBody[] = [
  having('name', 'null', null),
  made('whose properties are all null', () => ({ name: null, categoryId: null, status: null })),
];

export const WRONG_NAMES: readonly InvalidBody[] = [
  having('name', '42', 42),
  having('name', '1.5', 1.5),
  having('name', 'true', true),
  having('name', 'false', false),
  having('name', '[]', []),
  made('whose name is an array that contains the name', (valid) => ({ ...valid, name: [valid.name] })),
  having('name', '{}', {}),
  made('whose name is an object that contains the name', (valid) => ({ ...valid, name: { name: valid.name } })),
  made('in which every field has the wrong type', () => ({ name: 42, categoryId: 'dogs', status: 1 })),
];
