import type { RedactedExchange } from '../../wire/redact.ts';
import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { adviceFor } from './advice-for.ts';
import { sentObject, shownObject, statusOf } from './reads.ts';

const MEMBERS = ['name', 'categoryId'] as const;

const GO =
  'encoding/json matches names in any letter case: decode into map[string]json.RawMessage first, and take name, categoryId, and status from it by their exact names, and reject null yourself, which json.Unmarshal takes for any of them';

const ADVICE: Readonly<Record<string, string>> = {
  gin: GO,
  'Go net/http': GO,
  Echo: GO,
  'ASP.NET Core': 'Set PropertyNameCaseInsensitive of JsonSerializerOptions to false: its web defaults turn it on',
};

/** Whether the animal shows the value of a member whose name was sent in another letter case. */
function isTakenFrom(exchange: RedactedExchange, member: (typeof MEMBERS)[number]): boolean {
  const sent = sentObject(exchange) ?? {};
  const shown = shownObject(exchange)?.[member];
  return Object.entries(sent).some(
    ([name, value]) => name !== member && name.toLowerCase() === member.toLowerCase() && value === shown && sent[member] !== shown,
  );
}

/** Whether an animal was created from an object that has no such member in any letter case. */
function isAcceptedWithout(exchange: RedactedExchange): boolean {
  const sent = sentObject(exchange);
  const names = new Set(Object.keys(sent ?? {}).map((name) => name.toLowerCase()));
  return statusOf(exchange) === 201 && sent !== undefined && MEMBERS.some((member) => !names.has(member.toLowerCase()));
}

export const memberCaseIgnored: CauseRule = {
  id: 'member-case-ignored',
  title: 'Members are recognized in any letter case: CategoryID counts as categoryId',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      ADVICE,
      `Match the names of members exactly where the body is read (Go: ${GO}; Jackson, .NET: an option of the mapper)`,
    ),
  clauses: ['create.name-required', 'create.category-required', 'create.answer', 'create.round-trip'],
  sign: ({ exchange }) =>
    statusOf(exchange) === 201 && MEMBERS.some((member) => isTakenFrom(exchange, member)) ? describeExchange(exchange) : undefined,
  // Where the member may be missing altogether, its value comes from elsewhere.
  suffices: (_signs, run) =>
    !run.failed('create.name-required', 'create.category-required').some(({ exchange }) => isAcceptedWithout(exchange)),
};
