/** One line of a family. */
export type Sample = {
  /** What a histogram adds to the name of its family: `_bucket`, `_sum`, or `_count`. */
  readonly suffix?: string;
  /** As serialized by `writeLabels`. */
  readonly labels: string;
  readonly value: number;
};

/** One metric family of the Prometheus text format 0.0.4, before serialization. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly samples: readonly Sample[];
};

const escapeLabel = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** Labels in the given order, without the braces around them: `target="shop",check="smoke"`. */
export function writeLabels(labels: readonly (readonly [name: string, value: string])[]): string {
  return labels.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',');
}

/** A number in the spelling of the format, for a value or the label `le`. */
export function writeNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

/** The text format, without timestamps: node_exporter rejects textfiles that have them. */
export function writeExposition(families: readonly Family[]): string {
  let text = '';
  for (const { name, help, type, samples } of families) {
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = '', labels, value } of samples) {
      text += `${name}${suffix}${labels === '' ? '' : `{${labels}}`} ${writeNumber(value)}\n`;
    }
  }
  return text;
}
