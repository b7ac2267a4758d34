import type { RunState } from '../../../src/session/state/run-state.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { sentIn } from './sent-in.ts';

export type RefusalOwner = 'create.success' | 'create.status-values' | 'create.status-optional' | 'undecided';

/**
 * The clause that owns a plain NewPet that was not created. If others with its status (or without one) were created, the service
 * fails intermittently; if only others were, the status makes the difference. If none was created yet, checks decide.
 */
export function refusalOwner(exchange: Exchange, knowledge: RunState): RefusalOwner {
  const sent = sentIn(exchange);
  const plain = [...knowledge.created.values()].filter((animal) => animal.plain);
  if (sent === undefined || plain.length === 0) return 'undecided';
  const alike = plain.some((animal) => animal.sent.status === sent.status);
  // Rejected intermittently without a status: create.status-optional has a check for what precedes it.
  if (sent.status === undefined) return alike ? 'undecided' : 'create.status-optional';
  return alike ? 'create.success' : 'create.status-values';
}
