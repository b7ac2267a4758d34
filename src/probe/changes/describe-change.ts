import type { Change, ChangeKind, Impression } from './change.ts';

const LABELS: Readonly<Record<ChangeKind, string>> = {
  behavior: 'Behavior',
  animal: 'Animal',
  list: 'List',
  flapping: 'Flapping',
  latency: 'Latency',
  certificate: 'Certificate',
  deprecation: 'Deprecation',
};

/** The kind of a change, as a heading. */
export function labelOf(kind: ChangeKind): string {
  return LABELS[kind];
}

type Words = { readonly what: string; readonly value: (value: string) => string };
type Animal = { readonly name?: string; readonly categoryId?: string };

/** The name and the category of an animal as one value. */
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

/** The words for the subject of a change; changes of animals and of runs that pass and fail have their own sentences. */
function wordsOf({ kind, subject }: Pick<Impression, 'kind' | 'subject'>): Words {
  switch (kind) {
    case 'behavior':
    case 'animal':
      return { what: subject.slice(subject.indexOf(' ') + 1), value: asIs };
    case 'list':
      return { what: 'the list', value: (value) => (value === 'none' ? 'shows no animals' : 'shows animals') };
    case 'flapping':
      return { what: 'runs', value: asIs };
    case 'latency':
      return { what: 'runs', value: (value) => (value === 'usual' ? 'take as long as usual' : 'take much longer than in the week before') };
    case 'certificate':
      return subject === 'near'
        ? { what: 'the certificate', value: (value) => (value === 'near' ? 'ends within 14 days' : 'ends in more than 14 days') }
        : { what: 'the certificate', value: (value) => `ends on ${value}` };
    case 'deprecation':
      return { what: `${subject} of getPet`, value: (value) => (value === '' ? 'is not sent' : `is ${value}`) };
    default:
      return kind satisfies never;
  }
}

function plainly(change: Change): string {
  const { kind, what, before, after } = change;
  if (kind === 'animal') return describeAnimal(change);
  if (kind === 'flapping')
    return what === 'varies' ? 'runs pass and fail in turn' : `runs no longer pass and fail in turn: they are ${after}`;
  const words = wordsOf(change);
  const joint = kind === 'behavior' ? ': ' : ' ';
  const [old, now] = [words.value(before), words.value(after)];
  if (what === 'varies') return `${words.what} varies: now ${old}, now ${now}`;
  if (what === 'settled') return `${words.what} no longer varies: ${now}`;
  return `${words.what}${joint}${now}; before: ${old}`;
}

/** A change in one sentence, including the service's own words. */
export function describeChange(change: Change): string {
  return change.detail === undefined ? plainly(change) : `${plainly(change)} (${change.detail})`;
}

/** The clause that a change is about; undefined if there is none. */
export function clauseOf({ kind, subject }: Pick<Impression, 'kind' | 'subject'>): string | undefined {
  return kind === 'behavior' ? subject.slice(0, subject.indexOf(' ')) : undefined;
}

/** The same without words of the service. */
export function describePublicly({ kind, subject, what }: Change): string {
  const about = kind === 'behavior' ? wordsOf({ kind, subject }).what : kind === 'animal' ? `animal ${subject}` : subject;
  return `${about} ${what === 'settled' ? 'no longer varies' : what}`;
}
