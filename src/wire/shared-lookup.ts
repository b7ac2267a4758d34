import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';

/** As net.connect calls back: all addresses, or one and its family. */
type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

const underWay = new Map<string, Found[]>();

/**
 * dns.lookup, in which questions of the same name are asked once at a time: a resolver that is silent for ten seconds must not
 * pile up what waits for it, nor hold up one of the few threads for each of them.
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
