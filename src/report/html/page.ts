// What every HTML page of reports has: escaped markup, and the style sheet.

import { createHash } from 'node:crypto';
import { raw, html as template } from 'hono/html';
import { cleanText } from '../../wire/redact.ts';

/** HTML that is already escaped; created only by `html`. */
export type Markup = { readonly isEscaped: true; toString(): string };

/** Allowed parts of a template: texts are cleaned and escaped, markup is inserted as is, false is nothing. */
type Part = string | number | false | undefined | Markup | readonly (string | Markup | false)[];

/** A piece of HTML. Every text in it is escaped here and nowhere else. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const made = template(strings, ...parts.map(clean));
  if (made instanceof Promise) throw new TypeError('a template of a report has nothing to wait for');
  return made;
}

function clean(part: Part): unknown {
  if (typeof part === 'string') return cleanText(part, Number.POSITIVE_INFINITY);
  return Array.isArray(part) ? part.map(clean) : part;
}

/** The only style sheet. Colors are pairs with a contrast of at least 4.5 to 1 in both themes; signs say the same as colors. */
const STYLES = `
:root {
  color-scheme: light dark;
  --paper: #fbfbf9; --card: #ffffff; --ink: #1b1f24; --quiet: #57606a; --line: #d9dce0; --code: #f3f3ef; --link: #0b57b0;
  --pass: #12652f; --pass-soft: #e4f2e7; --fail: #b3261e; --fail-soft: #fbe9e7; --on-fail: #ffffff;
  --inconclusive: #7a4d00; --inconclusive-soft: #fcf0d4; --observed: #3c5468; --observed-soft: #e9eef3;
  --warn: #8a5800; --on-warn: #ffffff; --waived: #6236a8; --waived-soft: #f0e9fa; --mark: #ffd9d3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --card: #1b1f25; --ink: #e7e9ec; --quiet: #a3acb7; --line: #343a43; --code: #12151a; --link: #82b7ff;
    --pass: #7fd699; --pass-soft: #173322; --fail: #ff8f85; --fail-soft: #3b1a19; --on-fail: #2a0806;
    --inconclusive: #f0c35a; --inconclusive-soft: #392b0c; --observed: #a9c2d8; --observed-soft: #232d37;
    --warn: #f0c35a; --on-warn: #2b1d00; --waived: #c7a8ff; --waived-soft: #2e2344; --mark: #6b2420;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 3vw, 2.5rem) 4rem; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0; }
h1 { font-size: clamp(2rem, 6vw, 3.25rem); line-height: 1.1; letter-spacing: -0.02em; }
h2 { font-size: 1.35rem; line-height: 1.25; margin-bottom: 0.9rem; }
h3 { font-size: 1rem; } h4 { font-size: 1.05rem; margin-bottom: 0.6rem; }
section { margin-top: 2.75rem; }
code, pre { font: 0.8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
a { color: var(--link); } a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
bdi, code, pre, td, dd { unicode-bidi: isolate; }
.aside { color: var(--quiet); font-size: 0.875rem; font-weight: 400; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.verdict { border-radius: 10px; padding: 1.5rem 1.75rem; border-left: 10px solid; }
.verdict.good { background: var(--pass-soft); border-color: var(--pass); } .good h1 { color: var(--pass); }
.verdict.bad { background: var(--fail-soft); border-color: var(--fail); } .bad h1 { color: var(--fail); }
.verdict.unsure { background: var(--inconclusive-soft); border-color: var(--inconclusive); } .unsure h1 { color: var(--inconclusive); }
.kicker { font-size: 0.875rem; margin-bottom: 0.25rem; }
.headline { font-size: 1.125rem; margin-top: 0.4rem; } h2.headline { margin: 1rem 0 0.2rem; } .verdict .command { margin-top: 0.5rem; }
.reasons { margin-top: 0.6rem; padding-left: 1.2rem; }

.facts dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 0.35rem 2rem; margin-top: 1.1rem; }
.facts dl div { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0.75rem; border-top: 1px solid var(--line); padding-top: 0.35rem; font-size: 0.9375rem; }
dt { color: var(--quiet); } dd { min-width: 0; }
.tallies { list-style: none; margin-top: 1.25rem; display: flex; flex-wrap: wrap; gap: 0.6rem; }
.tallies li { flex: 1 1 7rem; background: var(--card); border: 1px solid var(--line); border-top: 4px solid currentColor; border-radius: 8px; padding: 0.5rem 0.9rem 0.6rem; font-size: 0.9375rem; }
.tallies b { display: block; font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tallies li.zero:is(*, .passed, .failed) { color: var(--quiet); border-top-color: var(--line); }
:is(.tallies li, .mark).passed { color: var(--pass); } :is(.tallies li, .mark).failed { color: var(--fail); } :is(.tallies li, .mark):is(.inconclusive, .warning) { color: var(--inconclusive); }
:is(.tallies li, .mark):is(.observed, .not-applicable) { color: var(--observed); } :is(.tallies li, .mark).waived { color: var(--waived); }
.notices { margin-top: 1rem; padding: 0.7rem 1rem 0.7rem 2.1rem; background: var(--inconclusive-soft); border-radius: 8px; }

.matrix { table-layout: fixed; width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: 10px; border-spacing: 0; }
.matrix th, .matrix td { text-align: left; vertical-align: top; padding: 0.55rem 0.7rem; border-bottom: 1px solid var(--line); }
.matrix tbody tr:last-child > * { border-bottom: 0; }
.matrix thead th { font-size: 0.9375rem; } .matrix thead span { display: block; font-weight: 400; font-size: 0.8125rem; color: var(--quiet); }
.matrix tbody th { font-weight: 600; }
.matrix th:nth-child(1) { width: 10.25rem; } .matrix th:nth-child(3) { width: 22%; } .matrix th:nth-child(4) { width: 17.5%; } .matrix th:nth-child(5) { width: 22%; }
.matrix td li { max-width: 100%; } .matrix td ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem; }
.tile { display: inline-block; max-width: 100%; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; vertical-align: top; border-radius: 5px; padding: 0.1rem 0.4rem; font-size: 0.8125rem; line-height: 1.45; text-decoration: none; border: 1px solid transparent; }
a.tile:hover { text-decoration: underline; }
.tile.passed { background: var(--pass-soft); color: var(--pass); }
.tile.failed { background: var(--fail); color: var(--on-fail); font-weight: 700; }
.tile.warning { background: var(--warn); color: var(--on-warn); font-weight: 700; }
.tile.inconclusive { background: var(--inconclusive-soft); color: var(--inconclusive); border: 1px dashed currentColor; }
.tile:is(.observed, .not-applicable) { background: var(--observed-soft); color: var(--observed); }
.tile.waived { background: var(--waived-soft); color: var(--waived); border-color: currentColor; }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin-top: 0.7rem; font-size: 0.875rem; color: var(--quiet); }

.skip { position: absolute; left: -100vw; top: 0; background: var(--card); padding: 0.5rem 1rem; z-index: 1; } .skip:focus { left: 0; }
[hidden] { display: none !important; }
main > nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin-top: 1.4rem; padding: 0.6rem 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.top { margin-top: 2.5rem; }
.causes { padding-left: 1.4rem; margin-top: 0.4rem; } .causes li { margin-top: 0.5rem; }
.waits { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 0.6rem; font-size: 0.8125rem; color: var(--fail); white-space: nowrap; }

.toolbar { display: flex; flex-wrap: wrap; gap: 0.6rem 1.4rem; align-items: center; margin-bottom: 1rem; }
.toolbar label { display: flex; gap: 0.5rem; align-items: center; font-size: 0.9375rem; max-width: 100%; }
.toolbar :is(select, input) { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--quiet); border-radius: 6px; padding: 0.3rem 0.5rem; min-width: 0; max-width: 100%; }
.toolbar input { width: 17rem; } .toolbar :is(select, input):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.chapter { margin-top: 0.6rem; } .chapter h3 { display: inline; } div.chapter > h3 { display: block; margin-bottom: 0.5rem; }
details.chapter { border-top: 1px solid var(--line); padding-top: 0.3rem; margin-top: 0; } div.chapter { margin-bottom: 1.4rem; }
.item { background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--line); border-radius: 8px; margin-top: 0.5rem; }
.item.failed { border-left-color: var(--fail); } .item.warning { border-left-color: var(--warn); } .item.waived { border-left-color: var(--waived); }
.item > summary { display: grid; grid-template-columns: 1.6rem minmax(0, 17rem) minmax(0, 1fr); gap: 0 0.6rem; padding: 0.5rem 0.9rem 0.5rem 0.5rem; font-weight: 400; list-style: none; align-items: baseline; }
.item > summary::-webkit-details-marker { display: none; } .item > summary:hover { background: var(--code); border-radius: 8px; }
.item .gist::after { content: " ▸"; color: var(--quiet); } .item[open] > summary .gist::after { content: " ▾"; }
.item .name code { font-weight: 700; } .item.failed .name code { color: var(--fail); } .item .gist { font-size: 0.9375rem; }
.item:target { outline: 2px solid var(--link); } .item:target::details-content { content-visibility: visible; block-size: auto; }
.inside { padding: 0.2rem 1.1rem 1rem 1.1rem; border-top: 1px solid var(--line); }
.item dl { display: grid; gap: 0.3rem; margin-top: 0.7rem; font-size: 0.9375rem; } .item dl div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0.75rem; }
.inside h4 { font-size: 1rem; margin: 1.1rem 0 0.3rem; }
.case { border-top: 1px solid var(--line); margin: 0; padding: 0.15rem 0; } .cases { border-bottom: 1px solid var(--line); } .case > summary { font-weight: 400; } .case .quiet { color: var(--quiet); }
.case[open] { padding-bottom: 1rem; } .case .found { font-weight: 600; margin-top: 0.4rem; }
.musts { list-style: none; margin-top: 0.8rem; font-size: 0.9375rem; } .musts li { padding-left: 1.6rem; text-indent: -1.6rem; }
.fold { border-top: 1px solid var(--line); margin: 0; } .fold > summary { font-weight: 400; padding: 0.45rem 0; } .named { padding: 0 0 0.8rem 1.4rem; font-size: 0.9375rem; }
.sequence { margin-top: 0.8rem; } .sequence ol { padding-left: 2.6rem; } .sequence li::marker { color: var(--quiet); font-size: 0.8125rem; }
.sequence .sent { color: var(--quiet); }
.exchange { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.9rem; margin-top: 0.9rem; align-items: start; }
figcaption { font-weight: 600; margin-bottom: 0.3rem; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
pre .headers, pre i { color: var(--quiet); font-style: normal; }
pre.broken { color: var(--fail); }
mark { background: var(--mark); color: inherit; border-radius: 3px; outline: 2px solid var(--fail); outline-offset: 1px; }
.command { margin-top: 0.7rem; } .command pre { user-select: all; -webkit-user-select: all; margin-top: 0.2rem; }

.rows { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); font-size: 0.9375rem; }
.rows th, .rows td { text-align: left; vertical-align: top; padding: 0.4rem 0.7rem; border-bottom: 1px solid var(--line); }
.rows td { min-width: 6rem; }
.animals { list-style: none; columns: 17rem; column-gap: 1.5rem; font-size: 0.875rem; margin: 0.6rem 0; }
details { margin-top: 0.5rem; } summary { cursor: pointer; padding: 0.3rem 0; font-weight: 600; }
.mark { display: inline-block; width: 1.5rem; text-indent: 0; text-align: center; font-weight: 700; }

@media screen and (max-width: 52rem) {
  .exchange { grid-template-columns: minmax(0, 1fr); }
  .matrix, .matrix tbody, .matrix tr, .matrix td, .matrix tbody th { display: block; width: auto; border: 0; }
  .matrix thead { display: none; } .matrix { border: 1px solid var(--line); }
  .matrix tbody tr { padding: 0.6rem 0.8rem; border-bottom: 1px solid var(--line); }
  .matrix tbody tr:last-child { border-bottom: 0; }
  .matrix tbody th, .matrix td { padding: 0.15rem 0; } .matrix td.none { display: none; }
  .matrix td::before { content: attr(data-level); display: block; font-size: 0.75rem; color: var(--quiet); }
}
@media screen and (max-width: 34rem) {
  .verdict { padding: 1.1rem 1.1rem 1.2rem; } .inside { padding: 0.2rem 0.8rem 0.8rem; }
  .item > summary { grid-template-columns: 1.6rem minmax(0, 1fr); } .item .gist { grid-column: 2; }
  .toolbar label { width: 100%; } .toolbar :is(select, input) { flex: 1; }
  .facts dl div, .item dl div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .tallies li { flex-basis: 6.4rem; padding: 0.4rem 0.5rem; font-size: 0.875rem; }
  .rows, .rows tbody, .rows tr, .rows td { display: block; } .rows thead { display: none; }
  .rows tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0.7rem; } .rows td { border: 0; padding: 0.1rem 0; }
}
@media print {
  :root { --paper: #fff; --code: #fff; }
  html { font-size: 11.5px; } main { max-width: none; padding: 0; } section { margin-top: 1.5rem; }
  .skip, main > nav, .toolbar, .top { display: none; }
  figure, .rows tr, .matrix tr, .item > summary { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  :is(.chapter, .fold, .item:is(.failed, .warning, .waived), .case:first-child)::details-content { content-visibility: visible; block-size: auto; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

export type PageParts = {
  readonly title: string;
  /** Styles of this page, after those of every page. */
  readonly styles: string;
  /** What the first link leads to: an id, and its words. */
  readonly skip: { readonly id: string; readonly title: string } | undefined;
  readonly content: Markup;
  readonly script?: string;
};

/** A page that needs no network. Nothing may be loaded, sent, or framed; its only style sheet and its only script are allowed by their hashes. */
export function writePage({ title, styles, skip, content, script }: PageParts): string {
  const sheet = `${STYLES}${styles}`;
  const ofScript = script === undefined ? '' : `script-src ${hashOf(script)}; `;
  const policy = `default-src 'none'; style-src ${hashOf(sheet)}; ${ofScript}base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${raw(sheet)}</style>
</head>
<body id="top">
${skip !== undefined && html`<a class="skip" href="#${skip.id}">Skip to ${skip.title}</a>`}
<main>
${content}
<p class="top"><a href="#top">Back to the top</a></p>
</main>
${script !== undefined && html`<script>${raw(script)}</script>\n`}</body>
</html>
`;
  return page.toString();
}
