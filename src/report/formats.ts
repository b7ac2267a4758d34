// The formats of reports and their files: names only, so that a command that writes none loads no renderer.

/** The files of each format, within the folder of a run. src/report/renderers.ts has a function for each file. */
export const REPORT_FILES = {
  junit: ['junit.xml'],
  json: ['report.json', 'behavior.json'],
  html: ['report.html'],
  markdown: ['summary.md'],
  document: ['document.html'],
  'document-markdown': ['document.md'],
  badge: ['badge.svg'],
} as const;
export type ReportFormat = keyof typeof REPORT_FILES;
export type ReportFile = (typeof REPORT_FILES)[ReportFormat][number];

export const REPORT_FORMATS = Object.keys(REPORT_FILES) as readonly ReportFormat[];
