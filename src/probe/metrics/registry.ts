import { type Family, writeExposition, writeLabels, writeNumber } from './exposition.ts';
import { createSeries, type Labels, type Series } from './series.ts';

/** A value that goes up and down. */
export type Gauge<Name extends string> = {
  set(labels: Labels<Name>, value: number): void;
  remove(labels: Labels<Name>): void;
};

/** A value that only goes up: by 1, or by the given number, which may be 0 to show the series before anything is counted. */
export type Counter<Name extends string> = { inc(labels: Labels<Name>, by?: number): void };

/** Values counted by the smallest bucket that holds them. */
export type Histogram<Name extends string> = {
  /** Shows the series before anything is observed; earlier observations stay. */
  show(labels: Labels<Name>): void;
  observe(labels: Labels<Name>, value: number): void;
};

type Buckets = { readonly counts: readonly { readonly bound: number; count: number }[]; sum: number };

/** The metric families of a process, and the text for a scrape. */
export type Registry = {
  gauge<const Name extends string>(name: string, help: string, labels: readonly Name[]): Gauge<Name>;
  counter<const Name extends string>(name: string, help: string, labels: readonly Name[]): Counter<Name>;
  /** `bounds` are the upper bounds of the buckets in ascending order, without `+Inf`. */
  histogram<const Name extends string>(name: string, help: string, rest: HistogramShape<Name>): Histogram<Name>;
  /** Removes, from all families, every series whose label with this name has a matching value. */
  removeWhere: Series<string, unknown>['removeWhere'];
  /** All families in the order of their creation, each with its series in the order in which they were first set. */
  text(): string;
};

type HistogramShape<Name extends string> = { readonly labels: readonly Name[]; readonly bounds: readonly number[] };

function numberSamples(labels: string, value: number): Family['samples'] {
  return [{ labels, value }];
}

function bucketSamples(labels: string, { counts, sum }: Buckets): Family['samples'] {
  let total = 0;
  const buckets = counts.map(({ bound, count }) => {
    total += count;
    const le = writeLabels([['le', writeNumber(bound)]]);
    return { suffix: '_bucket', labels: labels === '' ? le : `${le},${labels}`, value: total };
  });
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }];
}

/** A sum that is not a number stays that way: only finite numbers may be added. */
function requireFinite(name: string, value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`${name} takes finite numbers, received ${value}`);
  return value;
}

/** `prefix` is the prefix of every family's name. */
export function createRegistry(prefix: string): Registry {
  const families = new Map<string, { readonly series: Pick<Series<string, unknown>, 'removeWhere'>; readonly family: () => Family }>();

  function add<Name extends string, Value>(
    about: Omit<Family, 'samples'>,
    { labels, samplesOf }: { labels: readonly Name[]; samplesOf: (labels: string, value: Value) => Family['samples'] },
  ): Series<Name, Value> {
    if (families.has(about.name)) throw new Error(`there are two metric families with the name ${about.name}`);
    const series = createSeries<Name, Value>(labels);
    const samples = (): Family['samples'] => series.entries().flatMap(([written, value]) => samplesOf(written, value));
    families.set(about.name, { series, family: () => ({ ...about, samples: samples() }) });
    return series;
  }

  return {
    gauge(name, help, labels) {
      const series = add({ name: prefix + name, help, type: 'gauge' }, { labels, samplesOf: numberSamples });
      return { set: (of, value) => series.update(of, () => value), remove: series.remove };
    },
    counter(name, help, labels) {
      const series = add({ name: prefix + name, help, type: 'counter' }, { labels, samplesOf: numberSamples });
      return {
        inc(of, by = 1) {
          if (requireFinite(prefix + name, by) < 0) throw new RangeError(`${prefix}${name} only goes up, received ${by}`);
          series.update(of, (before = 0) => before + by);
        },
      };
    },
    histogram(name, help, { labels, bounds }) {
      const series = add<(typeof labels)[number], Buckets>(
        { name: prefix + name, help, type: 'histogram' },
        { labels, samplesOf: bucketSamples },
      );
      const empty = (): Buckets => ({ counts: [...bounds, Number.POSITIVE_INFINITY].map((bound) => ({ bound, count: 0 })), sum: 0 });
      return {
        show: (of) => series.update(of, (before = empty()) => before),
        observe(of, value) {
          requireFinite(prefix + name, value);
          series.update(of, (before = empty()) => {
            const bucket = before.counts.find(({ bound }) => value <= bound);
            if (bucket !== undefined) bucket.count += 1;
            before.sum += value;
            return before;
          });
        },
      };
    },
    removeWhere(name, matches) {
      for (const { series } of families.values()) series.removeWhere(name, matches);
    },
    text: () => writeExposition(Array.from(families.values(), ({ family }) => family())),
  };
}
