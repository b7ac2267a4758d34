import { hash } from 'node:crypto';

/** A number from 0 to 2^32 that a text always has. Whatever is chosen by it stays chosen when others are added. */
export function numberOf(text: string): number {
  return Number.parseInt(hash('sha1', text).slice(0, 8), 16);
}

/** One of so many names, chosen by the name alone. */
export function oneOfEach<Item extends { readonly name: string }>(items: readonly Item[], step: number): readonly Item[] {
  return items.filter(({ name }) => numberOf(name) % step === 0);
}
