import { isCrash } from '../../src/expect/judgeable.ts';
import { postponement } from '../../src/wire/client.ts';
import type { Answer } from '../../src/wire/exchange.ts';

/** Whether another clause owns the status of this response (a rejected key, a crash, a wait). For invariants. */
export function isOwnedElsewhere(answer: Answer): boolean {
  return answer.status === 401 || isCrash(answer.status) || postponement(answer, 0) !== undefined;
}
