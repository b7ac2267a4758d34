import { request } from 'node:http';
import { KEY, startParts } from '../../proof/judge-reference.ts';
import { baseParts } from '../../src/reference/core/base.ts';
import type { Patch } from '../../src/reference/core/parts.ts';

/** A request of a witness, sent as is: with the API key unless `noKey`, and a body as application/json. */
export type Asking = {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly noKey?: boolean;
};
/** The response, with header names in lower case. */
export type HttpResponse = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string };
export type Ask = (request: Asking) => Promise<HttpResponse>;

/**
 * A server by an author who had not read the suite or the registry of faults: what the suite finds at first sight predicts what it finds on
 * the next server.
 */
export type Holdout = {
  readonly name: string;
  /** A fault breaks what the document says; a variant conforms, and is unusual. */
  readonly kind: 'fault' | 'variant';
  /** The broken sentence; for a variant, the gap that it uses. */
  readonly sentence: string;
  /** The clause that its author expected in the report. */
  readonly clause?: string;
  /** What a team shipped, and why that happens. */
  readonly summary: string;
  readonly patch: Patch;
  /** The initial number of animals; 8 by default. */
  readonly seedAnimals?: number;
  /** Whether the deviation shows: true on this server, false on the conforming one. */
  readonly witness: (ask: Ask) => Promise<boolean>;
};

const SEED_ANIMALS = 8;

export type RunningHoldout = { readonly baseUrl: string; close(): Promise<void> };

/** Starts the server, or the conforming one with as many animals. */
export function startHoldout({ patch, seedAnimals = SEED_ANIMALS }: Holdout, conforming = false): Promise<RunningHoldout> {
  return startParts(conforming ? baseParts : { ...baseParts, ...patch(baseParts) }, { seedAnimals });
}

/** Sends requests to a server at that address. */
export function askAt(baseUrl: string): Ask {
  return ({ method = 'GET', path, headers = {}, body, noKey = false }) =>
    new Promise((done, failed) => {
      const { hostname, port, pathname } = new URL(baseUrl);
      const sent = request({
        ...{ host: hostname, port, method, path: `${pathname}${path}` },
        headers: {
          ...(noKey ? {} : { Authorization: `Bearer ${KEY}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
      });
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers as HttpResponse['headers'],
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      sent.on('error', failed);
      sent.end(body);
    });
}
