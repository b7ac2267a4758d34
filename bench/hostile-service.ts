import { startReference } from '../src/reference/server.ts';
import { attacks } from '../test/hostile/attack-run.ts';
import { HOSTILE_KEY } from '../test/hostile/attacker.ts';

/** The services for bench/hostile-targets.ts, in a separate process: a conforming one, and one for each attack that needs no tool. */
const conforming = await startReference({ apiKey: HOSTILE_KEY, seedAnimals: 30 });
const hostile = await Promise.all(
  attacks.filter(({ needs = [] }) => needs.length === 0).map(async ({ name, start }) => ({ name, baseUrl: (await start()).baseUrl })),
);
// What a client does to an attacker must not end the others.
process.on('uncaughtException', () => undefined);
export type Services = { readonly conforming: string; readonly hostile: typeof hostile };
process.send?.({ conforming: conforming.baseUrl, hostile } satisfies Services);
