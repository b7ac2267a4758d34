import { PET_STATUSES } from '../../wire/exchange.ts';
import type { CauseRule, Sign } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure, RunView } from '../run-view.ts';
import { bodyOf, isBeyondShown, shownAnimals, statusOf } from './reads.ts';

type Member = 'name' | 'categoryId' | 'status';

const MEMBERS: readonly Member[] = ['name', 'categoryId', 'status'];

function isInt64(digits: string): boolean {
  return BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
}

/** Whether a value, as JSON, is none of the member; null is what other causes write, and 1.0 is open. */
const INVALID: Readonly<Record<Member, (value: string) => boolean>> = {
  name: (value) => !value.startsWith('"'),
  categoryId: (value) => (/^-?\d+$/.test(value) ? !isInt64(value) : !/^-?\d/.test(value)),
  status: (value) => !PET_STATUSES.some((status) => value === `"${status}"`),
};

const WANTED: Readonly<Record<Member, string>> = {
  name: 'a name other than a string',
  categoryId: 'a categoryId other than an integer of 64 bits (Python: type(value) is int, as isinstance takes True for one)',
  status:
    'a status other than available, pending, and sold, one that counts as false too (JavaScript: status !== undefined in place of status, PHP: in_array with true as the third argument)',
};

/** The invalid value of a member in the JSON text of an animal; undefined for a valid one, and for none. */
function invalidIn(animal: string, member: Member): string | undefined {
  const value = new RegExp(`"${member}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|\\{[^{}]*\\}|\\[[^[\\]]*\\]|[^\\s,}]+)`).exec(animal)?.[1];
  return value === undefined || value === 'null' || !INVALID[member](value) ? undefined : value;
}

const isOfRecord = ({ clause }: Failure): boolean => clause.id === 'record.pet' || clause.id === 'record.pets';

/** The members whose invalid values were accepted, and shown by the 201: a service may store true as "1". */
function acceptedBy({ exchange }: Failure): readonly Member[] {
  const shown = bodyOf(exchange);
  if (statusOf(exchange) !== 201 || exchange.method !== 'POST') return [];
  return MEMBERS.filter((member) => invalidIn(exchange.requestBody ?? '', member) !== undefined && invalidIn(shown, member) !== undefined);
}

/** The invalid values of a member that creations of this run let in and showed. */
function acceptedIn({ failures }: RunView, member: Member): ReadonlySet<string | undefined> {
  return new Set(
    failures.filter((failure) => acceptedBy(failure).includes(member)).map(({ exchange }) => invalidIn(bodyOf(exchange), member)),
  );
}

/** The member in which a Pet is wrong, where it shows a value that a creation should have rejected. */
function consequence(failure: Failure, run: RunView): Member | undefined {
  const [, index, name = ''] = /^(?:\/(\d+))?\/(\w+)$/.exec(failure.finding.pointer ?? '') ?? [];
  const member = MEMBERS.find((one) => one === name);
  if (!isOfRecord(failure) || member === undefined) return undefined;
  const accepted = acceptedIn(run, member);
  const animal = index === undefined ? bodyOf(failure.exchange) : shownAnimals(failure.exchange)[Number(index)];
  const isKnown = animal === undefined ? isBeyondShown(failure) && accepted.size > 0 : accepted.has(invalidIn(animal, member) ?? '');
  return isKnown ? member : undefined;
}

/** The members that a finding shows to be let in. */
function membersOf(failure: Failure, run: RunView): readonly Member[] {
  if (!isOfRecord(failure)) return acceptedBy(failure);
  const member = consequence(failure, run);
  return member === undefined ? [] : [member];
}

/** The members that a creation let in which should have been rejected. */
function membersIn(signs: readonly Sign[]): readonly Member[] {
  const ofCreations = signs.filter(({ failure }) => !isOfRecord(failure)).flatMap(({ failure }) => acceptedBy(failure));
  return MEMBERS.filter((member) => ofCreations.includes(member));
}

const list = new Intl.ListFormat('en-US');

/** A value that creation lets in is wrong wherever it is shown: there, nothing is to be repaired. */
export const invalidValueStored: CauseRule = {
  id: 'invalid-value-stored',
  title: (signs) => `An invalid ${list.format(membersIn(signs))} is accepted at creation, stored, and shown`,
  advice: (signs) =>
    `Reject it where the body is validated: ${membersIn(signs)
      .map((member) => WANTED[member])
      .join('; ')}`,
  clauses: ['create.status-invalid', 'create.category-type', 'create.category-range', 'create.name-type', 'record.pet', 'record.pets'],
  sign: (failure, run) => (membersOf(failure, run).length > 0 ? describeExchange(failure.exchange) : undefined),
  suffices: (signs) => membersIn(signs).length > 0,
};
