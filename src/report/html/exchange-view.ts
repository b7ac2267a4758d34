// An exchange in the page: the request and its response side by side, and the sequence that leads to it.

import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import { headerLines, responseLine } from '../failure-block.ts';
import { layOutJson, locatePointer } from '../json-text.ts';
import { codeSpans, count, LONGEST_COMMAND, oneLine, plain } from '../text.ts';
import { curlCommand } from '../try-command.ts';
import { html, type Markup } from './page.ts';

const LONGEST_BODY = 6_000;
const SHOWN_LINES = 44;

/** With the broken part of the body marked. */
export function exchangeView(exchange: RedactedExchange, pointer: string | undefined): Markup {
  const { answer: response } = exchange;
  return html`<div class="exchange">
<figure><figcaption>Request <span class="aside">no. ${exchange.number}, with ${oneLine(exchange.credential, 120)}</span></figcaption>
<pre><b>${oneLine(exchange.method, 20)} ${oneLine(exchange.url)}</b>
${headers(exchange.requestHeaders)}${exchange.requestBody === undefined ? '' : bodyView(exchange.requestBody, undefined)}</pre></figure>
<figure><figcaption>Response <span class="aside">${responseLine(exchange)}</span></figcaption>
${
  response.kind === 'failed'
    ? html`<pre class="broken">${plain(response.message)}</pre>`
    : html`<pre><b>${response.status}</b>
${headers(response.headers)}${responseBody(response, pointer)}</pre>`
}</figure>
</div>
${againView(exchange)}`;
}

function againView(exchange: RedactedExchange): Markup | string {
  const command = curlCommand(exchange);
  // How to find it in the logs of a server.
  const trace = exchange.trace === undefined ? '' : html`Trace ${oneLine(exchange.trace, 300)}<br>`;
  if (command !== undefined) return commandView(html`${trace}Send it again`, command);
  return trace === '' ? '' : html`<div class="command"><span class="aside">${trace}</span></div>`;
}

/** One line of prose with what is between backticks as code. */
export function withCode(text: string): Markup {
  return html`${codeSpans(oneLine(text)).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

export function commandView(purpose: Markup | string, command: string): Markup {
  return html`<div class="command"><span class="aside">${purpose}</span><pre><code>${plain(command, LONGEST_COMMAND)}</code></pre></div>`;
}

/** The requests that lead to the wrong response, one per line; the last one is shown in full. */
export function sequenceView(exchanges: readonly RedactedExchange[]): Markup {
  const shown = exchanges.slice(-30);
  const hidden = exchanges.length - shown.length;
  const rows = shown.map((exchange) => {
    const { answer: response } = exchange;
    return html`<li value="${exchange.number}"><code>${oneLine(`${exchange.method} ${exchange.url}`, 300)}</code>${
      exchange.requestBody === undefined ? '' : html` <code class="sent">${oneLine(exchange.requestBody, 300)}</code>`
    } <b>${response.kind === 'answered' ? String(response.status) : oneLine(response.reason, 40)}</b></li>`;
  });
  return html`<div class="sequence"><span class="aside">The shortest sequence that shows it${hidden > 0 ? `, without its first ${hidden}` : ''}</span><ol>${rows}</ol></div>`;
}

function headers(list: RedactedExchange['requestHeaders']): Markup {
  return html`<span class="headers">${headerLines(list).join('\n')}</span>\n`;
}

type CompleteResponse = Extract<RedactedExchange['answer'], { kind: 'answered' }>;

function responseBody({ body, size }: CompleteResponse, pointer: string | undefined): Markup | string {
  if (body === undefined) return size === 0 ? '' : html`\n<i>${count(size, 'byte')} that are not UTF-8</i>`;
  return body === '' ? '' : bodyView(body, pointer);
}

function bodyView(body: string, pointer: string | undefined): Markup {
  const text = layOutJson(plain(body, LONGEST_BODY));
  const span = pointer === undefined ? undefined : locatePointer(text, pointer);
  if (span === undefined) return html`\n${around(text, 0, SHOWN_LINES)}`;
  const [before, marked, after] = [text.slice(0, span.from), text.slice(span.from, span.to), text.slice(span.to)];
  const room = Math.max(6, SHOWN_LINES - lines(marked));
  return html`\n${lastLines(before, Math.ceil(room / 2))}<mark>${around(marked, 0, SHOWN_LINES)}</mark>${around(after, 0, Math.floor(room / 2))}`;
}

function lines(text: string): number {
  return text.split('\n').length;
}

function around(text: string, from: number, most: number): Markup {
  const all = text.split('\n');
  const hidden = all.length - most;
  const shown = all.slice(from, from + most).join('\n');
  return hidden > 1 ? html`${shown}\n<i>… ${count(hidden, 'more line')}</i>` : html`${text}`;
}

function lastLines(text: string, most: number): Markup {
  const all = text.split('\n');
  const hidden = all.length - most;
  return hidden > 1 ? html`<i>… ${count(hidden, 'line')} before</i>\n${all.slice(hidden).join('\n')}` : html`${text}`;
}
