import type { ClauseId } from '../../../src/clause/clause.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';

/** An exchange whose status the document names, and the clause that owns any other status. */
export type Documented = { readonly exchange: Exchange; readonly status: number; readonly owner: ClauseId };
