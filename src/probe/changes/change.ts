// What may change from run to run: its kinds, how a run shows them, and how they are told.

/** What changes from run to run without breaking a clause: a closed list, because it is a label of metrics. */
export const CHANGE_KINDS = ['behavior', 'animal', 'list', 'deprecation'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What one run shows about something that another run may show differently. */
export type Impression = {
  readonly kind: ChangeKind;
  /** What it is about, unique within its kind: `list.limit-out-of-range limit=0`, the id of an animal. */
  readonly subject: string;
  readonly value: string;
};

export type Change = Pick<Impression, 'kind' | 'subject'> & {
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

/** Unique over all kinds. */
export function keyOf({ kind, subject }: Pick<Impression, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}

const LABELS: Readonly<Record<ChangeKind, string>> = {
  behavior: 'Behavior',
  animal: 'Animal',
  list: 'List',
  deprecation: 'Deprecation',
};

export function labelOf(kind: ChangeKind): string {
  return LABELS[kind];
}

type Words = { readonly what: string; readonly value: (value: string) => string };
type Animal = { readonly name?: string; readonly categoryId?: string };

export function animalValue({ name, categoryId }: { name: string | undefined; categoryId: bigint | undefined }): string {
  return JSON.stringify({ name, categoryId: categoryId === undefined ? undefined : String(categoryId) });
}

const animalIn = (value: string): Animal => JSON.parse(value) as Animal;

function describeAnimal({ subject, what, before, after }: Change): string {
  const [old, now] = [animalIn(before), animalIn(after)];
  const show = ({ name, categoryId }: Animal): string => `${JSON.stringify(name)} in category ${categoryId}`;
  if (what === 'varies') return `id ${subject} is now one animal, now another: ${show(old)} and ${show(now)}`;
  if (what === 'settled') return `id ${subject} is one animal again: ${show(now)}`;
  if (old.name !== now.name && old.categoryId !== now.categoryId)
    return `id ${subject} is another animal: ${show(now)}; before: ${show(old)}`;
  if (old.name !== now.name) return `animal ${subject} has another name: ${JSON.stringify(now.name)}; before: ${JSON.stringify(old.name)}`;
  return `animal ${subject} has another category: ${now.categoryId}; before: ${old.categoryId}`;
}

const asIs = (value: string): string => value;

/** The words for the subject of a change; changes of animals have their own sentences. */
function wordsOf({ kind, subject }: Pick<Impression, 'kind' | 'subject'>): Words {
  switch (kind) {
    case 'behavior':
    case 'animal':
      return { what: subject.slice(subject.indexOf(' ') + 1), value: asIs };
    case 'list':
      return { what: 'the list', value: (value) => (value === 'none' ? 'shows no animals' : 'shows animals') };
    case 'deprecation':
      return { what: `${subject} of getPet`, value: (value) => (value === '' ? 'is not sent' : `is ${value}`) };
    default:
      return kind satisfies never;
  }
}

/** A change in one sentence, including the service's own words. */
export function describeChange(change: Change): string {
  const { kind, what, before, after } = change;
  if (kind === 'animal') return describeAnimal(change);
  const words = wordsOf(change);
  const joint = kind === 'behavior' ? ': ' : ' ';
  const [old, now] = [words.value(before), words.value(after)];
  if (what === 'varies') return `${words.what} varies: now ${old}, now ${now}`;
  if (what === 'settled') return `${words.what} no longer varies: ${now}`;
  return `${words.what}${joint}${now}; before: ${old}`;
}

export function clauseOf({ kind, subject }: Pick<Impression, 'kind' | 'subject'>): string | undefined {
  return kind === 'behavior' ? subject.slice(0, subject.indexOf(' ')) : undefined;
}

/** The same without words of the service. */
export function describePublicly({ kind, subject, what }: Change): string {
  const about = kind === 'behavior' ? wordsOf({ kind, subject }).what : kind === 'animal' ? `animal ${subject}` : subject;
  return `${about} ${what === 'settled' ? 'no longer varies' : what}`;
}
