// Families of metrics, their series, and the text format of Prometheus.

export type Gauge<Name extends string> = {
  set(labels: Labels<Name>, value: number): void;
  remove(labels: Labels<Name>): void;
};

/** A value that only goes up: by 1, or by the given number, which may be 0 to show the series before anything is counted. */
export type Counter<Name extends string> = { inc(labels: Labels<Name>, by?: number): void };

export type Histogram<Name extends string> = {
  /** Shows the series before anything is observed; earlier observations stay. */
  show(labels: Labels<Name>): void;
  observe(labels: Labels<Name>, value: number): void;
};

type Buckets = { readonly counts: readonly { readonly bound: number; count: number }[]; sum: number };

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

type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** The series of one family, in the order in which they were first set. */
type Series<Name extends string, Value> = {
  /** Sets the result of `next`, which gets the previous value, or undefined for a new series. */
  update(labels: Labels<Name>, next: (before: Value | undefined) => Value): void;
  remove(labels: Labels<Name>): void;
  /** Removes every series whose label with this name has a matching value; nothing in a family without that label. */
  removeWhere(name: string, matches: (value: string) => boolean): void;
  /** Each with its serialized labels. */
  entries(): readonly (readonly [labels: string, value: Value])[];
};

/** Labels are serialized in the order of `names`, and that text is the key, so the same labels in another order are the same series. */
function createSeries<Name extends string, Value>(names: readonly Name[]): Series<Name, Value> {
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

export type Sample = {
  /** What a histogram adds to the name of its family: `_bucket`, `_sum`, or `_count`. */
  readonly suffix?: string;
  /** As serialized by `writeLabels`. */
  readonly labels: string;
  readonly value: number;
};

/** One metric family of the Prometheus text format 0.0.4, before serialization. */
type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly samples: readonly Sample[];
};

const escapeLabel = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** Labels in the given order, without the braces around them: `target="shop",check="smoke"`. */
export function writeLabels(labels: readonly (readonly [name: string, value: string])[]): string {
  return labels.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',');
}

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

/** The text format, without timestamps: node_exporter rejects textfiles that have them. */
export function writeExposition(families: readonly Family[]): string {
  let text = '';
  for (const { name, help, type, samples } of families) {
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = '', labels, value } of samples) {
      text += `${name}${suffix}${labels === '' ? '' : `{${labels}}`} ${writeNumber(value)}\n`;
    }
  }
  return text;
}
