import type { RunState } from '../../../src/session/state/run-state.ts';
import type { PlainList } from './plain-list.ts';

export type ListKind = 'neither' | 'limit' | 'status' | 'both';

type Kinds = { readonly accepted: Set<ListKind>; readonly rejected: Set<ListKind> };

const noKinds = (): Kinds => ({ accepted: new Set(), rejected: new Set() });
const NOT_FOUND = 404;

/** Which of the two parameters a list has. */
export function kindOf({ limit, status }: PlainList): ListKind {
  if (limit === 'absent') return status === 'absent' ? 'neither' : 'status';
  return status === 'absent' ? 'limit' : 'both';
}

/**
 * The kinds of lists that have returned 200 so far, and never 404. A parameter is to blame for a rejection only where lists without it
 * are accepted: a service that rejects those too, or that finds no list where there are no animals, breaks list.success.
 */
export function acceptedKinds(list: PlainList, { remember }: RunState): ReadonlySet<ListKind> {
  const { accepted, rejected } = remember(noKinds);
  if (list.answer.status === 200) accepted.add(kindOf(list));
  if (list.answer.status === NOT_FOUND) rejected.add(kindOf(list));
  return accepted.difference(rejected);
}
