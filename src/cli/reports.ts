import type { RunRecord } from '../clause/run-record.ts';
import { renderJson } from '../report/render-json.ts';
import { renderJunit } from '../report/render-junit.ts';
import type { PlannedReport } from '../report/write-reports.ts';
import type { ReporterName } from './options.ts';

type FileReporter = Exclude<ReporterName, 'terminal'>;

const FILES: Readonly<Record<FileReporter, { readonly file: string; readonly render: (record: RunRecord) => string }>> = {
  junit: { file: 'junit.xml', render: renderJunit },
  json: { file: 'report.json', render: renderJson },
};

/** The report files of a run, in the order asked for. */
export function plannedReports(record: RunRecord, reporters: readonly ReporterName[]): readonly PlannedReport[] {
  return reporters
    .filter((name): name is FileReporter => name !== 'terminal')
    .map((name) => ({ reporter: name, file: FILES[name].file, render: () => FILES[name].render(record) }));
}
