// The life of an animal: what each place showed of it, and when.

import { type ReportedLife, type ReportedSight, SIGHT_PLACES, type SightPlace } from '../../clause/clause-record.ts';
import { oneLine, thousands } from '../text.ts';
import { html, type Markup } from './page.ts';
import { moment, percent } from './pictures.ts';

const PLACES: Readonly<Record<SightPlace, string>> = {
  creation: 'The response to its creation',
  list: 'Lists',
  filtered: 'Lists with a status',
  read: 'Reads',
};
type Shows = ReportedSight['shows'];
const SHOWS: readonly Shows[] = ['the animal', 'another value', 'no animal'];
const VERBS: Readonly<Record<Shows, string>> = {
  'the animal': 'showed it',
  'another value': 'showed another value',
  'no animal': 'did not show it',
};

/** Heights, in CSS pixels; the share of the width that each margin takes; and between which shares two times are written. */
const [ROW, LABEL, MARK, AXIS, MARGIN, APART] = [44, 15, 30, 20, 0.03, 0.2];
const MOST_SIGHTS = 60;
/** How much of the width the order takes, so that moments close to each other stay apart. The rest is to scale. */
const ORDER = 0.6;
const NAMED = 3;
/** In place of JSON. */
const NONE = 'none';

type Placed = { readonly sight: ReportedSight; readonly x: number };

function placed(sights: readonly ReportedSight[]): readonly Placed[] {
  const [from, to] = [sights[0]?.at ?? 0, sights.at(-1)?.at ?? 0];
  return sights.map((sight, index) => {
    const inOrder = index / Math.max(1, sights.length - 1);
    const inTime = (sight.at - from) / Math.max(1, to - from);
    return { sight, x: MARGIN + (1 - 2 * MARGIN) * (ORDER * inOrder + (1 - ORDER) * inTime) };
  });
}

const spanOf = (sights: readonly ReportedSight[]): number => (sights.at(-1)?.at ?? 0) - (sights[0]?.at ?? 0);

function shownText({ shows, other, place, status }: ReportedSight): string {
  if (shows === 'another value' && other !== undefined) {
    const member = oneLine(other.member, 40);
    const received = other.shown === NONE ? `no ${member}` : `${member} ${oneLine(other.shown, 80)}`;
    return `${received}, not ${oneLine(other.sent, 80)}`;
  }
  if (shows === 'no animal') return place === 'read' ? String(status) : 'without the animal';
  return place === 'read' || place === 'creation' ? `${status} with the animal` : 'with the animal';
}

const sightText = (sight: ReportedSight, span: number): string =>
  `no. ${sight.exchange} at ${moment(sight.at, span)}, ${oneLine(sight.asked, 120)}: ${shownText(sight)}`;

/** A disc where it was shown, a cross where it was not, a diamond where it had another value. */
const SHAPES: Readonly<Record<Shows, Markup>> = {
  'the animal': html`<circle class="seen" r="5"/>`,
  'no animal': html`<path class="missing" d="M-4-4l8 8M4-4l-8 8"/>`,
  'another value': html`<path class="changed" d="M0-6l6 6-6 6-6-6z"/>`,
};
/** Around what breaks the clause. */
const HALO = html`<circle class="halo" r="9"/>`;

function markView({ sight, x }: Placed, y: number, span: number): Markup {
  const isWrong = sight.isWrong === true;
  return html`<svg x="${percent(x)}" y="${y}"${isWrong && html` class="off"`}><title>${sightText(sight, span)}</title>${isWrong && HALO}${SHAPES[sight.shows]}</svg>`;
}

function keysView(sights: readonly ReportedSight[]): Markup {
  const key = (shape: Markup, words: string): Markup =>
    html`<li><svg viewBox="-10 -10 20 20" aria-hidden="true">${shape}</svg>${words}</li>`;
  const shown = SHOWS.filter((shows) => sights.some((one) => one.shows === shows));
  return html`<ul class="keys" aria-label="What the marks mean">${shown.map((shows) => key(SHAPES[shows], VERBS[shows]))}${key(html`<g class="off">${HALO}</g>`, 'breaks the requirement')}</ul>`;
}

function rowView(place: SightPlace, all: readonly Placed[], { y, span }: { readonly y: number; readonly span: number }): Markup {
  const own = all.filter(({ sight }) => sight.place === place);
  const isBad = own.some(({ sight }) => sight.isWrong === true);
  const title = PLACES[place];
  return html`${isBad && html`<rect class="track" x="0" y="${y}" width="100%" height="${ROW - 2}" rx="6"/>`}<text x="1%" y="${y + LABEL}"${isBad && html` class="bad"`}>${title}${isBad && ': wrong'}</text>
<line class="line" x1="1%" x2="99%" y1="${y + MARK}" y2="${y + MARK}"/>${own.map((one) => markView(one, y + MARK, span))}`;
}

