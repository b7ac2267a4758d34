/** Host and port of an address, by which it is known whether two addresses are of one service: another path is no other store. Undefined for no address. */
export function hostOf(address: string): string | undefined {
  return URL.parse(address)?.host.replace(/\.(?=:|$)/, '');
}
