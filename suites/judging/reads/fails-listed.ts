import type { Session } from '../../../src/session/session.ts';
import { judgeRow } from '../judge-rows.ts';
import { readListed, readSample } from './existing.ts';

/** Whether getPet fails animals that lists show, which get.success reports: another check that meets one has nothing to add. */
export async function failsListed(s: Session): Promise<boolean> {
  for (const read of [readListed, readSample]) {
    const { findings } = await judgeRow(async () => {
      const outcome = await read(s);
      return outcome.kind === 'fail' ? outcome.findings : undefined;
    });
    if (findings.length > 0) return true;
  }
  return false;
}
