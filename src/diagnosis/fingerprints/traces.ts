// What a response shows about its author, and a fingerprint as data.

import { STATUS_CODES } from 'node:http';
import { isRecord, parsed } from '../../wire/parsed.ts';
import type { RedactedExchange } from '../../wire/redacted-exchange.ts';

/** How a response shows who wrote it. */
export type Fingerprint = {
  /** The product, as its users call it; undefined if several write the same. */
  readonly product: string | undefined;
  /** The part of the product that writes such responses: `Fastify's router`. */
  readonly writer: string;
  /** Where the facts come from: project and file, or page. */
  readonly source: string;
  /** Where to fix it, as a sentence. */
  readonly advice: string;
  /** It also decides the status of rejections: one repair fixes both. */
  readonly validates?: true;
  readonly matches: (traces: Traces) => boolean;
};

/** What a response shows about its author. */
export type Traces = {
  readonly status: number;
  /** The Content-Type as sent; empty if missing. */
  readonly contentType: string;
  /** The body as shown in reports: redacted, and cut if it is long. Empty if missing. */
  readonly text: string;
  /** The body as JSON; undefined for anything else, and for a body that was cut. */
  readonly json: unknown;
  /** The members of a JSON object in the order of the body, joined by commas; empty for anything else. */
  readonly members: string;
  /** A header by its lowercase name; undefined if missing. */
  header(name: string): string | undefined;
};

/** The traces of a response; undefined without a response. */
export function tracesOf({ answer: response }: RedactedExchange): Traces | undefined {
  if (response.kind === 'failed') return undefined;
  const text = response.body ?? '';
  const json = parsed(text);
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

/** A string member of the JSON object; empty if missing. */
export function textMember({ json }: Traces, name: string): string {
  const value = isRecord(json) ? json[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Whether the body is an HTML page. */
export function isHtml({ text }: Traces): boolean {
  return /^\s*<(?:!doctype html|html|head|body|h1)\b/i.test(text);
}

/** The reason phrase of the status (RFC 9110, section 15). */
export function reasonPhrase({ status }: Traces): string {
  return STATUS_CODES[status] ?? '';
}
