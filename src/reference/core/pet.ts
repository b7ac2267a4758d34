/** The three availability states. */
export const STATUSES = ['available', 'pending', 'sold'] as const;

/** An availability state of an animal. */
export type Status = (typeof STATUSES)[number];

/** An animal to be created, after validation. */
export type NewPet = { name: string; categoryId: bigint; status?: Status | undefined };

/**
 * A stored animal. `createdAt` (milliseconds since the epoch) never leaves the server. `raw` contains members that a build stored without
 * validation, undefined for one that it left out: every later build shows them that way.
 */
export type Pet = NewPet & { id: bigint; createdAt: number; raw?: Readonly<Record<string, unknown>> };

/** Whether the text is one of the three states, letter by letter. */
export function isStatus(text: unknown): text is Status {
  return STATUSES.some((status) => status === text);
}
