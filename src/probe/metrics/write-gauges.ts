import { writeExposition, writeLabels } from './exposition.ts';

/** A gauge of a single run; its values by their labels. */
export type RunGauge = {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
};

/**
 * The text of a single run, in which everything is a gauge. A gauge without values is left out: nothing was measured, and no later scrape
 * adds it.
 */
export function writeGauges(gauges: readonly RunGauge[]): string {
  return writeExposition(
    gauges
      .filter(({ samples }) => samples.length > 0)
      .map(({ name, help, samples }) => ({
        name,
        help,
        type: 'gauge',
        samples: samples.map(({ labels, value }) => ({ labels: writeLabels(Object.entries(labels)), value })),
      })),
  );
}
