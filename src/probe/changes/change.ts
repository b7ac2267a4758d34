/** What changes from run to run without breaking a clause: a closed list, because it is a label of metrics. */
export const CHANGE_KINDS = ['behavior', 'animal', 'list', 'flapping', 'latency', 'certificate', 'deprecation'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What one run shows about something that another run may show differently. */
export type Impression = {
  readonly kind: ChangeKind;
  /** What it is about, unique within its kind: `list.limit-out-of-range limit=0`, the id of an animal. */
  readonly subject: string;
  readonly value: string;
  /** The expected value before the first run: a different first value is reported. */
  readonly usual?: string;
  /** Additional text for the reader; it may differ from run to run. */
  readonly detail?: string;
};

/** Something that a target does differently from before. */
export type Change = Pick<Impression, 'kind' | 'subject' | 'detail'> & {
  readonly target: string;
  /** Two runs in a row show it; it alternates between values; it no longer does. */
  readonly what: 'changed' | 'varies' | 'settled';
  readonly before: string;
  readonly after: string;
  /** Wall clock of the first run that showed it, milliseconds. */
  readonly since: number;
  /** Wall clock of the run that confirmed it, milliseconds. */
  readonly at: number;
};

/** The unique key of an impression's subject, over all kinds. */
export function keyOf({ kind, subject }: Pick<Impression, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}
