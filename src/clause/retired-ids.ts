import type { CatalogClauseId, CheckId } from './clause-ids.ts';

/**
 * Ids of checks that earlier versions had, each with the part or the clause that judges now what it did. They stay known for one major version:
 * selections, waivers, replays and the probe's history take them for these.
 */
export const RETIRED_IDS: ReadonlyMap<string, CheckId | CatalogClauseId> = new Map([]);

/** The id of a part or a clause as it is today; whatever was never retired, patterns too, is itself. */
export function presentId(id: string): string {
  return RETIRED_IDS.get(id) ?? id;
}

/** What is said where somebody names ids of earlier versions: a sentence for each. */
export function retiredNotices(ids: readonly string[]): readonly string[] {
  const retired = [...new Set(ids)].filter((id) => RETIRED_IDS.has(id));
  return retired.map((id) => `${id} is a check of an earlier version: ${presentId(id)} is taken for it until version 3, so write that id`);
}
