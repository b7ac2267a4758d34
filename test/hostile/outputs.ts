import { XMLValidator } from 'fast-xml-parser';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { leaks } from '../secrets/spellings.ts';
import { HOSTILE_KEY } from './attacker.ts';

/** Where attackers' links and images lead, and the names of their elements: an output may show both, but only as text. */
export const EVIL_HOST = 'evil.example';
export const EVIL_ELEMENT = 'evil-element';

/** Control characters except line breaks and tabs, and characters that change the direction of a text or are invisible. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]/u;
const ORDER = /^\s*::.*::|##(?:vso|teamcity|[a-z]*)\[/im;
const ACTS = new RegExp(`<[^>]*${EVIL_HOST.replace('.', '\\.')}|<${EVIL_ELEMENT}|<[^>]*\\son\\w+\\s*=`, 'i');

function htmlOf(name: string, text: string): string | undefined {
  if (name.endsWith('.html')) return text;
  if (!name.endsWith('.md')) return undefined;
  return micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

function parses(name: string, text: string): string[] {
  if (/\.(?:json|har)$/.test(name)) {
    try {
      JSON.parse(text);
    } catch (error) {
      return [`${name} is not JSON: ${String(error)}`];
    }
  }
  if (!name.endsWith('.xml')) return [];
  const valid = XMLValidator.validate(text);
  return valid === true ? [] : [`${name} is not XML: ${valid.err.msg}`];
}

/**
 * What is wrong with an output, whatever a service has sent: it contains the key, is not a valid document, or contains something active
 * from the service.
 */
export function outputProblems(name: string, text: string): readonly string[] {
  const html = htmlOf(name, text);
  const unseen = UNSEEN.exec(text);
  return [
    ...leaks(name, text, HOSTILE_KEY).slice(0, 3),
    ...parses(name, text),
    ...(unseen === null ? [] : [`${name} has ${JSON.stringify(text.slice(Math.max(0, unseen.index - 30), unseen.index + 30))}`]),
    ...(name === 'output' && ORDER.test(text) ? [`${name} gives an order: ${ORDER.exec(text)?.[0]}`] : []),
    ...(html !== undefined && ACTS.test(html) ? [`${name} acts: ${ACTS.exec(html)?.[0].slice(0, 200)}`] : []),
  ];
}