function axisView(all: readonly Placed[], { y, span }: { readonly y: number; readonly span: number }): readonly Markup[] {
  const labels: Placed[] = [];
  const end = all.at(-1);
  for (const one of all) {
    const before = labels.at(-1);
    const hasRoom = before === undefined || (one.x - before.x > APART && (end === undefined || one === end || end.x - one.x > APART));
    if (hasRoom) labels.push(one);
  }
  return labels.map(({ sight, x }, index) => {
    const anchor = index === 0 ? 'start' : sight === end?.sight ? 'end' : 'middle';
    return html`<text x="${percent(index === 0 ? 0.01 : x)}" y="${y + 14}" text-anchor="${anchor}">${moment(sight.at, span)}</text>`;
  });
}

const amountOf = (sights: readonly ReportedSight[]): number => sights.reduce((sum, { times = 1 }) => sum + times, 0);

/** `2 of 7 showed it, 5 did not show it`. */
function countsText(own: readonly ReportedSight[]): string {
  const all = amountOf(own);
  const counts = SHOWS.map((shows) => ({ shows, amount: amountOf(own.filter((one) => one.shows === shows)) })).filter(
    ({ amount }) => amount > 0,
  );
  const [only, ...others] = counts;
  if (only === undefined) return '';
  if (others.length > 0)
    return counts
      .map(({ shows, amount }, index) => `${thousands(amount)}${index === 0 ? ` of ${thousands(all)}` : ''} ${VERBS[shows]}`)
      .join(', ');
  if (all === 1) return `the only one ${VERBS[only.shows]}`;
  return only.shows === 'no animal' ? `none of ${thousands(all)} showed it` : `all ${thousands(all)} ${VERBS[only.shows]}`;
}

/** `Lists: 2 of 7 showed it, 5 did not show it. Wrong: no. 140 at 1.31 s, …`. */
function placeText(place: SightPlace, sights: readonly ReportedSight[], span: number): readonly string[] {
  const own = sights.filter((one) => one.place === place);
  const wrong = own.filter(({ isWrong }) => isWrong === true);
  if (own.length === 0 || (place === 'creation' && wrong.length === 0)) return [];
  const named = wrong.slice(0, NAMED).map((sight) => sightText(sight, span));
  const more = amountOf(wrong) - named.length;
  const told = wrong.length === 0 ? '' : ` Wrong: ${named.join('; ')}${more === 0 ? '' : `; and ${thousands(more)} more`}.`;
  return [`${PLACES[place]}: ${countsText(own)}.${told}`];
}

function birthText({ id, sent, sights, of }: ReportedLife, span: number): string {
  const [first] = sights;
  const values = sent && [
    `name ${oneLine(sent.name, 80)}`,
    `categoryId ${oneLine(sent.categoryId, 80)}`,
    ...(sent.status === undefined ? [] : [`status ${oneLine(sent.status, 80)}`]),
  ];
  const born =
    values === undefined || first === undefined
      ? `Animal ${oneLine(id, 40)} was there before the run.`
      : `Animal ${oneLine(id, 40)} was created with ${values.join(', ')} (no. ${first.exchange} at ${moment(first.at, span)}).`;
  return of > sights.length
    ? `${born} ${sights.length} of the ${thousands(of)} responses that tell of it are drawn, with each change.`
    : born;
}

/** `anchor`: an id in the page that is the clause's own. */
export function lifeView(life: ReportedLife, anchor: string): Markup {
  const sights = life.sights.slice(0, MOST_SIGHTS);
  const span = spanOf(sights);
  const all = placed(sights);
  const places = SIGHT_PLACES.filter((place) => sights.some((one) => one.place === place));
  const height = places.length * ROW;
  const told = places.flatMap((place) => placeText(place, sights, span));
  return html`<h4>What was seen of animal ${oneLine(life.id, 40)}, and when</h4>
<figure class="picture life"><svg height="${height + AXIS}" role="img" aria-labelledby="${anchor}-life ${anchor}-words"><title id="${anchor}-life">What each place showed of animal ${oneLine(life.id, 40)}, in the order of sending</title>
${places.map((place, row) => rowView(place, all, { y: row * ROW, span }))}${axisView(all, { y: height, span })}</svg>
${keysView(sights)}
<figcaption id="${anchor}-words">${birthText(life, span)}<ul class="told">${told.map((one) => html`<li>${one}</li>`)}</ul></figcaption></figure>`;
}
