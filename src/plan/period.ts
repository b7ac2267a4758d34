// What recurs: every n-th of a sequence, as far as the order of requests that overlap is known.

/** How likely gaps of broken cases that were drawn by lot may be as even as that. */
const CHANCE = 0.001;
/** So many of the gaps are even, and so much they may differ from the usual one. */
const [MOSTLY, JITTER] = [0.8, 0.15];

/** How likely at least so many of all are, each with the same probability. */
function chanceOfMany(many: number, all: number, probability: number): number {
  let [chance, one] = [0, (1 - probability) ** all];
  for (let count = 0; count <= all; count += 1) {
    if (count >= many) chance += one;
    one *= ((all - count) / (count + 1)) * (probability / (1 - probability));
  }
  return chance;
}

/** Every how many-th case of the sequences is broken; undefined where that is not even, or might be by chance. */
export function periodOf(sequences: readonly (readonly boolean[])[]): number | undefined {
  const gaps = sequences
    .flatMap((cases) => {
      const places = cases.flatMap((isBroken, index) => (isBroken ? [index] : []));
      return places.slice(1).map((place, index) => place - (places[index] ?? 0));
    })
    .toSorted((a, b) => a - b);
  const usual = gaps[Math.floor(gaps.length / 2)];
  if (usual === undefined || usual < 2) return undefined;
  const even = gaps.filter((gap) => Math.abs(gap - usual) <= usual * JITTER);
  if (even.length < gaps.length * MOSTLY) return undefined;
  // Gaps of what is drawn by lot: one ends with each case in so many.
  const all = sequences.reduce((sum, { length }) => sum + length, 0);
  const share = (gaps.length + 1) / all;
  let probability = 0;
  for (let gap = Math.ceil(usual * (1 - JITTER)); gap <= usual * (1 + JITTER); gap += 1) probability += share * (1 - share) ** (gap - 1);
  const mean = Math.round(even.reduce((sum, gap) => sum + gap, 0) / even.length);
  return chanceOfMany(even.length, gaps.length, probability) <= CHANCE ? mean : undefined;
}
