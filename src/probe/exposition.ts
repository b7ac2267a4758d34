/** One metric family of the Prometheus text format 0.0.4, before it is written. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
};

const escapeLabel = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

function number(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

function line(name: string, sample: Family['samples'][number]): string {
  const labels = Object.entries(sample.labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return `${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`} ${number(sample.value)}`;
}

/** The text format, without timestamps: node_exporter refuses textfiles that have them. Families without samples are left out. */
export function writeExposition(families: readonly Family[]): string {
  const shown = families.filter(({ samples }) => samples.length > 0);
  return shown
    .flatMap((family) => [
      `# HELP ${family.name} ${escapeHelp(family.help)}`,
      `# TYPE ${family.name} ${family.type}`,
      ...family.samples.map((sample) => line(family.name, sample)),
    ])
    .map((text) => `${text}\n`)
    .join('');
}
