// What causes read in an exchange, and the exchange in a sentence.

import type { ReportedFinding } from '../clause/clause-record.ts';
import { isRecord, parseJson } from '../wire/parse-json.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import type { Failure } from './cause.ts';

/** Undefined for anything but a JSON object. */
export function parseObject(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text ?? '');
  return isRecord(value) ? value : undefined;
}

/** The JSON object that was sent; undefined for anything else. Digits beyond 2^53 are not exact. */
export function sentObject({ requestBody }: RedactedExchange): Readonly<Record<string, unknown>> | undefined {
  return parseObject(requestBody);
}

/** 0 without a response. */
export function statusOf({ answer: response }: RedactedExchange): number {
  return response.kind === 'answered' ? response.status : 0;
}

/** As shown; empty if there is none. */
export function bodyOf({ answer: response }: RedactedExchange): string {
  return response.kind === 'answered' ? (response.body ?? '') : '';
}

/** Undefined for anything but a JSON object. */
export function shownObject(exchange: RedactedExchange): Readonly<Record<string, unknown>> | undefined {
  return parseObject(bodyOf(exchange));
}

/** The number of a member as spelled, exact; undefined if the first such member is not a number. */
export function numberOf(text: string | undefined, member: string): string | undefined {
  return new RegExp(`"${member}"\\s*:\\s*(-?\\d[\\d.eE+-]*)`).exec(text ?? '')?.[1];
}

/** The animals of a list in the shown part of the body, each as its JSON text. */
export function shownAnimals(exchange: RedactedExchange): readonly string[] {
  return bodyOf(exchange).trimStart().startsWith('[') ? (bodyOf(exchange).match(/\{[^{}]*\}/g) ?? []) : [];
}

/** The text of a member in an animal's JSON text. */
export function textOf(animal: string, member: string): string | undefined {
  return new RegExp(`"${member}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(animal)?.[1];
}

export function parametersOf({ url }: RedactedExchange): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** Whether the finding points to an animal further down a list than the shown part of the body. */
export function isBeyondShown({ exchange, finding }: Failure): boolean {
  const index = /^\/(\d+)\//.exec(finding.pointer ?? '')?.[1];
  return index !== undefined && Number(index) >= shownAnimals(exchange).length;
}

/** The ids of the animals in the shown part of the last response, whatever form the animals have. */
export function shownIds({ exchanges }: ReportedFinding): readonly string[] {
  const last = exchanges.at(-1);
  return last === undefined ? [] : [...bodyOf(last).matchAll(/"id"\s*:\s*(-?\d+)/g)].map(([, id = '']) => id);
}

const LONGEST = 110;

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** The path and query of a request, below the base address. */
export function targetOf({ url, operation }: RedactedExchange): string {
  const target = /\/pets(?:[/?].*)?$/s.exec(url)?.[0] ?? url;
  return operation === 'createPet' ? '/pets' : target;
}

export function hasValidKey({ curl }: RedactedExchange): boolean {
  return /-H "authorization:\s*Bearer\s+\$PETSTORE_API_KEY\s*"/i.test(curl);
}

/** `POST /pets {"name":42}`. */
export function describeRequest(exchange: RedactedExchange): string {
  const body = exchange.requestBody === undefined || exchange.requestBody === '' ? '' : ` ${short(exchange.requestBody)}`;
  const credential = hasValidKey(exchange) ? '' : ` without a valid key`;
  return `${exchange.method} ${short(targetOf(exchange))}${body}${credential}`;
}

/** The part of a long body around the focus: the whole record, if it is one of a list. */
function focused(body: string, focus: RegExp | undefined): string {
  const at = focus === undefined ? -1 : body.search(focus);
  if (at < LONGEST / 2) return short(body);
  const begin = body.lastIndexOf('{', at);
  return `… ${short(body.slice(begin < 0 ? at : begin))}`;
}

/** `201 {"id":1}`, or why there was no response. The focus is the part of a long body that must be visible. */
export function describeResponse({ answer: response }: RedactedExchange, focus?: RegExp): string {
  if (response.kind === 'failed') return `no response (${response.message})`;
  return response.body === undefined || response.body === ''
    ? `${response.status} without a body`
    : `${response.status} ${focused(response.body, focus)}`;
}

/** `POST /pets {"name":42} returned 201 {"id":1}`. */
export function describeExchange(exchange: RedactedExchange, focus?: RegExp): string {
  return `${describeRequest(exchange)} returned ${describeResponse(exchange, focus)}`;
}
