// What findings expect, in the words by which reports recognize it: for each of these, the Hurl file has an assert.

export const EXPECTED = {
  noServerError: 'a status below 500',
  keyAccepted: 'any status other than 401 and 403',
  noAnimalShown: 'any response that shows no animal',
  noNewAnimal: 'any response, but no new animal',
  challenge: 'a WWW-Authenticate header with a Bearer challenge',
  noRemovalAnnounced: 'no Deprecation and no Sunset header',
} as const;

/** A phrase with one value: how it is said, and its value in a text, which is undefined where the text is another one. */
type Phrase<Value> = { readonly say: (value: Value) => string; readonly read: (text: string) => string | undefined };

const readBy =
  (pattern: RegExp) =>
  (text: string): string | undefined =>
    pattern.exec(text)?.[1];

export const AT_MOST_ANIMALS: Phrase<number> = {
  say: (most) => `at most ${most} ${most === 1 ? 'animal' : 'animals'}`,
  read: readBy(/^at most (\d+) animals?$/),
};

export const ONLY_WITH_STATUS: Phrase<string> = {
  say: (status) => `only animals with status "${status}"`,
  read: readBy(/^only animals with status "(\w+)"$/),
};

/** Of an Error body: the status in it. */
export const STATUS_IN_BODY: Phrase<number> = {
  say: (status) => `"status": ${status}`,
  read: readBy(/^"status": (\d+)$/),
};

export const WITH_ID: Phrase<bigint> = { say: (id) => `id ${id}`, read: readBy(/^id (-?\d+)$/) };
