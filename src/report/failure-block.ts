import type { ClauseRecord, ReportedContrast, ReportedFinding } from '../clause/clause-record.ts';
import type { Diagnosis } from '../diagnosis/cause.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { placeText, waivedTexts, whenText } from './broken-clauses.ts';
import { pad, wrap } from './columns.ts';
import { locatePointer } from './json-text.ts';
import { adviceText, conditionOf, likelyText } from './likely-causes.ts';
import { count, duration, LONGEST_COMMAND, oneLine, plain, shorten, thousands } from './text.ts';
import { contrastCommand, curlCommand } from './try-command.ts';

/** One part of a failure block: prose, alternatives or steps, text to show unchanged, or a command that must stay on one line. */
export type BlockField =
  | { readonly kind: 'text'; readonly label: string; readonly text: string }
  | { readonly kind: 'list'; readonly label: string; readonly items: readonly string[] }
  | { readonly kind: 'code' | 'command'; readonly label: string; readonly text: string };

type FailureBlock = {
  /** One line that fits in a CI list. */
  readonly summary: string;
  readonly fields: readonly BlockField[];
};

/** Shown in full; the others are counted. */
const MOST_FINDINGS = 5;
/** Characters. */
const LONGEST_BODY = 4_000;
const LONGEST_SEQUENCE = 12;
const ORIGIN = /^https?:\/\/[^/?#]+/i;

/** The failure block of a clause that is broken (or broken and waived): its summary is the first finding, and the fields continue from there. */
export function failureBlock(clause: ClauseRecord, diagnosis?: Diagnosis): FailureBlock {
  const { findings, contrast } = clause;
  const { shown, hidden } = distinctFindings(findings, MOST_FINDINGS);
  const more = (clause.cases?.length ?? findings.length) - findings.length + hidden;
  return {
    summary: oneLine(findings[0]?.summary ?? clause.note, 300),
    fields: [
      ...shown.flatMap((finding, index) => [
        ...(index === 0 ? [] : [text(`finding ${index + 1}`, oneLine(finding.summary))]),
        ...findingFields(finding),
      ]),
      ...(more > 0 ? [text('and', `${count(more, 'more finding')} of this clause`)] : []),
      ...(clause.evidence === undefined ? [] : [text('extent', extentOf(clause.evidence))]),
      text('when', whenText(clause)),
      ...contrastFields(contrast),
      ...waivedTexts(clause).map((said) => text('waived', oneLine(said, LONGEST_WAIVERS))),
      text('waivers', oneLine(clause.besideWaivers ?? '', LONGEST_WAIVERS)),
      text('clause', `${clause.id} (${clause.level}), “${clause.section}”`),
      text('requirement', clause.requirement),
      ...(clause.derivation === undefined ? [] : [text('follows from', clause.derivation)]),
      text('likely cause', likelyText(clause, { diagnosis, contrast, findings })),
      text('advice', adviceText(clause, diagnosis)),
    ].filter((field) => field.kind !== 'text' || field.text !== ''),
  };
}

const LONGEST_WAIVERS = 1_000;

/** How to send what else a broken request needs, and the nearest request that does not break the clause. */
export function contrastFields(contrast: ReportedContrast | undefined): BlockField[] {
  const commands = [
    ['try', contrast && contrastCommand(contrast)],
    ['passes', conditionOf(contrast) === undefined ? undefined : contrast?.twin && curlCommand(contrast.twin)],
  ] as const;
  return commands.flatMap(([label, command]) => commandField(label, command));
}

function commandField(label: string, command: string | undefined): BlockField[] {
  return command === undefined ? [] : [{ kind: 'command', label, text: plain(command, LONGEST_COMMAND) }];
}

/** `3 of 120 responses`. */
function extentOf({ judged, broken }: { readonly judged: number; readonly broken: number }): string {
  return `${thousands(broken)} of ${count(judged, 'response')}`;
}

function text(label: string, said: string): BlockField {
  return { kind: 'text', label, text: plain(said) };
}

/** A finding without its summary: what was expected and received, the exchanges, and the command that repeats the last one. */
function findingFields(finding: ReportedFinding): BlockField[] {
  const last = finding.exchanges.at(-1);
  return [
    { kind: 'list', label: 'expected', items: finding.expected.map((one) => oneLine(one, 500)) },
    text('received', plain(finding.received, LONGEST_BODY)),
    ...(finding.pointer === undefined ? [] : [text('at', placeOf(finding.pointer, last))]),
    ...exchangeFields(finding),
  ];
}

/** `item 3: status: "Sold"`: where the response is broken, and the value there. */
function placeOf(pointer: string, exchange: RedactedExchange | undefined): string {
  if (pointer === '') return 'the whole body';
  const body = exchange?.answer.kind === 'answered' ? (exchange.answer.body ?? '') : '';
  const span = locatePointer(body, pointer);
  const place = oneLine(placeText(pointer), 300);
  return span === undefined ? place : `${place}: ${oneLine(body.slice(span.from, span.to), 160)}`;
}

function sequenceField(exchanges: readonly RedactedExchange[]): BlockField {
  const shown = exchanges.slice(-LONGEST_SEQUENCE).map((exchange) => describeExchange(exchange, 200));
  const hidden = exchanges.length - shown.length;
  return { kind: 'list', label: 'sequence', items: hidden > 0 ? [`${count(hidden, 'earlier request')} not shown`, ...shown] : shown };
}

/** The exchanges of a finding: the preceding ones in a line each, the last one in full, and the command that repeats it. */
export function exchangeFields({ exchanges, pointer }: ReportedFinding): BlockField[] {
  const last = exchanges.at(-1);
  if (last === undefined) return [];
  return [
    ...(exchanges.length > 1 ? [sequenceField(exchanges)] : []),
    { kind: 'code', label: 'request', text: requestText(last, LONGEST_BODY) },
    { kind: 'code', label: 'response', text: responseText(last, { body: LONGEST_BODY, pointer }) },
    ...(last.trace === undefined ? [] : [text('trace', oneLine(last.trace, 300))]),
    ...commandField('reproduce', curlCommand(last)),
  ];
}

/** `#7 POST /v1/pets {"name":…} → 201`, in one line. */
function describeExchange(exchange: RedactedExchange, longest: number): string {
  const body = exchange.requestBody === undefined ? '' : ` ${exchange.requestBody}`;
  const request = oneLine(`${exchange.method} ${exchange.url.replace(ORIGIN, '')}${body}`, Math.max(20, longest - 12));
  const { answer: response } = exchange;
  return `#${exchange.number} ${request} → ${response.kind === 'answered' ? response.status : oneLine(response.reason, 40)}`;
}

function requestText(exchange: RedactedExchange, longestBody: number): string {
  const body = exchange.requestBody === undefined ? [] : ['', plain(exchange.requestBody, longestBody)];
  return [oneLine(`${exchange.method} ${exchange.url}`), ...headerLines(exchange.requestHeaders), ...body].join('\n');
}

function responseText(exchange: RedactedExchange, options: { body: number; pointer: string | undefined }): string {
  const { answer: response } = exchange;
  if (response.kind === 'failed') return `no complete response: ${oneLine(response.reason)} — ${plain(response.message)}`;
  return [
    responseLine(exchange),
    ...headerLines(response.headers),
    ...(response.body === undefined
      ? response.size === 0
        ? []
        : ['', `(${count(response.size, 'byte')}, not UTF-8)`]
      : response.body === ''
        ? []
        : ['', excerpt(response.body, options)]),
  ].join('\n');
}

/** `200 after 12 ms, 85 bytes`, and waits before it. */
export function responseLine({ answer: response, duration: time, retried, postponed }: RedactedExchange): string {
  if (response.kind === 'failed') return `no complete response after ${duration(time)}: ${oneLine(response.reason)}`;
  const asides = [
    `${response.status} after ${duration(time)}`,
    response.size === 0 ? 'no body' : count(response.size, 'byte'),
    ...(retried ? ['repeated on a new connection'] : []),
    ...(postponed > 0 ? [`${count(postponed, 'time')} Retry-After before it`] : []),
  ];
  return asides.join(', ');
}

export function headerLines(headers: RedactedExchange['requestHeaders']): string[] {
  return headers.map(([name, value]) => oneLine(`${name}: ${value}`, 500));
}

/** The relevant part of a body: around the place that the pointer names, or else the start. */
function excerpt(body: string, { body: longest, pointer }: { body: number; pointer: string | undefined }): string {
  if (body.length <= longest) return plain(body, longest);
  const span = pointer === undefined ? undefined : locatePointer(body, pointer);
  if (span === undefined || span.to <= longest) return plain(body, longest);
  const from = Math.max(0, span.from - Math.floor(longest / 2));
  const window = body.slice(from, from + longest).toWellFormed();
  return shorten(`${from > 0 ? '…' : ''}${plain(window, longest)}${from + longest < body.length ? '…' : ''}`, longest + 2);
}

/** Repeated ones are only counted. */
export type DistinctFindings = { readonly shown: readonly ReportedFinding[]; readonly hidden: number };

/** The first finding of each summary. */
function distinctFindings(findings: readonly ReportedFinding[], most: number): DistinctFindings {
  const distinct = new Map<string, ReportedFinding>();
  for (const finding of findings) {
    if (!distinct.has(finding.summary)) distinct.set(finding.summary, finding);
  }
  const shown = [...distinct.values()].slice(0, most);
  return { shown, hidden: findings.length - shown.length };
}

export type BlockTextOptions = {
  /** Columns of a line. Code is wrapped there too; a command is not, so that it can be copied. */
  readonly width: number;
  readonly label: (text: string) => string;
  readonly code: (text: string) => string;
};

/** No colors, no added line breaks: for files that programs read. */
const PLAIN_TEXT: BlockTextOptions = { width: Number.POSITIVE_INFINITY, label: (text) => text, code: (text) => text };

const LABEL_WIDTH = 14;
/** Below this many columns, labels have lines of their own. */
const NARROW = 72;

/** A failure block as a text that begins with the finding: some readers of CI files show no more than that. */
export function blockText({ summary, fields }: FailureBlock): string {
  return [summary, '', ...blockLines(fields, PLAIN_TEXT)].join('\n');
}

export function blockLines(fields: readonly BlockField[], options: BlockTextOptions): string[] {
  return fields.flatMap((field) => fieldLines(field, options));
}

function fieldLines(field: BlockField, options: BlockTextOptions): string[] {
  const isBesideLabel = options.width >= NARROW && (field.kind === 'text' || field.kind === 'list');
  const indent = isBesideLabel ? LABEL_WIDTH : 2;
  const lines = contentLines(field, options.width - indent).map((line) =>
    isBesideLabel || field.kind === 'text' || field.kind === 'list' ? line : options.code(line),
  );
  if (!isBesideLabel) return [options.label(field.label), ...lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line))];
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
