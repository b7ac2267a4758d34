// What witnesses of several authors share.

import type { Ask, HttpResponse } from './holdout.ts';

export const plainPet = { name: 'Waldo', categoryId: 1 };

/** Sends a creation; a text is sent as it is. */
export const post = (
  ask: Ask,
  pet: unknown = plainPet,
  headers: Readonly<Record<string, string>> = {},
  noKey = false,
): Promise<HttpResponse> =>
  ask({ method: 'POST', path: '/pets', body: typeof pet === 'string' ? pet : JSON.stringify(pet), headers, noKey });

/** The first id in a body, exactly; 0 if there is none. */
export const idOf = ({ text }: Pick<HttpResponse, 'text'>): bigint => BigInt(/"id":\s*(-?\d+)/.exec(text)?.[1] ?? '0');

/** Whether the body is JSON. */
export function parses({ text }: Pick<HttpResponse, 'text'>): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The number of elements of an array. */
export const lengthOf = ({ text }: Pick<HttpResponse, 'text'>): number => (JSON.parse(text) as readonly unknown[]).length;

/** The text of a body as a server writes it. */
export const textOf = (body: string | Uint8Array): string => (typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
