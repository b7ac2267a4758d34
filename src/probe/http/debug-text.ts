import { exchangeFields } from '../../report/failure-block.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import { count, oneLine } from '../../report/text.ts';
import type { SmokeResult } from '../smoke.ts';
import { iso } from '../text.ts';

/** A module may send a thousand requests. */
const MOST_EXCHANGES = 200;
const WIDTH = 120;

const section = (title: string, lines: readonly string[]): string => [`== ${title}`, '', ...lines, ''].join('\n');

function planLines({ run }: SmokeResult): readonly string[] {
  const clauses = run?.record.clauses ?? [];
  const width = Math.max(0, ...clauses.map(({ id }) => id.length));
  return clauses.map(({ id, verdict, note }) => `${verdict.padEnd(15)}${id.padEnd(width)}  ${oneLine(note, 300)}`);
}

function exchangeLines({ exchanges = [] }: SmokeResult): readonly string[] {
  const lines = exchanges.slice(0, MOST_EXCHANGES).flatMap((exchange) => {
    const fields = exchangeFields({ summary: '', expected: [], received: '', exchanges: [exchange] });
    const texts = fields.flatMap((field) =>
      field.kind === 'list' ? [] : [field.kind === 'text' ? `${field.label} ${field.text}` : field.text, ''],
    );
    return [`#${exchange.number} at ${Math.round(exchange.startedAt)} ms (with ${oneLine(exchange.credential, 100)})`, ...texts];
  });
  return exchanges.length > MOST_EXCHANGES ? [...lines, `and ${exchanges.length - MOST_EXCHANGES} more`] : lines;
}

/** The whole story of one run of /probe, for a person: what it planned, sent, and found, and the metrics that a scrape would have got. */
export function debugText(result: SmokeResult, { baseUrl, exposition }: { readonly baseUrl: string; readonly exposition: string }): string {
  const { sample, run, exchanges = [] } = result;
  const { target, at, duration, verdict, reason, note, phases } = sample;
  const found = run === undefined ? [note] : [renderTerminal(run.record, { color: false, width: WIDTH }).trimEnd()];
  return [
    section(`${target}: ${verdict}${reason === undefined ? '' : ` (${reason})`}`, [
      `${baseUrl}, at ${iso(at)}, in ${Math.round(duration)} ms`,
      oneLine(note),
      Object.entries(phases)
        .map(([phase, seconds]) => `${phase} ${(seconds * 1_000).toFixed(1)} ms`)
        .join(', '),
    ]),
    section(`Plan: ${count(run?.record.clauses.length ?? 0, 'clause')}`, planLines(result)),
    section(`Requests: ${exchanges.length}`, exchangeLines(result)),
    section('Findings', found),
    section('Metrics that a scrape would have got', [exposition.trimEnd()]),
  ].join('\n');
}
