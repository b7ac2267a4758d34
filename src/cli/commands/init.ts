import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { EXIT_CODES } from '../../clause/run-record.ts';
import { CI_TEMPLATES, ENVIRONMENT_TEMPLATE } from '../../gate/package-files.ts';
import { EMPTY_WAIVERS } from '../../judge/waiver-file.ts';
import { makeFolder } from '../../report/write-reports.ts';
import { codeOf, messageOf } from '../../wire/wording.ts';
import { parseBaseUrl } from '../address.ts';
import { KEY, ownEnvironment } from '../environment.ts';
import { helpNotes } from '../help-notes.ts';
import { ourCommand } from '../invocation.ts';
import { exit, print, printError } from '../output.ts';
import { SUMMARIES } from '../summaries.ts';

const SYSTEMS = ['github', 'gitlab', 'none'] as const;
type System = (typeof SYSTEMS)[number];
type InitFlags = { readonly ci?: System; readonly baseUrl?: string };

/** A file to create, and what to do with it. */
type Starter = {
  readonly path: string;
  readonly text: string;
  readonly next: string;
  /** Only its owner may read it. */
  readonly secret?: boolean;
};

const ADDRESS = /^PETSTORE_BASE_URL=.*$/m;

function environmentFile(baseUrl: string | undefined): Starter {
  const template = readFileSync(ENVIRONMENT_TEMPLATE, 'utf8')
    .replace(/^# Copy to \.env and fill in\. /, '# ')
    .replace('npm run -s cli --', ourCommand)
    .replace('# PETSTORE_WAIVERS=', 'PETSTORE_WAIVERS=');
  const text = baseUrl === undefined ? template : template.replace(ADDRESS, () => `PETSTORE_BASE_URL=${baseUrl}`);
  const next =
    baseUrl === undefined ? 'write the address of your service and its API key into it' : 'write the API key of your service into it';
  return { path: '.env', text, next, secret: true };
}

function pipeline(system: Exclude<System, 'none'>): Starter {
  const text = (name: string): string => readFileSync(new URL(name, CI_TEMPLATES), 'utf8');
  switch (system) {
    case 'github':
      return {
        path: join('.github', 'workflows', 'petstore-conformance.yml'),
        text: text('github-actions.yml'),
        next: 'set the variables PETSTORE_STAGING_URL and PETSTORE_PRODUCTION_URL, and the secret PETSTORE_API_KEY, of the repository',
      };
    case 'gitlab':
      return {
        path: join('.gitlab', 'petstore-conformance.yml'),
        text: text('gitlab-ci.yml'),
        next: 'include it in .gitlab-ci.yml, and set the CI variables PETSTORE_STAGING_URL, PETSTORE_PRODUCTION_BASE_URL, and PETSTORE_API_KEY',
      };
    default:
      return system satisfies never;
  }
}

/** Creates a file that does not exist yet, and never overwrites one. */
async function make({ path, text, next, secret = false }: Starter): Promise<boolean> {
  makeFolder(dirname(path));
  try {
    await writeFile(path, text, { flag: 'wx', mode: secret ? 0o600 : 0o644 });
    print(`wrote ${path}: ${next}`);
    return true;
  } catch (error) {
    const isThere = codeOf(error) === 'EEXIST';
    if (isThere) print(`kept ${path}, which is there already`);
    else printError(`error: could not write ${path}: ${messageOf(error)}`);
    return isThere;
  }
}

/** Whether the lines of .gitignore name a file; patterns are not followed. */
function isIgnored(name: string): boolean {
  if (!existsSync('.gitignore')) return false;
  const lines = readFileSync('.gitignore', 'utf8').split('\n');
  return lines.some((line) => [name, `/${name}`, `${name}*`, '.env*'].includes(line.trim()));
}

async function init({ ci, baseUrl }: InitFlags): Promise<void> {
  const address = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl, { what: '--base-url' });
  const system = ci ?? (existsSync('.gitlab-ci.yml') ? 'gitlab' : 'github');
  const waivers = {
    path: 'waivers.yaml',
    text: EMPTY_WAIVERS,
    next: 'known failures go here, with `run --waivers waivers.yaml --update-waivers`',
  };
  // With a key from elsewhere, .env sets neither address nor waivers, and each command would say so.
  const hasKey = ownEnvironment()[KEY] !== undefined;
  const starters = [...(hasKey ? [] : [environmentFile(address)]), waivers, ...(system === 'none' ? [] : [pipeline(system)])];
  const made: boolean[] = [];
  for (const starter of starters) made.push(await make(starter));
  if (hasKey) print(`wrote no .env: ${KEY} is set in the environment; set PETSTORE_BASE_URL and PETSTORE_WAIVERS there, too`);
  else if (existsSync('.git') && !isIgnored('.env')) printError('warning: .env will hold the API key; add it to .gitignore');
  print(`\nThen: ${ourCommand()} doctor${hasKey ? ` --base-url ${address ?? 'URL'}` : ''}`);
  await exit(made.every(Boolean) ? EXIT_CODES.conformant : EXIT_CODES.unjudged);
}

export function addInit(program: Command): void {
  program
    .command('init')
    .description(SUMMARIES.init)
    .option('--base-url <url>', 'the service, with /v1 at the end')
    .addOption(new Option('--ci <name>', 'for which CI system (default: gitlab where .gitlab-ci.yml is, else github)').choices(SYSTEMS))
    .addHelpText(
      'after',
      helpNotes('Files that are there are kept as they are. Exit codes: 0 all files are there, 2 usage, 3 one could not be written.'),
    )
    .action(init);
}
