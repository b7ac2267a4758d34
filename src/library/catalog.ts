import { clauses as catalog } from '../../suites/clauses/index.ts';
import { SMOKE_CLAUSES } from '../../suites/plan/smoke.ts';
import type { Wording } from '../clause/clause.ts';

/** A clause of the interface: what it says, and the situations that it has to be seen in. */
export type CatalogClause = Wording & { readonly must: readonly { readonly title: string }[] };

/**
 * The clauses of the interface, in the order of the document.
 *
 * @example
 * ```ts
 * import { clauses } from '@petstore-conformance/cli';
 *
 * for (const { id, section, requirement } of clauses) console.log(`${id} (${section}): ${requirement}`);
 * ```
 */
export const clauses: readonly CatalogClause[] = catalog;

/**
 * The clauses on which a run of the probe reaches a verdict by a few reads, each time.
 *
 * @example
 * ```ts
 * import { judgeServer, probeClauses } from '@petstore-conformance/cli';
 *
 * const only = probeClauses.map(({ id }) => id);
 * await judgeServer('https://petstore.example.com/v1', { apiKey: 'secret', readOnly: true, intrusive: false, only });
 * ```
 */
export const probeClauses: readonly CatalogClause[] = catalog.filter(({ id }) => SMOKE_CLAUSES.some((one) => one === id));
