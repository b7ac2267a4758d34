import { REPORT_FORMATS, type ReportFormat } from '../report/formats.ts';

/** Values of --reporter. */
export const REPORTERS: readonly ReporterName[] = ['terminal', ...REPORT_FORMATS];
export type ReporterName = 'terminal' | ReportFormat;

/** The default of --reporter. */
export const DEFAULT_REPORTERS: readonly ReporterName[] = ['terminal', 'junit', 'json', 'html', 'markdown', 'document'];
