import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';

/** The callback of net.connect: all addresses, or one and its family. */
type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

const underWay = new Map<string, Found[]>();

/**
 * dns.lookup with one query per name at a time: while a resolver is silent for ten seconds, waiting connections must not pile up, nor block
 * one of the few threads each.
 */
export function sharedLookup(hostname: string, options: LookupOptions, found: Found): void {
  const key = JSON.stringify([hostname, options]);
  const others = underWay.get(key);
  if (others !== undefined) {
    others.push(found);
    return;
  }
  const waiting = [found];
  underWay.set(key, waiting);
  lookup(hostname, options, (error, address, family) => {
    underWay.delete(key);
    for (const one of waiting) one(error, address, family);
  });
}
