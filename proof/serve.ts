// `npm run prove:serve`: a server of the registry on a port, for curl and for runs of the program.

import { Command } from 'commander';
import { messageOf } from '../src/wire/wording.ts';
import { faults } from './faults/index.ts';
import { settingOf } from './result.ts';
import { startReference } from './server.ts';
import { variants } from './variants/index.ts';

type ServeOptions = { readonly port: string; readonly apiKey: string; readonly list: boolean };

const isVariant = (name: string): boolean => variants.some((variant) => variant.name === name);

async function serve(names: readonly string[], { port, apiKey }: ServeOptions): Promise<void> {
  const chosen = names.filter(isVariant);
  const { faults: broken, seedAnimals, ...needed } = settingOf(names.filter((name) => !isVariant(name))).server;
  const animals = chosen.length > 0 && broken.length === 0 ? {} : { seedAnimals };
  const { baseUrl } = await startReference({ port: Number(port), apiKey, faults: broken, variants: chosen, ...animals, ...needed });
  console.log(`serving ${baseUrl}, API key ${apiKey}`);
  if (needed.now !== undefined) console.log(`its date is ${needed.now().toISOString()}: judge it with that in --now`);
}

const program = new Command('npm run prove:serve --')
  .description('Serves the reference server with these faults and variants until it is interrupted.')
  .argument('[NAME...]', 'which faults and variants')
  .option('--port <n>', 'port to listen on; 0 takes any free one', '0')
  .option('--api-key <key>', 'the API key that it requires', 'local-demo-key')
  .option('--list', 'list all faults, each with its clause, and all variants', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
program.parse();
const options = program.opts<ServeOptions>();
if (options.list) {
  for (const { name, clause, summary } of faults) console.log(`${name}  ${clause}  ${summary}`);
  for (const { name, summary } of variants) console.log(`${name}  variant  ${summary}`);
} else
  await serve(program.args, options).catch((error: unknown) => {
    program.error(`error: ${messageOf(error)}`, { exitCode: 2 });
  });
