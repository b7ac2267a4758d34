/** Values of --reporter; src/cli/delivery.ts creates them. */
export const REPORTERS = ['terminal', 'junit', 'json', 'html', 'markdown', 'har', 'ctrf', 'http', 'hurl'] as const;
export type ReporterName = (typeof REPORTERS)[number];
export type FileReporter = Exclude<ReporterName, 'terminal'>;

/** The default of --reporter. */
export const DEFAULT_REPORTERS: readonly ReporterName[] = ['terminal', 'junit', 'json', 'html', 'markdown'];

/** The files of a run, within the folder of `--reports`. */
export const REPORT_FILES = {
  junit: ['junit.xml'],
  json: ['report.json', 'behavior.json'],
  html: ['report.html'],
  markdown: ['summary.md'],
  har: ['report.har'],
  ctrf: ['ctrf.json'],
  http: ['failing.http', 'passing.http'],
  hurl: ['failing.hurl', 'passing.hurl'],
} as const satisfies Readonly<Record<FileReporter, readonly string[]>>;
export type ReportFile = (typeof REPORT_FILES)[FileReporter][number];
