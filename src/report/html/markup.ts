import { html as template } from 'hono/html';
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
