import { type Command, CommanderError } from 'commander';
import { EXIT_CODES, type ExitCode } from '../clause/run-record.ts';
import { exit } from './output.ts';
import { createProgram } from './program.ts';

/** Runs one command. Modules that only a failed command needs are loaded when it fails. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  process.on('uncaughtException', leave);
  let program: Command | undefined;
  let complaint = '';
  try {
    program = await createProgram(argv.slice(2), (text) => {
      complaint += text;
    });
    await program.parseAsync([...argv]);
  } catch (error) {
    const code = await exitCodeOf(error, complaint);
    const run = argv[2] === 'run' ? program?.commands.find((command) => command.name() === 'run') : undefined;
    if (code === EXIT_CODES.usage && run !== undefined) (await import('./reports-folder.ts')).setAsideUnusedReports(run.opts());
    await exit(code);
  }
}

/** Node would exit with 1, which says that the service is wrong. */
function leave(error: unknown): void {
  void import('./failed-command.ts').then(({ explainFailure }) => exit(explainFailure(error)));
}

async function exitCodeOf(error: unknown, complaint: string): Promise<ExitCode> {
  if (!(error instanceof CommanderError)) return (await import('./failed-command.ts')).explainFailure(error);
  if (complaint !== '') (await import('./failed-command.ts')).printComplaint(complaint);
  // Help and version end this way with 0.
  return error.exitCode === 0 ? EXIT_CODES.conformant : EXIT_CODES.usage;
}
