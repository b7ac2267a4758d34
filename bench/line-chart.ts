/** Points of one curve, in the units of the axes. */
export type Curve = { readonly label: string; readonly points: readonly (readonly [x: number, y: number])[] };

export type ChartOptions = {
  readonly title: string;
  readonly x: { readonly label: string; readonly most: number };
  readonly y: { readonly label: string; readonly most: number };
};

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 60;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 50;
const TICKS = 5;
/** Distinguishable with color blindness (Okabe and Ito), and by their dashes. */
const STROKES = [
  { color: '#0072b2', dashes: 'none' },
  { color: '#d55e00', dashes: '8 4' },
  { color: '#009e73', dashes: '2 3' },
  { color: '#cc79a7', dashes: '12 3 2 3' },
  { color: '#e69f00', dashes: '4 2' },
] as const;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A chart of curves, legible on light and dark pages: a standalone figure, with its title and its axes. */
export function lineChart(curves: readonly Curve[], { title, x, y }: ChartOptions): string {
  const right = WIDTH - RIGHT;
  const bottom = HEIGHT - BOTTOM;
  const across = (value: number): string => (LEFT + (Math.min(value, x.most) / x.most) * (right - LEFT)).toFixed(1);
  const up = (value: number): string => (bottom - (Math.min(value, y.most) / y.most) * (bottom - TOP)).toFixed(1);
  const ticks = Array.from({ length: TICKS + 1 }, (_unused, index) => index / TICKS);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#333">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${WIDTH / 2}" y="20" text-anchor="middle" font-size="14">${escaped(title)}</text>`,
    ...ticks.flatMap((part) => {
      const [column, row] = [across(part * x.most), up(part * y.most)];
      return [
        `<path d="M${LEFT} ${row}H${right}" stroke="#ddd"/>`,
        `<text x="${LEFT - 6}" y="${row}" text-anchor="end" dominant-baseline="middle">${Math.round(part * y.most)}</text>`,
        `<text x="${column}" y="${bottom + 16}" text-anchor="middle">${Math.round(part * x.most)}</text>`,
      ];
    }),
    `<text x="${(LEFT + right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(x.label)}</text>`,
    `<text transform="translate(14 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>`,
    ...curves.flatMap(({ label, points }, index) => {
      const { color, dashes } = STROKES[index % STROKES.length] ?? STROKES[0];
      const legend = bottom - 14 - 18 * (curves.length - 1 - index);
      const path = points.map(([one, other], at) => `${at === 0 ? 'M' : 'L'}${across(one)} ${up(other)}`).join('');
      return [
        `<path d="${path}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/>`,
        `<path d="M${right - 190} ${legend}h28" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/>`,
        `<text x="${right - 156}" y="${legend}" dominant-baseline="middle">${escaped(label)}</text>`,
      ];
    }),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}
