import { cleanText } from '../wire/redact.ts';
import { inertXml } from './inert.ts';

/** Undefined attributes are left out. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly children: readonly (XmlElement | string)[];
};

export function element(
  name: string,
  attributes: XmlElement['attributes'] = {},
  ...children: readonly (XmlElement | string)[]
): XmlElement {
  return { name, attributes, children };
}

/** A complete XML 1.0 document. All escaping happens here; characters that XML can't represent are spelled out. */
export function writeXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}\n`;
}

function write({ name, attributes, children }: XmlElement, indent: string): string {
  const start = `${indent}<${name}${Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${attribute(String(value))}"`))
    .join('')}`;
  if (children.length === 0) return `${start}/>`;
  if (children.every((child) => typeof child !== 'string')) {
    return `${start}>\n${children.map((child) => write(child, `${indent}  `)).join('\n')}\n${indent}</${name}>`;
  }
  return `${start}>${children.map((child) => (typeof child === 'string' ? escapeXml(child) : write(child, ''))).join('')}</${name}>`;
}

function escapeXml(text: string): string {
  return inertXml(cleanText(text, Number.POSITIVE_INFINITY).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
}

function attribute(text: string): string {
  return escapeXml(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}
