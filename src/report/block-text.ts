import type { BlockField, FailureBlock } from './failure-block.ts';
import { pad, wrap } from './text.ts';

export type BlockTextOptions = {
  /** Columns of a line. Code is wrapped there too; a command is not, so that it can be copied. */
  readonly width: number;
  /** How a label is styled. */
  readonly label: (text: string) => string;
  readonly code: (text: string) => string;
};

/** No colors, no added line breaks: for files that programs read. */
const UNPAINTED: BlockTextOptions = { width: Number.POSITIVE_INFINITY, label: (text) => text, code: (text) => text };

const LABEL_WIDTH = 14;
/** Below this many columns, labels have lines of their own. */
const NARROW = 72;

/** A failure block as a text that begins with the finding: some readers of CI files show no more than that. */
export function blockText({ summary, fields }: FailureBlock): string {
  return [summary, '', ...blockLines(fields, UNPAINTED)].join('\n');
}

/** The fields of a failure block as lines of text. */
export function blockLines(fields: readonly BlockField[], options: BlockTextOptions): string[] {
  return fields.flatMap((field) => fieldLines(field, options));
}

function fieldLines(field: BlockField, options: BlockTextOptions): string[] {
  const beside = options.width >= NARROW && (field.kind === 'text' || field.kind === 'list');
  const indent = beside ? LABEL_WIDTH : 2;
  const lines = contentLines(field, options.width - indent).map((line) =>
    beside || field.kind === 'text' || field.kind === 'list' ? line : options.code(line),
  );
  if (!beside) return [options.label(field.label), ...lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line))];
  const [first = '', ...rest] = lines;
  return [options.label(pad(field.label, indent)) + first, ...rest.map((line) => ' '.repeat(indent) + line)];
}

function contentLines(field: BlockField, width: number): string[] {
  switch (field.kind) {
    case 'text':
    case 'code':
      return wrap(field.text, width);
    case 'command':
      return field.text.split('\n');
    case 'list':
      return listLines(field.items, width);
    default:
      return field satisfies never;
  }
}

function listLines(items: readonly string[], width: number): string[] {
  if (items.length === 1) return wrap(items[0] ?? '', width);
  return items.flatMap((item) => wrap(item, width - 2).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`));
}
