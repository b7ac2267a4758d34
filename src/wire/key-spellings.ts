// Other spellings of the API key, which the suite sends, which lenient services take for the key, and from which anybody could restore it.

/** Letters and digits that people confuse when they copy a key. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{ 0: 'O', O: '0', o: '0', I: '1', l: '1', 1: 'l' },
  ...{ Z: '2', 2: 'Z', S: '5', 5: 'S', B: '8', 8: 'B' },
};

export const swapAlike = (key: string): string => key.replace(/[0OoIl1Z2S5B8]/g, (character) => ALIKE[character] ?? character);

export const reversed = (key: string): string => [...key].reverse().join('');

export const swapCase = (text: string): string =>
  [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');

/** Characters: half of what many servers allow for all headers together. */
const LONG = 4_000;

/** Whether a token is not much longer than what a server accepts that accepts the API key. */
export function hasRoom(token: string, apiKey: string): boolean {
  return token.length <= Math.max(LONG, apiKey.length + 1);
}
