const MEGABYTE = 1024 * 1024;

/** Maximum size in bytes of a file that is named on the command line: a wrong path must not fill the memory. */
export const LARGEST = { settings: 4 * MEGABYTE, report: 512 * MEGABYTE } as const;
