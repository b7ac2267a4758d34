const MEGABYTE = 1024 * 1024;

/** Bytes that a file may have which is named on the command line: a mistaken path must not fill the memory. */
export const LARGEST = { settings: 4 * MEGABYTE, report: 512 * MEGABYTE } as const;
