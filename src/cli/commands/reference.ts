import { type Command, InvalidArgumentError } from 'commander';
import { messageOf } from '../../wire/wording.ts';
import { loadEnvironment } from '../environment.ts';
import { commanderOptions, UsageError } from '../option-spec.ts';
import { dotenvOption } from '../options.ts';
import { print, printError } from '../output.ts';
import { SUMMARIES } from '../summaries.ts';

const LARGEST_PORT = 65_535;

function whole(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= most) return value;
    throw new InvalidArgumentError(`expected an integer from 0 to ${most}`);
  };
}

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

type ReferenceCommand = {
  dotenv?: string;
  port?: number;
  host?: string;
  apiKey?: string;
  seedAnimals?: number;
  fault?: string[];
};

function keyOf(options: ReferenceCommand): string | undefined {
  const { environment, warnings } = loadEnvironment(options);
  for (const warning of warnings) printError(`warning: ${warning}`);
  return environment['PETSTORE_API_KEY'];
}

async function serve(options: ReferenceCommand): Promise<void> {
  const apiKey = options.apiKey ?? keyOf(options);
  if (!apiKey) throw new UsageError('the reference server needs an API key: set --api-key KEY or PETSTORE_API_KEY');
  const { port = 0, host, seedAnimals, fault = [] } = options;
  const { startReference } = await import('../../reference/server.ts');
  const server = await startReference({
    port,
    apiKey,
    faults: fault,
    ...(host === undefined ? {} : { host }),
    ...(seedAnimals === undefined ? {} : { seedAnimals }),
  }).catch((error: unknown) => {
    throw new UsageError(messageOf(error));
  });
  print(`serving ${server.baseUrl}`);
  const stop = (): void => void server.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

export function addReference(program: Command): void {
  const command = program
    .command('reference')
    .description(SUMMARIES.reference)
    .option('--port <n>', 'port to listen on (default: any free one)', whole(LARGEST_PORT))
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--api-key <key>', 'the API key that it requires (env: PETSTORE_API_KEY); make one up, since process lists show it')
    .option('--seed-animals <n>', 'animals in the store at the start', whole(1_000_000))
    .option('--fault <name>', 'inject this defect (repeatable; see `explain faults`)', collect)
    .action(serve);
  for (const option of commanderOptions(dotenvOption)) command.addOption(option);
}
