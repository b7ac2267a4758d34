import type { Operation } from '../wire/exchange.ts';
import type { Chapter } from './clause.ts';

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
  /** What of the clause is broken. */
  readonly operation: string;
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
export const KIND_FIELDS = ['operation', 'place', 'expected', 'received'] as const satisfies readonly (keyof ClauseFailureKind)[];

/** `listPets, [].id: expected a string, received null`; fields that are missing are left out. */
export function kindText({ operation, place, expected, received }: Partial<ClauseFailureKind>): string {
  const where = [operation, place].filter((part) => part !== undefined).join(', ');
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

const STATUS = /^(\d{3})\b/;

/** What is wrong, as far as its kind depends on it. */
export type Failure = {
  readonly failureKinds?: readonly StatedKind[];
  readonly expected: readonly string[];
  /** A JSON pointer. */
  readonly pointer?: string;
};

/** The expected statuses; undefined if a failure is about something else. */
export function expectedStatuses({ expected }: Pick<Failure, 'expected'>): readonly string[] | undefined {
  const statuses = expected.map((one) => STATUS.exec(one)?.[1]);
  return statuses.length > 0 && statuses.every((status) => status !== undefined) ? statuses : undefined;
}

/** What a chapter is about wherever its clauses are seen to be broken: lists show which animals creations left. */
const OPERATION_OF: Partial<Record<Chapter, Operation>> = { 'list-pets': 'listPets', 'create-pet': 'createPet', 'get-pet': 'getPet' };

const LONGEST_TEXT = 120;

/** Texts of clauses from outside may show values. */
function withoutValues(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/-?\d+(?:\.\d+)?/g, 'N')
    .slice(0, LONGEST_TEXT);
}

function statedOrDefault(failure: Failure, status: string | undefined): readonly StatedKind[] {
  if (failure.failureKinds !== undefined && failure.failureKinds.length > 0) return failure.failureKinds;
  const statuses = expectedStatuses(failure);
  if (statuses !== undefined && !(status !== undefined && statuses.includes(status)))
    return [{ place: 'HTTP status', expected: [...new Set(statuses)].sort().join(' or ') }];
  const place = failure.pointer === undefined ? 'response' : placeOf(failure.pointer);
  return [{ place, expected: failure.expected.map(withoutValues).join(' or ') }];
}

/** The kinds of a failure of a clause of that chapter; `status` and `operation` are those of the wrong response, if there is one. */
export function kindsOfFailure(
  failure: Failure,
  { chapter, status, operation = 'listPets' }: { chapter: Chapter; status: string | undefined; operation: Operation | undefined },
): readonly ClauseFailureKind[] {
  const received = status === undefined ? 'no response' : `${status.charAt(0)}xx`;
  return statedOrDefault(failure, status).map(({ operation: stated, ...kind }) => ({
    operation: stated ?? OPERATION_OF[chapter] ?? operation,
    received,
    ...kind,
  }));
}

export const keyOfKind = (kind: Partial<ClauseFailureKind>): string => KIND_FIELDS.map((field) => kind[field]).join('\n');

/** Kinds, each once, by their fields. */
export function createKindTable() {
  const places = new Map<string, number>();
  const failureKinds: ClauseFailureKind[] = [];
  return {
    failureKinds,
    /** The places of these in the table. */
    add(some: readonly ClauseFailureKind[]): readonly number[] {
      const of = some.map((kind) => {
        const key = keyOfKind(kind);
        const known = places.get(key) ?? failureKinds.push(kind) - 1;
        places.set(key, known);
        return known;
      });
      return [...new Set(of)];
    },
  };
}

/** The places of its kinds in those of its clause. */
export const placesOf = ({ failureKinds = [0] }: { readonly failureKinds?: readonly number[] }): readonly number[] => failureKinds;
