import { type Document, isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import { isRecord } from '../wire/parsed.ts';
import { yamlValue } from './yaml-value.ts';

/** A known failure: the id of a clause or check, why it is accepted, and the last day (UTC) on which it is. */
export type Waiver = { readonly id: string; readonly reason: string; readonly ticket?: string; readonly expires: string };

export class WaiverFileError extends Error {
  override readonly name = 'WaiverFileError';
}

/** The placeholder in an entry until somebody writes the reason. */
export const REASON_TO_BE_WRITTEN = 'TO BE WRITTEN: why is this accepted for now?';

const MEMBERS = ['id', 'reason', 'ticket', 'expires'];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return DAY.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function read(text: string, file: string, lineCounter = new LineCounter()): Document {
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  if (error !== undefined) throw new WaiverFileError(`${file} is neither YAML nor JSON: ${error.message.split('\n')[0] ?? ''}`);
  return document;
}

function textOf(entry: Readonly<Record<string, unknown>>, { member, where }: { member: string; where: string }): string {
  const value = entry[member];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new WaiverFileError(`${where} has no "${member}"; every waiver has an id, a reason, and an expiry date`);
}

/** Parses one entry, which the message of a WaiverFileError calls `where`. */
export function parseWaiver(entry: unknown, where: string): Waiver {
  if (!isRecord(entry)) throw new WaiverFileError(`${where} is not an object with id, reason, and expires`);
  const unknown = Object.keys(entry).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw new WaiverFileError(`${where} has an unknown field "${unknown}"; a waiver has ${MEMBERS.join(', ')}`);
  const id = textOf(entry, { member: 'id', where });
  const named = `${where} (${id})`;
  const reason = textOf(entry, { member: 'reason', where: named });
  if (reason === REASON_TO_BE_WRITTEN)
    throw new WaiverFileError(`${named} still has no reason: write why the failure is accepted, or fix the failure`);
  const expires = textOf(entry, { member: 'expires', where: named });
  if (!isDay(expires)) throw new WaiverFileError(`${named} expires "${expires}", which is not a date such as 2027-01-31`);
  return { id, reason, expires, ...(entry['ticket'] === undefined ? {} : { ticket: textOf(entry, { member: 'ticket', where: named }) }) };
}

/** The entries of a waiver file (YAML or JSON; schemas/waivers.schema.json). Throws WaiverFileError. */
export function parseWaivers(text: string, file: string): readonly Waiver[] {
  const lines = new LineCounter();
  const parsed = yamlValue(read(text, file, lines), lines);
  if (!parsed.ok) throw new WaiverFileError(`${file}:${parsed.line}: ${parsed.problem}`);
  const content = parsed.value;
  const list = isRecord(content) ? content['waivers'] : undefined;
  if (!isRecord(content) || !(Array.isArray(list) || list === null))
    throw new WaiverFileError(`${file} has no list "waivers" at the top level`);
  const stranger = Object.keys(content).find((name) => name !== 'waivers' && name !== '$schema');
  if (stranger !== undefined) throw new WaiverFileError(`${file} has an unknown field "${stranger}"; it has one list, "waivers"`);
  return (list ?? []).map((entry, index) => parseWaiver(entry, `${file}: waiver ${index + 1}`));
}

export const EMPTY_WAIVERS = `# Known failures. Each entry has the id of a clause or check, a reason, an optional ticket, and the last day on which it is valid.
waivers: []
`;

/** Changes of a waiver file: new entries for ids with a comment each, and ids whose entries are removed. */
export type WaiverChanges = {
  readonly file: string;
  readonly added: readonly { readonly id: string; readonly comment: string }[];
  readonly removed: readonly string[];
  readonly expires: string;
};

const LONGEST_COMMENT = 160;

function commentOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return ` ${line.length <= LONGEST_COMMENT ? line : `${line.slice(0, LONGEST_COMMENT - 1)}…`}`;
}

/** The text of a waiver file with entries added at its end and others removed; comments and the order of existing entries stay. */
export function changeWaivers(text: string | undefined, { file, added, removed, expires }: WaiverChanges): string {
  const document = read(text === undefined || text.trim() === '' ? EMPTY_WAIVERS : text, file);
  const list = document.get('waivers');
  if (!isSeq(list)) throw new WaiverFileError(`${file} has no list "waivers" at the top level`);
  // An empty list is written as [] and would grow on one line.
  if (!file.endsWith('.json')) list.flow = false;
  list.items = list.items.filter((item) => !(isMap(item) && removed.includes(String(item.get('id')))));
  for (const { id, comment } of added) {
    const entry = document.createNode({ id, reason: REASON_TO_BE_WRITTEN, expires });
    entry.commentBefore = commentOf(comment);
    list.add(entry);
  }
  return file.endsWith('.json') ? `${JSON.stringify(document.toJS(), undefined, 2)}\n` : document.toString({ lineWidth: 0 });
}
