import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SMOKE_FORMATS } from '../../src/probe/sample.ts';
import { startMonitor, startReceiver, until } from '../probe/running-monitor.ts';
import { leaks } from '../secrets/spellings.ts';
import { ownFolder, runJudged } from '../support/program.ts';
import { type Attack, HOSTILE_KEY, rawServer } from './attacker.ts';
import { echoes } from './attacks/echoes.ts';
import { elsewhere } from './attacks/elsewhere.ts';
import { oneByteChunks } from './attacks/framing.ts';
import { words } from './attacks/words.ts';
import { outputProblems } from './outputs.ts';

const attacks: readonly Attack[] = [...echoes, ...words, ...elsewhere];
const CONFORMS_FOR = 20;
const SERIES = /^(?:# .*|[a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? [-+.\deINFa]+|)$/;
const ENDS = { text: 'output', json: 'output.json', junit: 'output.xml', prometheus: 'output.prom' } as const;

/** The attack, listening until the test is over, past the first requests that it serves correctly. */
async function attacking(attack: Attack): Promise<string> {
  const attacker = await attack.start();
  onTestFinished(async () => {
    expect(attacker.misdeeds?.() ?? []).toEqual([]);
    await attacker.close();
  });
  const headers = { authorization: `Bearer ${HOSTILE_KEY}` };
  for (let count = 0; count < CONFORMS_FOR; count += 1) await (await fetch(`${attacker.baseUrl}/pets`, { headers })).text();
  return attacker.baseUrl;
}

function strangeSeries(text: string): readonly string[] {
  return text.split('\n').filter((line) => !SERIES.test(line));
}

test.for(attacks.map((attack, index) => ({ ...attack, format: SMOKE_FORMATS[index % SMOKE_FORMATS.length] ?? 'text' })))(
  'smoke --format $format stands a server that $does',
  async ({ format, ...attack }) => {
    const baseUrl = await attacking(attack);
    const { output, exit } = await runJudged({ args: ['smoke', '--base-url', baseUrl, '--format', format], apiKey: HOSTILE_KEY });
    expect([0, 1, 3], output).toContain(exit);
    expect([...outputProblems('output', output), ...outputProblems(ENDS[format], output)]).toEqual([]);
    if (format === 'prometheus') expect(strangeSeries(output)).toEqual([]);
  },
);

test('monitor stands all of them at once: on its page, in metrics, alerts, logs and files', async () => {
  const folder = ownFolder();
  writeFileSync(join(folder, 'key'), HOSTILE_KEY, { mode: 0o600 });
  const webhook = await startReceiver();
  const targets = await Promise.all(attacks.map(async (attack) => ({ name: attack.name, baseUrl: await attacking(attack) })));
  const monitor = await startMonitor(
    JSON.stringify({
      server: { port: 0 },
      data: { folder: 'data' },
      webhooks: [
        { name: 'plain', url: webhook.url },
        { name: 'slack', url: webhook.url, format: 'slack' },
      ],
      targets: targets.map((target) => ({ ...target, apiKey: `file:${join(folder, 'key')}`, interval: '3s' })),
    }),
    folder,
  );
  const { url, output: details } = monitor;
  const text = async (path: string): Promise<string> => (await fetch(url + path)).text();
  const ran = async (): Promise<boolean> => {
    const counts = [...(await monitor.metrics()).matchAll(/^petstore_probe_checks_total\{.*\} (\d+)$/gm)];
    return counts.length === targets.length && counts.every(([, runs]) => Number(runs) >= 4);
  };
  await until('every target has been asked four times', ran, { details });
  await until('alerts have been sent', () => webhook.messages.length > 4, { details });

  const paths = ['/', '/?public', '/?refresh', '/?page=2', ...targets.map(({ name }) => `/?target=${name}`)];
  const pages = await Promise.all(paths.map(async (path) => [`${path}.html`, await text(path)] as const));
  const probed: string[] = [];
  for (const { name } of targets) probed.push(await text(`/probe?target=${name}`));
  const shown = [
    ...pages,
    ['status.json', await text('/api/status')],
    ['output', monitor.output()],
    ...webhook.messages.map(({ body }) => ['alert.json', body] as const),
  ] as const;
  expect(shown.flatMap(([name, body]) => outputProblems(name, body).map((problem) => `${name}: ${problem}`))).toEqual([]);
  const series = [await monitor.metrics(), ...probed];
  expect(series.flatMap((body) => [...strangeSeries(body), ...leaks('series', body, HOSTILE_KEY)])).toEqual([]);

  monitor.child.kill('SIGTERM');
  await until('the monitor has ended', () => monitor.child.exitCode !== null, { details });
  expect(monitor.child.exitCode).toBe(0);
  const files = readdirSync(join(folder, 'data')).map((name) => [name, readFileSync(join(folder, 'data', name), 'latin1')] as const);
  expect(files.length).toBeGreaterThan(1);
  expect(files.flatMap(([name, bytes]) => leaks(name, bytes, HOSTILE_KEY))).toEqual([]);
});

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
