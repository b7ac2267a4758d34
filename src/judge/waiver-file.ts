import { type Document, isMap, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { type ClauseFailureKind, KIND_FIELDS } from '../clause/failure-kind.ts';
import { OPERATIONS } from '../wire/exchange.ts';
import { isRecord } from '../wire/parse-json.ts';
import { yamlValue } from './yaml-value.ts';

/**
 * A known failure: the id of a clause or check, which kind of failure of it (without any of these fields: every failure), why it is accepted, and
 * the last day (UTC) on which it is.
 */
export type Waiver = Partial<ClauseFailureKind> & {
  readonly id: string;
  /** When the clause is broken, for people: nothing is compared with it. */
  readonly condition?: string;
  readonly reason: string;
  readonly ticket?: string;
  readonly expires: string;
  /** The failure comes and goes: a run that does not show it does not make the entry stale. */
  readonly flaky?: boolean;
};

export class WaiverFileError extends Error {
  override readonly name = 'WaiverFileError';
}

/** The placeholder in an entry until somebody writes the reason. */
export const REASON_TO_BE_WRITTEN = 'TO BE WRITTEN: why is this accepted for now?';

/** The placeholder in an entry until somebody writes the last day. */
export const EXPIRY_TO_BE_WRITTEN = 'TO BE WRITTEN: the last day, such as 2027-01-31';

const OPTIONAL = [...KIND_FIELDS, 'condition', 'ticket'] as const;
const MEMBERS: readonly string[] = ['id', ...KIND_FIELDS, 'condition', 'reason', 'ticket', 'expires', 'flaky'];
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
  if (expires === EXPIRY_TO_BE_WRITTEN)
    throw new WaiverFileError(`${named} still has no expiry date: write the last day on which the failure is accepted, such as 2027-01-31`);
  if (!isDay(expires)) throw new WaiverFileError(`${named} expires "${expires}", which is not a date such as 2027-01-31`);
  const { flaky } = entry;
  if (flaky !== undefined && typeof flaky !== 'boolean')
    throw new WaiverFileError(`${named} has flaky: ${JSON.stringify(flaky)}; write true if the failure comes and goes, or leave it out`);
  const texts = OPTIONAL.flatMap((member) => (entry[member] === undefined ? [] : [[member, textOf(entry, { member, where: named })]]));
  const waiver: Waiver = { id, reason, expires, ...Object.fromEntries(texts), ...(flaky === undefined ? {} : { flaky }) };
  if (waiver.operation !== undefined && !OPERATIONS.some((operation) => operation === waiver.operation))
    throw new WaiverFileError(`${named} has operation: ${waiver.operation}; expected ${OPERATIONS.join(', ')}`);
  return waiver;
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

export const EMPTY_WAIVERS = `# Known failures. Each entry has the id of a clause, which kind of failure of it is known, a reason, an optional ticket, and the last day on
# which it is valid. \`run --update-waivers\` writes entries for what fails; you write their reasons and days.
waivers: []
`;

/** A kind of failure for an entry, with what was found; as a comment, because it has values. */
export type FoundKind = {
  readonly kind: ClauseFailureKind;
  readonly condition?: string;
  readonly flaky?: true;
  readonly comment: string;
};

/** Changes of a waiver file. Positions count the entries from 0. */
export type WaiverChanges = {
  readonly file: string;
  readonly added: readonly ({ readonly id: string } & FoundKind)[];
  /** Entries for every failure become one for each of these. */
  readonly bound: ReadonlyMap<number, readonly FoundKind[]>;
  readonly removed: ReadonlySet<number>;
};

const LONGEST_COMMENT = 160;

function commentOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return ` ${line.length <= LONGEST_COMMENT ? line : `${line.slice(0, LONGEST_COMMENT - 1)}…`}`;
}

/** What an entry says about the kind, in the order in which it is read. */
function membersOf({ kind, condition, flaky }: FoundKind): Readonly<Record<string, unknown>> {
  const fields = Object.fromEntries(KIND_FIELDS.map((field) => [field, kind[field]]));
  return { ...fields, ...(condition === undefined ? {} : { condition }), ...(flaky === undefined ? {} : { flaky }) };
}

/** The entry for one kind: its own members stay as they are, and those about the kind follow the id. */
function boundTo(entry: YAMLMap, found: FoundKind, document: Document): YAMLMap {
  const bound = entry.clone() as YAMLMap;
  const added = Object.entries(membersOf(found)).filter(([name]) => !bound.has(name));
  const place = bound.items.findIndex(({ key }) => String(key) === 'id') + 1;
  bound.items.splice(place, 0, ...added.map(([name, value]) => document.createPair(name, value)));
  return bound;
}

/** The text of a waiver file with entries added at its end, bound, and removed; comments and the order of existing entries stay. */
export function changeWaivers(text: string | undefined, { file, added, bound, removed }: WaiverChanges): string {
  const document = read(text === undefined || text.trim() === '' ? EMPTY_WAIVERS : text, file);
  // A list without entries may be empty text.
  if (document.has('waivers') && (document.get('waivers') ?? undefined) === undefined) document.set('waivers', document.createNode([]));
  const list = document.get('waivers');
  if (!isSeq(list)) throw new WaiverFileError(`${file} has no list "waivers" at the top level`);
  // An empty list is written as [] and would grow on one line.
  if (!file.endsWith('.json')) list.flow = false;
  list.items = list.items.flatMap((item, position): unknown[] => {
    if (removed.has(position)) return [];
    const failureKinds = bound.get(position);
    if (failureKinds === undefined || !isMap(item)) return [item];
    return failureKinds.map((found, index) => {
      const entry = boundTo(item, found, document);
      if (index > 0) entry.commentBefore = commentOf(found.comment);
      return entry;
    });
  });
  for (const { id, ...found } of added) {
    const { flaky, ...members } = membersOf(found);
    const todo = { reason: REASON_TO_BE_WRITTEN, expires: EXPIRY_TO_BE_WRITTEN };
    const entry = document.createNode({ id, ...members, ...todo, ...(flaky === undefined ? {} : { flaky }) });
    entry.commentBefore = commentOf(found.comment);
    list.add(entry);
  }
  return file.endsWith('.json') ? `${JSON.stringify(document.toJS(), undefined, 2)}\n` : document.toString({ lineWidth: 0 });
}
