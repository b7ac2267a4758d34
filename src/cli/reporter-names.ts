/** What --reporter takes; src/cli/reporters.ts makes them. */
export const REPORTERS = ['terminal', 'junit', 'json', 'html', 'markdown', 'har', 'ctrf'] as const;
export type ReporterName = (typeof REPORTERS)[number];

/** What is written when nothing is said. */
export const DEFAULT_REPORTERS: readonly ReporterName[] = ['terminal', 'junit', 'json', 'html', 'markdown'];
