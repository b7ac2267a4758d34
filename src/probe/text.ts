/** The start of a text, with an ellipsis if more follows. */
export const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** Milliseconds since 1970 as ISO 8601 in UTC. */
export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
