/** The output formats of `smoke`. */
export const SMOKE_FORMATS = ['text', 'json', 'junit', 'prometheus'] as const;
export type SmokeFormat = (typeof SMOKE_FORMATS)[number];
