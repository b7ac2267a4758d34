// What the pictures of the report have in common: positions along their width, times, and styles. They are SVG without a script or another file.

import type { Markup } from './page.ts';
import { html } from './page.ts';

/** Positions along the width, at any width: what must keep its form is placed by percentages, and what may be stretched by these. */
export const WIDTH = 1_000;

/** A share of the width, 0 to 1, as a percentage. */
export const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

/** A share of the width in a stretched picture. */
export const along = (share: number): number => Math.round(share * WIDTH * 10) / 10;

/** Seconds of the run, with as many decimals as tell moments apart in a span of so many milliseconds: `1.25 s`. */
export function moment(milliseconds: number, span: number): string {
  const seconds = (milliseconds / 1_000).toFixed(span < 300 ? 3 : span < 3_000 ? 2 : span < 60_000 ? 1 : 0);
  return `${Number(seconds) === 0 ? 0 : seconds} s`;
}

/** A part that is stretched to the whole width: bars and ticks, whose strokes are not. */
export const stretched = ({ y, height }: { readonly y: number; readonly height: number }, content: Markup | readonly Markup[]): Markup =>
  html`<svg y="${y}" height="${height}" width="100%" viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none">${content}</svg>`;

export const PICTURE_STYLES = `
.picture { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1.1rem; }
.picture svg { display: block; width: 100%; overflow: visible; } .picture svg svg { overflow: visible; }
.picture text { font-size: 0.8125rem; fill: var(--quiet); } .picture path { fill: none; vector-effect: non-scaling-stroke; }
.picture figcaption { font-weight: 400; font-size: 0.9375rem; margin: 0.8rem 0 0; }
.picture .keys { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; list-style: none; margin-top: 0.4rem; font-size: 0.875rem; color: var(--quiet); }
.picture .keys li { display: flex; align-items: center; gap: 0.4rem; } .picture .keys svg { flex: none; width: 1.5rem; }
.picture .band { fill: var(--code); } .picture .band.odd { fill: none; } .picture .edge { stroke: var(--line); }
.picture .listPets { stroke-width: 6px; } .picture .createPet { stroke-width: 9px; } .picture .createPet.taken { stroke: var(--link); } .picture .getPet { stroke-width: 3px; }
.picture .taken { stroke: var(--observed); } .picture .rejected { stroke: var(--observed); opacity: 0.45; } .picture .failed { stroke: var(--warn); }
.picture path.wrong { stroke: var(--fail); stroke-width: 13px; } .picture path.tick { stroke: var(--fail); stroke-width: 2px; }
.tracks { list-style: none; margin-top: 0.3rem; } .tracks a { display: block; text-decoration: none; border-top: 1px solid var(--line); padding: 0.2rem 0 0.35rem; }
.tracks a code { text-decoration: underline; }
.picture .named { columns: 15rem; }
.life .line { stroke: var(--line); } .life .track { fill: var(--fail-soft); } .life text.bad { fill: var(--fail); font-weight: 700; }
.life .seen { fill: var(--pass); stroke: none; } .life path.missing { stroke: var(--quiet); stroke-width: 2px; } .life path.changed { fill: var(--quiet); }
.life .off path.missing { stroke: var(--fail); stroke-width: 3px; } .life .off :is(.seen, path.changed) { fill: var(--fail); } .life .off .halo { fill: none; stroke: var(--fail); }
.life .keys svg { width: 1.2rem; height: 1.2rem; }
.life ul.told { padding-left: 1.2rem; margin-top: 0.3rem; }
@media screen and (max-width: 52rem) { .picture { padding: 0.7rem; } .picture .title { display: none; } }
@media print { .picture { break-inside: avoid; } .picture .band:not(.odd) { fill: var(--observed-soft); } }
`;
