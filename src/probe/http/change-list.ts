import { html } from 'hono/html';
import type { Change } from '../changes/change.ts';
import { describeChange, describePublicly, labelOf } from '../changes/describe-change.ts';
import { cut, type Html, moment, type PageOptions } from './page-parts.ts';

const LONGEST_TEXT = 400;

/** What targets do differently from before: not failures, and nothing that alerts unless the configuration says so. */
export function changeList(
  changes: readonly Change[],
  options: PageOptions & { /** Whether each entry names its target. */ readonly named: boolean },
): Html {
  const item = (change: Change): Html => {
    const text = options.public ? describePublicly(change) : describeChange(change);
    const name = options.named ? html`<strong>${change.target}</strong> ` : '';
    return html`<li>${name}<span class="soft">${labelOf(change.kind)}, since</span> ${moment(change.since)}<br><span class="text">${cut(text, LONGEST_TEXT)}</span></li>`;
  };
  const list = changes.length === 0 ? html`<p>None.</p>` : html`<ul class="alerts">${changes.map(item)}</ul>`;
  return html`<section class="card" aria-label="Last changes"><h2>Last changes</h2>${list}</section>`;
}
