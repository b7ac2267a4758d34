import type { CallToolResult, JsonSchemaType, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Command } from 'commander';
import type { RunRecord } from '../../clause/run-record.ts';
import { toolVersion } from '../../gate/package-files.ts';
import { describeInternalError } from '../../judge/check.ts';
import { OwnClauseError } from '../../judge/own-clause.ts';
import { SelectionError } from '../../judge/selection.ts';
import type { JudgeOptions } from '../../library/judge.ts';
import type { SessionClause } from '../../oracle/world.ts';
import type { SessionOptions } from '../../session/session.ts';
import { configure } from '../config-option.ts';
import { LISTS, rowsOf } from '../lists.ts';
import { commanderOptions, resolveOptions, UsageError } from '../option-spec.ts';
import { configOptions, dotenvOption, judgeOptions, runOptions, targetOptions } from '../options.ts';
import { exit, printError } from '../output.ts';
import { loadRegistry } from '../own-clauses-option.ts';
import { sessionOptions } from '../session-options.ts';
import { SUMMARIES } from '../summaries.ts';
import { chooseTarget, openTarget } from '../target.ts';
import { readWaivers } from '../waivers-option.ts';
import { explain, explained } from './explain.ts';
import { lineOf } from './replay.ts';

const mcpOptions = {
  ...configOptions,
  ...dotenvOption,
  ...targetOptions,
  only: judgeOptions.only,
  skip: judgeOptions.skip,
  depth: judgeOptions.depth,
  ownClauses: judgeOptions.ownClauses,
  strict: judgeOptions.strict,
  waivers: judgeOptions.waivers,
} as const;
const TRIES = 3;
const TEXT_WIDTH = 120;

/** What the tools share: the one service named at the start, how it is judged, and the last run on it. */
type Workshop = {
  readonly session: SessionOptions;
  readonly judging: Required<Pick<JudgeOptions, 'only' | 'skip' | 'strict' | 'waivers'>>;
  readonly ownClauses: readonly string[];
  /** Creations that --max-creates leaves: it counts for all calls together. */
  creationsLeft: number;
  last: RunRecord | undefined;
};

type Tool = {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchemaType;
  readonly annotations: ToolAnnotations;
  work(given: Readonly<Record<string, unknown>>, workshop: Workshop): Promise<string>;
};

const GLOBS = { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 50 } as const;
const ID = { type: 'string', minLength: 1, maxLength: 200 } as const;
const READS = { readOnlyHint: true, openWorldHint: false } as const;
const ASKS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Patterns that both the start of this server and a call allow. A call may narrow the selection, and never widen it. */
async function narrowed(
  started: readonly string[],
  asked: readonly string[],
  registry: readonly SessionClause[],
): Promise<readonly string[]> {
  if (started.length === 0 || asked.length === 0) return asked.length === 0 ? started : asked;
  const { selectClauses } = await import('../../judge/selection.ts');
  const idsOf = (only: readonly string[]): readonly string[] =>
    selectClauses(registry, { only, skip: [], exhaustive: true }).flatMap(({ checks, invariants }) =>
      [...checks, ...invariants].map(({ id }) => id),
    );
  const allowed = new Set(idsOf(started));
  const both = idsOf(asked).filter((id) => allowed.has(id));
  if (both.length > 0) return both;
  throw new UsageError(`nothing of ${asked.join(', ')} is judged here: this server was started with --only ${started.join(' --only ')}`);
}

