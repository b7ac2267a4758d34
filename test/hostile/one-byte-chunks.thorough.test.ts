import { expect, test } from 'vitest';
import { runJudged } from '../support/judged-program.ts';
import { oneByteChunks } from './attacks/framing.ts';
import { HOSTILE_KEY } from './forward.ts';
import { rawServer } from './raw-server.ts';

/** MB of resident memory: 150 for the built package (131 to 133 measured), and 20 for running from the sources, whose types are stripped. */
const MOST_MEMORY = 170;

test('smoke reads a megabyte in chunks of one byte without more memory than a megabyte needs', async () => {
  const pieces = oneByteChunks(1_000_000);
  const server = await rawServer(({ socket }) => socket.write(pieces));
  const peaks: number[] = [];
  // The median of three, because the engine decides when memory is collected.
  for (let round = 0; round < 3; round += 1) {
    const { peak, output } = await runJudged({ args: ['smoke', '--base-url', server.baseUrl], apiKey: HOSTILE_KEY });
    expect(output).toContain('auth.missing-credential');
    if (peak !== undefined) peaks.push(peak);
  }
  await server.close();
  expect(peaks.toSorted((a, b) => a - b)[1] ?? 0, `peaks ${peaks.map(Math.round).join(', ')} MB`).toBeLessThan(MOST_MEMORY);
});
