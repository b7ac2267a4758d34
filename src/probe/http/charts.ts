import { html } from 'hono/html';
import type { Slice } from '../history/history.ts';
import type { Health } from '../view.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;
const BAR = 10;
const GAP = 2;
const HEIGHT = 34;

type Html = ReturnType<typeof html>;

/** The worst result of a slice that a person should see: one failure in an hour shows, but only as that. */
export function sliceHealth({ counts }: Slice): Health {
  const judged = counts.pass + counts.degraded + counts.fail;
  if (judged === 0) return 'unknown';
  if (counts.fail > 0) return counts.fail / judged >= 0.5 ? 'down' : 'degraded';
  return counts.degraded / judged >= 0.5 ? 'degraded' : 'up';
}

/** Every slot of a range in order, including those without a run. */
export function slotsOf(
  slices: readonly Slice[],
  range: { to: number; count: number; step: number },
): readonly { readonly from: number; readonly slice: Slice | undefined }[] {
  const known = new Map(slices.map((slice) => [slice.from, slice]));
  const last = Math.floor(range.to / range.step) * range.step;
  return Array.from({ length: range.count }, (_unused, index) => {
    const from = last - (range.count - 1 - index) * range.step;
    return { from, slice: known.get(from) };
  });
}

const describeSlot = (from: number, slice: Slice | undefined, step: number): string => {
  const when = new Date(from)
    .toISOString()
    .slice(0, step === DAY ? 10 : 16)
    .replace('T', ' ');
  if (slice === undefined) return `${when}: no runs`;
  const { pass, degraded, fail, unknown } = slice.counts;
  return `${when} UTC: ${pass} passed, ${degraded} degraded, ${fail} failed${unknown > 0 ? `, ${unknown} unknown` : ''}`;
};

/** One bar per slot: its color shows the health, its height the share of the runs that did not fail, its title the numbers. */
export function bars(slices: readonly Slice[], options: { to: number; days: boolean; label: string }): Html {
  const step = options.days ? DAY : HOUR;
  const slots = slotsOf(slices, { to: options.to, count: options.days ? 90 : 24, step });
  const width = slots.length * (BAR + GAP) - GAP;
  return html`<svg class="bars" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${options.label}">${slots.map(
    ({ from, slice }, index) => {
      const health = slice === undefined ? 'none' : sliceHealth(slice);
      return html`<rect class="b-${health}" x="${index * (BAR + GAP)}" y="0" width="${BAR}" height="${HEIGHT}" rx="2"><title>${describeSlot(from, slice, step)}</title></rect>`;
    },
  )}</svg>`;
}

/** The same without the numbers, as small as possible: one path per health, because a list shows a hundred. */
export function thinBars(slices: readonly Slice[], options: { to: number; label: string }): Html {
  const slots = slotsOf(slices, { to: options.to, count: 24, step: HOUR });
  const paths = new Map<string, string>();
  slots.forEach(({ slice }, index) => {
    const health = slice === undefined ? 'none' : sliceHealth(slice);
    paths.set(health, `${paths.get(health) ?? ''}M${index * (BAR + GAP)} 0h${BAR}v${HEIGHT}h-${BAR}z`);
  });
  const drawn = [...paths].map(([health, path]) => html`<path class="b-${health}" d="${path}"/>`);
  return html`<svg class="thin" viewBox="0 0 ${slots.length * (BAR + GAP) - GAP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${options.label}">${drawn}</svg>`;
}

const PLOT_WIDTH = 480;
const PLOT_HEIGHT = 64;

/** Mean (line) and slowest (area) duration of the runs in each hour. */
export function latencyPlot(slices: readonly Slice[], options: { to: number }): { readonly svg: Html; readonly top: number } {
  const slots = slotsOf(slices, { to: options.to, count: 24, step: HOUR });
  const top = Math.max(1, ...slices.map(({ maxDuration }) => maxDuration));
  const x = (index: number): string => ((index / (slots.length - 1)) * PLOT_WIDTH).toFixed(1);
  const y = (value: number): string => (PLOT_HEIGHT - 2 - (value / top) * (PLOT_HEIGHT - 6)).toFixed(1);
  const runs: { index: number; slice: Slice }[][] = [[]];
  slots.forEach(({ slice }, index) => {
    if (slice === undefined) runs.push([]);
    else runs.at(-1)?.push({ index, slice });
  });
  const drawn = runs.filter((run) => run.length > 0);
  const svg = html`<svg class="plot" viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Duration of runs over the last 24 hours: mean as a line, slowest as an area, up to ${Math.round(top)} milliseconds">${drawn.map(
    (run) => {
      // A single hour is drawn as a short stroke: a point has no length.
      const points =
        run.length > 1
          ? run
          : run.flatMap(({ index, slice }) => [
              { index: Math.max(0, index - 0.4), slice },
              { index: Math.min(slots.length - 1, index + 0.4), slice },
            ]);
      const first = points[0]?.index ?? 0;
      const last = points.at(-1)?.index ?? 0;
      const area = points.map(({ index, slice }) => `${x(index)},${y(slice.maxDuration)}`).join(' ');
      return html`<polygon class="p-max" points="${x(first)},${PLOT_HEIGHT} ${area} ${x(last)},${PLOT_HEIGHT}"/><polyline class="p-mean" points="${points.map(({ index, slice }) => `${x(index)},${y(slice.meanDuration)}`).join(' ')}"/>`;
    },
  )}</svg>`;
  return { svg, top };
}
