import { Halt } from '../../src/clause/halt.ts';

/** Runs work for its effect on the store; its halts are reported by the checks that judge it. */
export async function ignoringHalts(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
}
