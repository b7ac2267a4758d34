/** Spellings of `/pets` that a router may treat as equivalent while middleware that compares paths does not. */
export const LIST_PATHS: readonly string[] = [
  '/pets/',
  '//pets',
  '/./pets',
  '/x/../pets',
  '/x/..;/pets',
  '/pets;v=1',
  '/pets;/',
  '/%70ets',
  '/%2570ets',
  '/pets%2f',
  '/PETS',
  '/pets.json',
];

/** Spellings of `/pets/{petId}` that a router may treat as equivalent. */
export function readPaths(id: bigint): readonly string[] {
  const digits = String(id);
  const encoded = [...digits].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join('');
  return [
    `/pets/${digits}/`,
    `//pets/${digits}`,
    `/pets//${digits}`,
    `/./pets/${digits}`,
    `/pets/./${digits}`,
    `/pets/${digits};v=1`,
    `/%70ets/${digits}`,
    `/pets/${encoded}`,
    `/Pets/${digits}`,
    `/pets/${digits}.json`,
  ];
}

/** Spellings of `/pets` for creations. */
export const CREATE_PATHS: readonly string[] = ['/pets/', '//pets', '/%70ets', '/pets;v=1'];
