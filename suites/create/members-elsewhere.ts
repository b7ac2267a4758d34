import type { CallOptions } from '../../src/session/client/api.ts';

/** The places besides the body where frameworks look for parameters. */
export function membersElsewhere(members: Readonly<Record<string, string>>): Required<Pick<CallOptions, 'rawQuery' | 'headers'>> {
  const pairs = Object.entries(members).map(([name, value]) => [name, encodeURIComponent(value)] as const);
  const cookies = pairs.map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    rawQuery: pairs.map(([name, value]) => `${name}=${value}`).join('&'),
    headers: [
      ...pairs.map(([name, value]) => [name.toLowerCase(), value] as const),
      ...pairs.map(([name, value]) => [`x-${name.toLowerCase()}`, value] as const),
      ['cookie', cookies],
    ],
  };
}
