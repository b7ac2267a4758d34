import type { CatalogClauseId, CheckId } from './clause-ids.ts';

/**
 * Ids of checks in earlier versions, each with the part or clause that judges the same today. They stay known for one major version:
 * selections, waivers, replays, and the probe's history map them to today's ids.
 */
export const RETIRED_IDS: ReadonlyMap<string, CheckId | CatalogClauseId> = new Map([]);

/** The current id of a part or a clause; an id that was never retired, or a pattern, is returned as is. */
export function presentId(id: string): string {
  return RETIRED_IDS.get(id) ?? id;
}

/** A sentence for each id of an earlier version that the user names. */
export function retiredNotices(ids: readonly string[]): readonly string[] {
  const retired = [...new Set(ids)].filter((id) => RETIRED_IDS.has(id));
  return retired.map((id) => `${id} is a check of an earlier version: ${presentId(id)} is taken for it until version 3, so write that id`);
}
