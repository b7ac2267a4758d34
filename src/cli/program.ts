import { Command } from 'commander';
import { toolVersion } from '../gate/own-package.ts';
import { addCompare } from './commands/compare.ts';
import { addExplain } from './commands/explain.ts';
import { addList } from './commands/list.ts';
import { addMonitor } from './commands/monitor.ts';
import { addReference } from './commands/reference.ts';
import { addReplay } from './commands/replay.ts';
import { addRun } from './commands/run.ts';
import { addSmoke } from './commands/smoke.ts';

/** The command line; every command is a file of commands/. */
export function createProgram(): Command {
  const program = new Command('petstore-conformance')
    .description('Judges servers of the Pet Store Service Interface')
    .version(toolVersion)
    .showSuggestionAfterError()
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride();
  for (const add of [addRun, addSmoke, addMonitor, addReference, addList, addExplain, addCompare, addReplay]) add(program);
  for (const command of program.commands) command.exitOverride().showHelpAfterError('(--help shows what there is)');
  return program;
}
