import type { Operation } from '../wire/exchange.ts';

/** Where a response is wrong and how, in classes and without values: the same for one defect, whatever a run sends. */
export type FailureKind = {
  /** `HTTP status`, `response`, `body`, a member of the body (`[].id`), a header (`header Content-Type`), or `animal`. */
  readonly place: string;
  readonly expected: string;
  readonly received: string;
};

/** A kind as rules state it. */
export type StatedKind = Omit<FailureKind, 'received'> & {
  /** By default, the class of the status (`2xx`), or `no response`. */
  readonly received?: string;
  /** By default, that of the chapter of the clause; in other chapters, that of the wrong response. */
  readonly operation?: Operation;
};

/** A kind of failure of a clause. */
export type ClauseFailureKind = FailureKind & {
  /** What of the clause is broken: the operation. */
  readonly must: string;
};

export const ONE_TOO_MANY = 'one too many';
export const MORE_TOO_MANY = 'more than one too many';

/** What else was received where the first was: a list that ignores its limit may happen to have just one animal too many. */
const INCLUDES: Readonly<Record<string, string>> = { [MORE_TOO_MANY]: ONE_TOO_MANY };

/** Whether a kind, or a part of one, covers another one: fields that it does not have may be anything. */
export function coversKind(kind: Partial<ClauseFailureKind>, other: ClauseFailureKind): boolean {
  return KIND_FIELDS.every((field) => {
    const own = kind[field];
    return own === undefined || own === other[field] || (field === 'received' && INCLUDES[own] === other.received);
  });
}

/** The fields of a kind, in the order in which they are written. */
export const KIND_FIELDS = ['must', 'place', 'expected', 'received'] as const satisfies readonly (keyof ClauseFailureKind)[];

export const keyOfKind = (kind: Partial<ClauseFailureKind>): string => KIND_FIELDS.map((field) => kind[field]).join('\n');

/** `listPets, [].id: expected a string, received null`; fields that are missing are left out. */
export function kindText({ must, place, expected, received }: Partial<ClauseFailureKind>): string {
  const where = [must, place].filter((part) => part !== undefined).join(', ');
  const what = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(received === undefined ? [] : [`received ${received}`]),
  ].join(', ');
  return [where, what].filter((part) => part !== '').join(': ');
}

/** The place of a JSON pointer (RFC 6901) without indexes: `[].id` for `/3/id`, `body` for the whole. */
export function placeOf(pointer: string): string {
  const names = pointer.split('/').slice(1);
  return (
    names
      .map((name) => (/^\d+$/.test(name) ? '[]' : `.${name}`))
      .join('')
      .replace(/^\./, '') || 'body'
  );
}
