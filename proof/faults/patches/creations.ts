import { isObject, type Json, literal, member, NumberText } from '../../../src/reference/core/json.ts';
import { type Call, type Context, type Parts, type Patch, Problem, withParts } from '../../../src/reference/core/parts.ts';
import type { NewPet, Pet, Store } from '../../../src/reference/core/store.ts';
import { isProblem } from './exchanges.ts';

/** Stores an animal with some members changed; all later replies show it. */
export function storePet(change: (pet: Pet, store: Store) => Partial<Pet>): Patch {
  return (parts) => ({ insert: (store, pet) => parts.insert(store, { ...pet, ...change(pet, store) }) });
}

/** Stores a different name; all later replies show it. */
export function storeName(change: (name: string) => string): Patch {
  return storePet(({ name }) => ({ name: change(name) }));
}

/** Stores an animal with some members changed, while the 201 still shows what was sent. */
export function storePetSilently(change: (pet: Pet, store: Store) => Partial<Pet>): Patch {
  return (parts) => ({
    insert: async (store, pet) => {
      await parts.insert(store, { ...pet, ...change(pet, store) });
      return pet;
    },
  });
}

/** Reads name more leniently: undefined leaves the value to the base. */
export function lenientName(read: (value: Json | undefined) => string | undefined): Patch {
  return (parts) => ({ readName: (value) => read(value) ?? parts.readName(value) });
}

/** Reads categoryId more leniently: undefined leaves the value to the base. */
export function lenientCategory(read: (value: Json | undefined) => bigint | undefined): Patch {
  return (parts) => ({ readCategory: (value) => read(value) ?? parts.readCategory(value) });
}

/** Valid substitutes for values that are kept as sent. */
const STAND_INS = { name: 'x', categoryId: new NumberText('1'), status: 'available' } as const;

/** A value as `JSON.stringify` writes it, with each number in its original spelling. */
function asSent(value: Json | undefined): unknown {
  if (value instanceof NumberText) return literal(value.text);
  if (Array.isArray(value)) return value.map(asSent);
  if (value === undefined || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asSent(inner)]));
}

/** Stores a member as it was sent, or omitted, without validation: a store without a schema. */
export function keptAsSent(name: keyof typeof STAND_INS, isKept: (value: Json | undefined) => boolean): Patch {
  return (parts) => ({
    createPet: (context) => {
      let raw: Pet['raw'];
      const readNewPet: Parts['readNewPet'] = (body, all) => {
        const value = isObject(body) ? member(body, name) : undefined;
        if (!isObject(body) || !isKept(value)) return parts.readNewPet(body, all);
        raw = { [name]: asSent(value) };
        return parts.readNewPet({ ...body, [name]: STAND_INS[name] }, all);
      };
      const insert: Parts['insert'] = (store, pet) => parts.insert(store, raw === undefined ? pet : { ...pet, raw });
      return parts.createPet(withParts(context, { readNewPet, insert }));
    },
  });
}

/** Rejects an invalid field with a status other than 400. */
export function rejectedWith(part: 'readName' | 'readCategory' | 'readStatus', status: number): Patch {
  return (parts) => {
    const relabel = <T>(result: T | Problem) => (isProblem(result) ? new Problem(status, result.code, result.message) : result);
    switch (part) {
      case 'readName':
        return { readName: (value) => relabel(parts.readName(value)) };
      case 'readCategory':
        return { readCategory: (value) => relabel(parts.readCategory(value)) };
      case 'readStatus':
        return { readStatus: (value) => relabel(parts.readStatus(value)) };
      default:
        return part satisfies never;
    }
  };
}

/** Rejects every invalid body with a status other than 400. */
export function invalidBodies(status: number): Patch {
  return (parts) => ({
    errorStatus: (problem, call) => (call.operation === 'createPet' && problem.status === 400 ? status : parts.errorStatus(problem, call)),
    errorRecord: (problem, call) =>
      parts.errorRecord(
        call.operation === 'createPet' && problem.status === 400 ? new Problem(status, problem.code, problem.message) : problem,
        call,
      ),
  });
}

/** An integer of any number of digits; undefined for everything else. */
export function digits(value: Json | undefined): bigint | undefined {
  return value instanceof NumberText && /^-?\d+$/.test(value.text) ? BigInt(value.text) : undefined;
}

/** The text of a number that is not plain digits; undefined for everything else. */
export function oddNumber(value: Json | undefined): string | undefined {
  return value instanceof NumberText && !/^-?\d+$/.test(value.text) ? value.text : undefined;
}

type Members = { readonly [member: string]: Json };

/** The members, with one that differs only in case renamed if the correct name is missing. */
export function inAnyLetterCase(body: Members, member: string): Members {
  const other = Object.entries(body).find(([name]) => name.toLowerCase() === member.toLowerCase());
  return body[member] !== undefined || other === undefined ? body : { ...body, [member]: other[1] };
}

/** Reads a body with other members. */
export function rebind(change: (body: Members) => Members): Patch {
  return (parts) => ({ readNewPet: (body, all) => parts.readNewPet(isObject(body) ? change(body) : body, all) });
}

/** Takes a missing member from elsewhere in the request. */
export function fillIn(name: 'name' | 'categoryId', find: (call: Call) => string | string[] | null | undefined): Patch {
  return (parts) => ({
    createPet: (context) => {
      const found = find(context.call);
      if (typeof found !== 'string') return parts.createPet(context);
      const filler = name === 'name' ? found : new NumberText(found);
      const readNewPet: Parts['readNewPet'] = (body, all) =>
        parts.readNewPet(isObject(body) && body[name] === undefined ? { ...body, [name]: filler } : body, all);
      return parts.createPet(withParts(context, { readNewPet }));
    },
  });
}

/** A valid NewPet and its request. */
export type Asked = { readonly newPet: NewPet; readonly body: Json; readonly call: Call };

/** Changes or rejects a valid NewPet depending on the rest of the request. */
export function readWith(change: (asked: Asked, context: Context) => NewPet | Problem): Patch {
  return (parts) => ({
    createPet: (context) => {
      const readNewPet: Parts['readNewPet'] = (body, all) => {
        const newPet = parts.readNewPet(body, all);
        return isProblem(newPet) ? newPet : change({ newPet, body, call: context.call }, context);
      };
      return parts.createPet(withParts(context, { readNewPet }));
    },
  });
}

const KNOWN_MEMBERS = ['id', 'name', 'categoryId', 'status'];

/** Whether the body has a member that the document does not name. */
export function hasUnknownMember(body: Json): boolean {
  return isObject(body) && Object.keys(body).some((member) => !KNOWN_MEMBERS.includes(member));
}
