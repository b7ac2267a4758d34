import { CHAPTERS } from '../../clause/clause.ts';
import { STATUSES } from './clause-status.ts';

/** What the two filters hide, without a script: items with another status or chapter, and chapters without visible items. */
export const FILTER_STYLES = [
  ...STATUSES.map(
    (status) =>
      `body:has(#status > [value="${status}"]:checked) :is(.item:not(.${status}), .chapter:not(:has(.item.${status}))) { display: none; }`,
  ),
  ...CHAPTERS.map(
    (chapter) =>
      `body:has(#chapter > [value="${chapter}"]:checked) :is(.item:not([data-chapter="${chapter}"]), .chapter:not(:has(.item[data-chapter="${chapter}"]))) { display: none; }`,
  ),
  'body:has(.toolbar option:not([value=""]):checked) .chapter::details-content { content-visibility: visible; block-size: auto; }',
].join('\n');

/**
 * The only script of the page. It shows the search, counts matches, and opens the target of a link within the page. It reads the page and
 * sets `hidden`, `open`, and one text; nothing from a service becomes markup or code.
 */
export const SCRIPT = `
(() => {
  const get = (id) => document.getElementById(id);
  const [search, status, chapter, matches, nothing] = ['search', 'status', 'chapter', 'matches', 'nothing'].map(get);
  const reveal = () => {
    let id = '';
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && get(id);
    if (!target) return;
    for (let part = target.closest('details'); part; part = part.parentElement.closest('details')) part.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
  if (!search) return;
  for (const part of document.querySelectorAll('.scripted')) part.hidden = false;
  const items = [...document.querySelectorAll('.item')].map((item) => ({ item, text: item.textContent.toLowerCase() }));
  const chapters = [...document.querySelectorAll('.chapter')];
  const wasOpen = new Map();
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const { item, text } of items) {
      item.hidden = !words.every((word) => text.includes(word));
      const chosen = (!status.value || item.dataset.status === status.value) && (!chapter.value || item.dataset.chapter === chapter.value);
      if (!item.hidden && chosen) shown += 1;
    }
    for (const part of chapters) {
      part.hidden = !part.querySelector('.item:not([hidden])');
      if (part.tagName !== 'DETAILS') continue;
      if (!wasOpen.has(part)) wasOpen.set(part, part.open);
      part.open = words.length > 0 || wasOpen.get(part);
      if (words.length === 0) wasOpen.delete(part);
    }
    const all = items.length === 1 ? '1 requirement' : items.length + ' requirements';
    matches.textContent = shown === items.length ? all : shown + ' of ' + all;
    nothing.hidden = shown > 0;
  };
  for (const part of [search, status, chapter]) part.addEventListener('input', apply);
  apply();
})();
`;