const TOOLS: readonly Tool[] = [
  {
    name: 'run',
    description:
      'Judges the pet store that this server was started for, and reports every broken requirement with the requests that show it. ' +
      'Creates animals, which nobody can delete, unless it was started with --read-only. Give `only` to judge a few clauses in seconds.',
    input: { type: 'object', properties: { only: GLOBS, skip: GLOBS }, additionalProperties: false },
    annotations: ASKS,
    async work(given, workshop) {
      const [{ judgeServer }, { reporters }, registry] = await Promise.all([
        import('../../library/judge.ts'),
        import('../../library/reporters.ts'),
        loadRegistry(workshop.ownClauses),
      ]);
      const { session, judging } = workshop;
      const only = await narrowed(judging.only, strings(given['only']), registry);
      workshop.last = await judgeServer(session.baseUrl, {
        ...session,
        ...judging,
        maxCreates: workshop.creationsLeft,
        now: new Date(),
        only,
        skip: [...judging.skip, ...strings(given['skip'])],
        ownClauses: registry.filter(({ chapter }) => chapter === 'own-rules'),
      });
      const { created, ambiguous } = workshop.last.animals;
      workshop.creationsLeft -= created.length + ambiguous.length;
      return reporters.terminal(workshop.last);
    },
  },
  {
    name: 'replay',
    description:
      'Sends the failing exchanges of the last run again: which are fixed, still failing or flaky. With an id, those of one clause or check.',
    input: { type: 'object', properties: { id: ID }, additionalProperties: false },
    annotations: ASKS,
    async work(given, workshop) {
      const { ownClauses, last } = workshop;
      const id = text(given['id']);
      const { failuresToReplay, replay } = await import('../../judge/replay.ts');
      if (last === undefined) throw new UsageError('there was no run yet: call run first');
      const failures = failuresToReplay(last, id === undefined ? [] : [id]);
      if (failures.length === 0) return 'The last run has no failure.';
      const session = { ...workshop.session, maxCreates: Math.floor(workshop.creationsLeft / TRIES) };
      const replayed = await replay({
        ...{ registry: await loadRegistry(ownClauses), session, tries: TRIES, record: last, failures },
        onCreated: (animals) => {
          workshop.creationsLeft -= animals;
        },
      });
      return replayed.map(lineOf).join('\n');
    },
  },
  {
    name: 'explain',
    description:
      'What a clause or check requires, the part of the interface document that it comes from, how it is judged, and what usually breaks it. ' +
      `With one of ${LISTS.join(', ')} as id: all of them, as JSON.`,
    input: { type: 'object', properties: { id: ID }, required: ['id'], additionalProperties: false },
    annotations: READS,
    async work(given, { ownClauses }) {
      const id = String(given['id']);
      const list = LISTS.find((name) => name === id);
      return list === undefined ? explain(id, await explained(ownClauses), TEXT_WIDTH) : JSON.stringify(await rowsOf(list, ownClauses));
    },
  },
];

/** Does one thing after the other: two concurrent runs would see each other's animals, and double the load on the service. */
function createQueue(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

function isMistake(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof SelectionError || error instanceof OwnClauseError;
}

async function callTool(tool: Tool, given: unknown, workshop: Workshop): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: await tool.work(given as Readonly<Record<string, unknown>>, workshop) }] };
  } catch (error) {
    const sentence = isMistake(error) ? error.message : `the suite itself broke: ${describeInternalError(error)}`;
    return { content: [{ type: 'text', text: sentence }], isError: true };
  }
}

async function loadSdk() {
  try {
    const [server, stdio] = await Promise.all([import('@modelcontextprotocol/server'), import('@modelcontextprotocol/server/stdio')]);
    return { ...server, ...stdio };
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UsageError('`mcp` needs the official SDK, which is not installed: npm install @modelcontextprotocol/server');
  }
}

async function serve(options: Readonly<Record<string, unknown>>): Promise<void> {
  const { flags, environment, waivers: configured, warnings } = await configure(options, 'mcp');
  const { configuration, warnings: ofChoice } = chooseTarget(resolveOptions(runOptions, flags, environment), flags);
  const { McpServer: Server, StdioServerTransport, fromJsonSchema } = await loadSdk();
  const known = await readWaivers({ ...configuration, updateWaivers: false }, { today: new Date(), configured });
  const target = await openTarget(configuration, environment);
  const session = await sessionOptions(configuration, target, environment);
  for (const warning of [...warnings, ...ofChoice, ...target.warnings, ...known.warnings]) printError(`warning: ${warning}`);
  const { only, skip, strict, ownClauses } = configuration;
  const workshop: Workshop = {
    session,
    judging: { only, skip, strict, waivers: known.waivers },
    ownClauses,
    creationsLeft: session.maxCreates,
    last: undefined,
  };
  const inTurn = createQueue();
  const server: McpServer = new Server({ name: 'petstore-conformance', version: toolVersion });
  for (const tool of TOOLS) {
    const { description, annotations } = tool;
    server.registerTool(tool.name, { description, annotations, inputSchema: fromJsonSchema(tool.input) }, (given) =>
      inTurn(() => callTool(tool, given, workshop)),
    );
  }
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.server.onclose = resolve;
  process.stdin.once('end', resolve);
  await server.connect(new StdioServerTransport());
  await closed;
  await target.close();
  await exit(0);
}

export function addMcp(program: Command): void {
  const command = program.command('mcp').description(SUMMARIES.mcp);
  for (const option of commanderOptions(mcpOptions)) command.addOption(option);
  command
    .addHelpText(
      'after',
      '\nThe service and its API key are named here, at the start: no tool takes an address, so an agent can send the key nowhere else.\nNeeds the official SDK, installed next to this package: npm install @modelcontextprotocol/server',
    )
    .action(serve);
}
