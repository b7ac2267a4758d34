/** The same address with the other scheme. */
export function otherScheme(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? `http:${baseUrl.slice('https:'.length)}` : `https:${baseUrl.slice('http:'.length)}`;
}

/**
 * Addresses that may be meant if nothing is found at this one, the likeliest first: /v1 missing, doubled, followed by more, or with another
 * number.
 */
export function addressesNearby(baseUrl: string): readonly string[] {
  const { origin } = new URL(baseUrl);
  const whole = baseUrl.replace(/\/+$/, '');
  const upToVersion = /^(.*?\/v1)\/./.exec(whole)?.[1];
  const likeliest = upToVersion ?? (/\/v\d+$/.test(whole) ? whole.replace(/\/v\d+$/, '/v1') : `${whole}/v1`);
  return [...new Set([likeliest, `${origin}/v1`, origin])].filter((address) => address !== whole);
}
