import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { ownFolder, runProgram, startProgram } from '../support/program.ts';
import { commandsOf } from './commands.ts';
import { codeBlocks, readPage } from './pages.ts';

// The commands of the README, in its order, as somebody types them who has no server: in an empty folder, with the server that it offers. Runs
// judge one clause of all.

const ADDRESS = 'http://localhost:8080/v1';
const NOWHERE = 'http://127.0.0.1:9/v1';
const OURS = 'petstore-conformance';

type Server = { readonly address: string; readonly key: string; readonly stop: () => Promise<void> };

/** The commands of a section of the README, without the name of the program. */
function commandsIn(section: string): readonly (readonly string[])[] {
  const page = readPage('README.md');
  const lines = (heading: string): number => page.slice(0, page.indexOf(`\n${heading}`)).split('\n').length;
  const [from, to] = [lines(`## ${section}`), lines(page.slice(page.indexOf(`\n## ${section}`) + 1).match(/^## .*$/gm)?.[1] ?? '')];
  const shown = codeBlocks('README.md').filter(({ language, line }) => language === 'sh' && line > from && line < to);
  const commands = shown.flatMap(({ text }) => commandsOf(text.replaceAll('$PRODUCTION_URL', NOWHERE).replaceAll('$STAGING_URL', ADDRESS)));
  return commands.filter(([program]) => program === OURS).map(([, ...words]) => words);
}

/** Serves what a command of the README says, at any free port. */
async function serve(command: readonly string[]): Promise<Server> {
  const port = command.indexOf('--port');
  const { child, ended } = startProgram([...command.slice(0, port), ...command.slice(port + 2)]);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^serving (\S+)$/.exec(line) ?? [];
    if (address !== undefined) return { address, key: command[command.indexOf('--api-key') + 1] ?? '', stop };
  }
  throw new Error('the server ended');
}

test('The README leads from a broken server to one that is repaired, deployed, and watched.', async () => {
  const cwd = ownFolder();
  const [reference = [], doctor = [], run = []] = commandsIn('Judge your server');
  const [explain = [], failed = [], again = []] = commandsIn('Repair it');
  const [gate = []] = commandsIn('Stop a deployment');
  const [smoke = [], monitor = []] = commandsIn('Watch production');
  const enter = async (command: readonly string[], { address, key }: Server) => {
    const args = command.map((word) => word.replace(ADDRESS, address));
    const less: Readonly<Record<string, string>> = args[0] === 'run' ? { PETSTORE_ONLY: 'list.limit-maximum' } : {};
    const { code, stdout, stderr } = await runProgram(args, { cwd, env: { PETSTORE_API_KEY: key, ...less } });
    return { code, text: `${stdout}${stderr}` };
  };

  const broken = await serve(reference);
  expect(await enter(doctor, broken)).toMatchObject({ code: 0 });
  const judged = await enter(run, broken);
  expect(judged).toMatchObject({ code: 1 });
  const [, clause] = /^FAIL (\S+)/m.exec(judged.text) ?? [];
  expect(explain).toEqual(['explain', clause]);
  expect(await enter(explain, broken)).toMatchObject({ code: 0 });
  expect(await enter(gate, broken)).toMatchObject({ code: 1 });

  const repaired = await serve(reference.slice(0, reference.indexOf('--fault')));
  const holds = await enter(failed, repaired);
  expect(holds.text).toContain('\nConformant where judged: the clause that failed then holds now.\n');
  expect(holds).toMatchObject({ code: 0 });
  expect(await enter(again, repaired)).toMatchObject({ code: 0 });
  expect(await enter(gate, repaired)).toMatchObject({ code: 0 });

  const atProduction = (command: readonly string[]) => command.map((word) => word.replace(NOWHERE, repaired.address));
  expect(await enter(atProduction(smoke), repaired)).toMatchObject({ code: 0 });
  const [file] = codeBlocks('README.md').filter(({ language }) => language === 'yaml');
  writeFileSync(join(cwd, 'monitor.yaml'), file?.text ?? '');
  expect(await enter([...monitor, '--check-config'], repaired)).toMatchObject({ code: 0 });
});
