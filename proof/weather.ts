// What a run of rows makes of a service that limits requests, has few threads, is far away, or fails for some seconds; the service conforms.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LIMITS, OUTAGES, type Weather } from '../bench/weather-kinds.ts';
import { isBinding } from '../src/clause/clause.ts';
import { runSuite } from '../src/judge/run.ts';
import { SUITE } from '../suites/plan/index.ts';
import { leave, readCommandLine, wholeNumber } from '../test/support/command-line.ts';
import { KEY, sessionOptions } from './judge-reference.ts';
import { CONFORMING_TIMEOUT } from './result.ts';

/** Requests a second. */
const RATES = [100, 50, 20, 10, 5] as const;
const THREADS = [64, 16, 8, 4] as const;
/** Seconds after the first request. */
const OUTAGE = { from: 2, until: 7 } as const;

const KINDS: Readonly<Record<string, readonly Weather[]>> = {
  fair: [{ kind: 'fair' }],
  limits: RATES.flatMap((rate) => LIMITS.map((counts): Weather => ({ kind: 'limit', counts, rate }))),
  threads: THREADS.map((threads): Weather => ({ kind: 'threads', threads })),
  outages: OUTAGES.map((what): Weather => ({ kind: 'outage', what, ...OUTAGE })),
};

const { values, words } = readCommandLine({
  usage: `Usage: node proof/weather.ts [--at-once N] [--out FILE] [${Object.keys(KINDS).join('|')}|WORD]...

Runs the plan of rows through the weather whose description has all of the words: one JSON line each, with what a run would end with.`,
  options: { 'at-once': { type: 'string', default: '1' }, out: { type: 'string', default: 'reports/proof/weather.jsonl' } },
  words: 9,
});

const named = (weather: Weather): string => Object.values(weather).join(' ');

async function runIn(weather: Weather): Promise<object> {
  const service = fork(new URL('../bench/weather-service.ts', import.meta.url), {
    env: { ...process.env, KEY, WEATHER: JSON.stringify(weather) },
  });
  try {
    const [{ baseUrl }] = (await once(service, 'message')) as [{ readonly baseUrl: string }];
    const begin = performance.now();
    const options = sessionOptions(baseUrl, { timeout: CONFORMING_TIMEOUT });
    const { verdicts, requests, created, notices, world } = await runSuite({ ...SUITE, options });
    const red = verdicts.filter(({ verdict, clause }) => verdict === 'fail' && isBinding(clause));
    const musts = (which: 'met' | 'unmet'): number => verdicts.reduce((sum, one) => sum + one[which].length, 0);
    return {
      weather: named(weather),
      exit: red.length > 0 ? 1 : 0,
      seconds: Math.round((performance.now() - begin) / 100) / 10,
      ...{ requests, created, unsent: world.unsent.length, met: musts('met'), unmet: musts('unmet') },
      red: Object.fromEntries(red.map(({ clause, note }) => [clause.id, note])),
      notices,
    };
  } finally {
    service.kill();
  }
}

const parts = words.filter((one) => Object.hasOwn(KINDS, one));
const texts = words.filter((one) => !Object.hasOwn(KINDS, one));
const queue = Object.entries(KINDS)
  .filter(([part]) => parts.length === 0 || parts.includes(part))
  .flatMap(([, all]) => all)
  .filter((weather) => texts.every((text) => named(weather).split(' ').includes(text)));
if (queue.length === 0) leave('no weather is called like that');
const out = values.out;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, '');
async function work(): Promise<void> {
  for (let weather = queue.shift(); weather !== undefined; weather = queue.shift()) {
    const line = JSON.stringify(
      await runIn(weather).catch((error: unknown) => ({ weather: named(weather as Weather), broke: String(error) })),
    );
    appendFileSync(out, `${line}\n`);
    console.log(line);
  }
}
await Promise.all(Array.from({ length: wholeNumber(values['at-once'], '--at-once') }, work));
