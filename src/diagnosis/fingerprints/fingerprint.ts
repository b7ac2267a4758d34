// What a response shows about its author, and a fingerprint as data.

import { STATUS_CODES } from 'node:http';
import { isRecord, parseJson } from '../../wire/parse-json.ts';
import type { RedactedExchange } from '../../wire/redacted-exchange.ts';

/** How a response shows who wrote it. */
export type Fingerprint = {
  /** The product, as its users call it; undefined if several write the same. */
  readonly product: string | undefined;
  /** The part of the product that writes such responses: `Fastify's router`. */
  readonly writer: string;
  /** Where the facts come from: project and file, or page. */
  readonly source: string;
  readonly advice: string;
  /** It also decides the status of rejections: one repair fixes both. */
  readonly validates?: true;
  readonly matches: (clues: WriterClues) => boolean;
};

export type WriterClues = {
  readonly status: number;
  /** The Content-Type as sent; empty if missing. */
  readonly contentType: string;
  /** The body as shown in reports: redacted, and cut if it is long. Empty if missing. */
  readonly text: string;
  /** Undefined for anything but JSON, and for a body that was cut. */
  readonly json: unknown;
  /** The members of a JSON object in the order of the body, joined by commas; empty for anything else. */
  readonly members: string;
  /** A header by its lowercase name; undefined if missing. */
  header(name: string): string | undefined;
};

/** Undefined without a response. */
export function writerCluesOf({ answer: response }: RedactedExchange): WriterClues | undefined {
  if (response.kind === 'failed') return undefined;
  const text = response.body ?? '';
  const json = parseJson(text);
  const header = (name: string): string | undefined => response.headers.find(([known]) => known === name)?.[1];
  return {
    status: response.status,
    contentType: header('content-type') ?? '',
    text,
    json,
    members: isRecord(json) ? Object.keys(json).join() : '',
    header,
  };
}

/** Empty if missing. */
export function textMember({ json }: WriterClues, name: string): string {
  const value = isRecord(json) ? json[name] : undefined;
  return typeof value === 'string' ? value : '';
}

export function isHtml({ text }: WriterClues): boolean {
  return /^\s*<(?:!doctype html|html|head|body|h1)\b/i.test(text);
}

/** The reason phrase of the status (RFC 9110, section 15). */
export function reasonPhrase({ status }: WriterClues): string {
  return STATUS_CODES[status] ?? '';
}
