import type { OperationStatistics, RunRecord } from '../../clause/run-record.ts';
import { type Latency, latencyOf, latencyText } from '../behavior.ts';
import { count, oneLine } from '../text.ts';
import { html, type Markup } from './page.ts';

const WIDTH = 360;
const HEIGHT = 132;
const LEFT = 14;
const RIGHT = 14;
const TOP = 38;
const BASE = 110;
const BINS = 36;
const STEPS = [1, 2, 5] as const;
/** With fewer, the shape of the plot says nothing: the figures are enough. */
const FEWEST_FOR_A_PICTURE = 20;

type Scale = {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly x: (milliseconds: number) => number;
};

/** The latency of each operation, on one logarithmic scale so that the plots can be compared. */
export function latencyView(record: RunRecord): Markup | '' {
  const measured = record.operations.flatMap((operation) => {
    // The time until a missing response is not latency.
    const responses = Object.entries(operation.statuses).some(([status, amount]) => status !== 'failed' && amount > 0);
    const latency = responses ? latencyOf(operation.durations) : undefined;
    return latency === undefined ? [] : [{ operation, latency }];
  });
  if (measured.length === 0) return '';
  const scale = scaleOf(measured.flatMap(({ operation }) => operation.durations));
  return html`<section id="latency"><h2>Latency by operation</h2>
<div class="plots">${measured.map(({ operation, latency }) => plot(operation, { latency, scale }))}</div></section>`;
}

function plot(operation: OperationStatistics, { latency, scale }: { readonly latency: Latency; readonly scale: Scale }): Markup {
  const name = oneLine(operation.operation, 60);
  const marks = (['p50', 'p95', 'p99'] as const).map((key) => ({ key, value: latency[key] }));
  const said = marks.map(({ key, value }) => `${key} ${latencyText(value)}`).join(', ');
  const statuses = Object.entries(operation.statuses)
    .slice(0, 12)
    .map(([status, amount]) => `${amount} × ${oneLine(status, 20)}`);
  return html`<figure class="plot"><figcaption><b>${name}</b> ${count(operation.requests, 'request')}</figcaption>
${
  operation.durations.length >= FEWEST_FOR_A_PICTURE &&
  html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`Histogram of ${name}: ${said}`}">
${bars(operation.durations, scale)}
<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${BASE}" y2="${BASE}"/>
${scale.ticks.map((tick) => html`<text class="tick" x="${at(scale.x(tick))}" y="${BASE + 14}">${tickText(tick)}</text>`)}
${marks.map(({ key, value }, row) => percentileMark(key, { x: scale.x(value), row }))}
</svg>`
}
<p class="aside">${said}</p><p class="aside">${statuses.join(', ')}</p></figure>`;
}

function percentileMark(key: string, { x, row }: { readonly x: number; readonly row: number }): Markup {
  const y = 10 + row * 10;
  const late = x > WIDTH - 60;
  return html`<line class="percentile ${key}" x1="${at(x)}" x2="${at(x)}" y1="${y - 7}" y2="${BASE}"/><text class="percentile" x="${at(late ? x - 3 : x + 3)}" y="${y}" text-anchor="${late ? 'end' : 'start'}">${key}</text>`;
}

function bars(durations: readonly number[], scale: Scale): readonly Markup[] {
  const bins = Array.from({ length: BINS }, () => 0);
  const span = WIDTH - LEFT - RIGHT;
  for (const value of durations) {
    const bin = Math.min(BINS - 1, Math.floor(((scale.x(value) - LEFT) / span) * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const most = Math.max(...bins);
  return bins.flatMap((amount, index) => {
    if (amount === 0) return [];
    const height = Math.max(1.5, (amount / most) * (BASE - TOP));
    const x = LEFT + (index * span) / BINS;
    return [html`<rect class="bar" x="${at(x + 0.5)}" y="${at(BASE - height)}" width="${at(span / BINS - 1)}" height="${at(height)}"/>`];
  });
}

function scaleOf(durations: readonly number[]): Scale {
  const positive = durations.reduce((least, value) => Math.min(least, Math.max(value, 0.1)), Number.POSITIVE_INFINITY);
  const greatest = durations.reduce((most, value) => Math.max(most, value), 0.2);
  const all = Array.from({ length: 9 }, (_, power) => STEPS.map((step) => step * 10 ** (power - 1))).flat();
  const low = all.findLast((step) => step <= positive) ?? 0.1;
  const high = all.find((step) => step > Math.max(greatest, low)) ?? greatest;
  const between = all.filter((step) => step >= low && step <= high);
  const ticks = between.length <= 9 ? between : between.filter((step) => /^0?\.?0*1/.test(String(step)));
  const ratio = Math.log(high / low);
  const x = (value: number): number => LEFT + (Math.log(Math.min(high, Math.max(low, value)) / low) / ratio) * (WIDTH - LEFT - RIGHT);
  return { low, high, ticks, x };
}

function tickText(milliseconds: number): string {
  return milliseconds < 1_000 ? String(milliseconds) : `${milliseconds / 1_000} s`;
}

/** Rounded coordinates, so that the same record gives the same bytes everywhere. */
function at(coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10);
}
