import type { RunState } from '../../../src/session/state/run-state.ts';
import type { PlainList } from './plain-list.ts';

export type ListKind = 'neither' | 'limit' | 'status' | 'both';

const accepted = new WeakMap<RunState, Set<ListKind>>();

/** Which of the two parameters a list has. */
export function kindOf({ limit, status }: PlainList): ListKind {
  if (limit === 'absent') return status === 'absent' ? 'neither' : 'status';
  return status === 'absent' ? 'limit' : 'both';
}

/**
 * The kinds of lists that have returned 200 so far. A parameter is to blame for a rejection only where lists without it are
 * accepted: a service that rejects those too breaks list.success.
 */
export function acceptedKinds(list: PlainList, knowledge: RunState): ReadonlySet<ListKind> {
  const kinds = accepted.get(knowledge) ?? new Set<ListKind>();
  if (list.answer.status === 200) kinds.add(kindOf(list));
  accepted.set(knowledge, kinds);
  return kinds;
}
