import { writeLabels } from './exposition.ts';

/** A value for each label of a family. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** The series of one family, in the order in which they were first set. */
export type Series<Name extends string, Value> = {
  /** Sets the result of `next`, which gets the previous value, or undefined for a new series. */
  update(labels: Labels<Name>, next: (before: Value | undefined) => Value): void;
  remove(labels: Labels<Name>): void;
  /** Removes every series whose label with this name has a matching value; nothing in a family without that label. */
  removeWhere(name: string, matches: (value: string) => boolean): void;
  /** Each with its serialized labels. */
  entries(): readonly (readonly [labels: string, value: Value])[];
};

/** Labels are serialized in the order of `names`, and that text is the key, so the same labels in another order are the same series. */
export function createSeries<Name extends string, Value>(names: readonly Name[]): Series<Name, Value> {
  const kept = new Map<string, { readonly labels: Labels<Name>; value: Value }>();
  const keyOf = (labels: Labels<Name>): string => writeLabels(names.map((name) => [name, labels[name]]));
  return {
    update(labels, next) {
      const key = keyOf(labels);
      const one = kept.get(key);
      if (one === undefined) kept.set(key, { labels, value: next(undefined) });
      else one.value = next(one.value);
    },
    remove(labels) {
      kept.delete(keyOf(labels));
    },
    removeWhere(name, matches) {
      const label = names.find((one) => one === name);
      if (label === undefined) return;
      for (const [key, { labels }] of kept) if (matches(labels[label])) kept.delete(key);
    },
    entries: () => Array.from(kept, ([labels, { value }]) => [labels, value]),
  };
}
