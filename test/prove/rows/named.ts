import { readGolden } from '../golden-file.ts';

const accepted = readGolden().broken;

/** Whether these red clauses name the fault: its own does, or one that it is known by where its own is not red. */
export const isNamed = (fault: string, clause: string, red: readonly string[]): boolean =>
  red.includes(clause) || (accepted.get(fault)?.includes(clause) === false && red.some((one) => accepted.get(fault)?.includes(one)));
