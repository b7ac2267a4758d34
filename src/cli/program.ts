import { Command } from 'commander';
import { toolVersion } from '../gate/own-package.ts';
import { inertText } from '../report/inert.ts';
import { maskKey } from './address.ts';
import { knownKey } from './environment.ts';

/** Every command is a file of commands/, loaded when it is asked for: a probe that starts each minute has no use for the others. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  run: async () => (await import('./commands/run.ts')).addRun,
  smoke: async () => (await import('./commands/smoke.ts')).addSmoke,
  monitor: async () => (await import('./commands/monitor.ts')).addMonitor,
  reference: async () => (await import('./commands/reference.ts')).addReference,
  list: async () => (await import('./commands/list.ts')).addList,
  explain: async () => (await import('./commands/explain.ts')).addExplain,
  compare: async () => (await import('./commands/compare.ts')).addCompare,
  report: async () => (await import('./commands/report.ts')).addReport,
  matrix: async () => (await import('./commands/matrix.ts')).addMatrix,
  init: async () => (await import('./commands/init.ts')).addInit,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  completion: async () => {
    const { addCompletion } = await import('./commands/completion.ts');
    return (program) => addCompletion(program, () => createProgram(undefined));
  },
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  replay: async () => (await import('./commands/replay.ts')).addReplay,
};

/** What was not understood may be a key: `--api-kye=SECRET` is named as `--api-kye`, superfluous arguments are counted. */
function withoutValues(text: string): string {
  return text.replace(/'(--[\w-]+)=[^\n]*'/, "'$1'").replace(/(but got \d+): [^\n]*/, '$1');
}

/** The command line, with the command that is asked for; with all of them when that is none (help, a version, a slip). */
export async function createProgram(asked: string | undefined): Promise<Command> {
  const program = new Command('petstore-conformance')
    .description('Judges servers of the Pet Store Service Interface')
    .version(toolVersion)
    .showSuggestionAfterError()
    .showHelpAfterError('(see --help)')
    .configureOutput({ outputError: (text, write) => write(inertText(withoutValues(maskKey(text, knownKey())))) })
    .exitOverride();
  const named = Object.entries(COMMANDS).filter(([name]) => name === asked);
  const loaders = (named.length > 0 ? named : Object.entries(COMMANDS)).map(([, load]) => load());
  for (const add of await Promise.all(loaders)) add(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}
