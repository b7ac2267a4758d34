/** Kinds of circumstances. If two separate broken cases from good ones equally well, the one of the earlier kind is named. */
export const CIRCUMSTANCE_KINDS = [
  'body',
  'parameters',
  'headers',
  'connection',
  'response',
  'before',
  'at the same time',
  'time',
  'count',
] as const;
export type CircumstanceKind = (typeof CIRCUMSTANCE_KINDS)[number];

/** Kinds for which a missing value is unknown, so that the case does not count for a condition. For other kinds it means that there is none. */
export const MAY_BE_UNKNOWN: readonly CircumstanceKind[] = ['connection', 'response', 'before'];

/** A number of which a threshold may matter, in words that complete "Only …". */
export type Scale = {
  readonly value: number;
  readonly least: (threshold: number) => string;
  readonly most: (threshold: number) => string;
  readonly between: (least: number, most: number) => string;
  readonly multiple?: (of: number) => string;
  readonly noMultiple?: (of: number) => string;
};

export type Circumstance = {
  readonly kind: CircumstanceKind;
  /** What is looked at: cases have one value of it, or none. */
  readonly of: string;
  /** Its value in words that complete "Only …": "with limit=13". */
  readonly says: string;
  /** That a case has another value or none, in such words, where that may matter. */
  readonly otherwise?: string;
  readonly scale?: Scale;
  /**
   * A property of most cases: it names the population within which a condition separates, and says little alone. A received `status` only explains
   * breaches of something else.
   */
  readonly background?: 'required' | 'received' | 'status';
  /** Most cases have no value of this kind: if two separate equally well, this is the likelier reason. */
  readonly rare?: true;
};

export type Sayings = Omit<Circumstance, 'kind' | 'of'>;

export function circumstance(kind: CircumstanceKind, of: string, says: string | Sayings): Circumstance {
  return typeof says === 'string' ? { kind, of, says } : { kind, of, ...says };
}

const plainNumber = (value: number): string => String(value);

/**
 * The sayings of a number: "with a limit of 41 or more", "… of 40 or less", "… of 40 to 45". `phrase` puts such a range into words; `special` says
 * some of them otherwise.
 */
export function numbered(
  value: number,
  phrase: (range: string) => string,
  { says, format = plainNumber, ...special }: { readonly says?: string; readonly format?: (value: number) => string } & Partial<Scale> = {},
): Sayings {
  const scale: Scale = {
    value,
    least: (threshold) => phrase(`${format(threshold)} or more`),
    most: (threshold) => phrase(`${format(threshold)} or less`),
    between: (least, most) => phrase(least === most ? format(least) : `${format(least)} to ${format(most)}`),
    ...special,
  };
  return { says: says ?? phrase(format(value)), scale };
}

const ORDINALS = new Intl.PluralRules('en-US', { type: 'ordinal' });
const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** "3rd". */
export const ordinal = (value: number): string => `${value}${SUFFIXES[ORDINALS.select(value)] ?? 'th'}`;
