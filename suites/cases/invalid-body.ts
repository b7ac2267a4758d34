import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CreateBody } from '../../src/session/client/api.ts';
import { writeJson } from '../../src/wire/json.ts';

/** A body that must be rejected. The name in it, if any, is unique in the run. */
export type InvalidBody = { /** Completes "a body …". */ readonly what: string; body(valid: NewPetInput): CreateBody };

/** A number with exactly these digits: JSON.stringify would round or reject some of them. */
export const digits = (text: string): unknown => JSON.rawJSON(text);

type Field = 'name' | 'categoryId' | 'status';

export function without(valid: NewPetInput, ...fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(valid).filter(([name]) => !fields.some((field) => field === name)));
}

/** A body whose field has this value instead of a valid one. */
export function having(field: Field, what: string, value: unknown): InvalidBody {
  return { what: `whose ${field} is ${what}`, body: (valid) => ({ value: { ...valid, [field]: value } }) };
}

/** A body that differs in several fields at once. */
export function made(what: string, make: (valid: NewPetInput) => unknown): InvalidBody {
  return { what, body: (valid) => ({ value: make(valid) }) };
}

/** An object that has the inherited properties only through a property named __proto__. */
export function byPrototype(own: Record<string, unknown>, inherited: Record<string, unknown>): CreateBody {
  const members = Object.entries(own).map(([name, value]) => `${JSON.stringify(name)}:${writeJson(value)}`);
  return { raw: `{${[...members, `"__proto__":${writeJson(inherited)}`].join(',')}}` };
}
