import { Argument, type Command } from 'commander';
import { presentMust } from '../../clause/check-ids.ts';
import { SENTENCES } from '../../clause/interface-document.ts';
import { suggestAmong } from '../../clause/patterns.ts';
import type { Clause, Must } from '../../oracle/rule.ts';
import { FAULTS } from '../../reference/faults.ts';
import { pad, wrap } from '../../report/columns.ts';
import { REPORT_FILES } from '../../report/formats.ts';
import { oneLine } from '../../report/text.ts';
import type { RowOperation } from '../../session/vector.ts';
import { helpNotes } from '../help-notes.ts';
import { ourCommand } from '../invocation.ts';
import { GONE_LISTS, LISTS, listText, rowsOf } from '../lists.ts';
import { commanderOptions, type Flags, UsageError } from '../option-spec.ts';
import { listWidth, print, printError, terminalWidth } from '../output.ts';
import { loadRegistry, ownClausesOf, ownClausesOption } from '../own-clauses-option.ts';
import { SUMMARIES } from '../summaries.ts';
import examples from './examples.json' with { type: 'json' };

/** One exchange for display. */
export type Shown = { readonly request: string; readonly response: string };
/** What a clause accepts and what it rejects, shown by the reference server without and with a fault. */
export type Example = { readonly accepted: Shown; readonly rejected: Shown & { readonly found: string } };

const EXAMPLES: Readonly<Record<string, Example>> = examples;

const LABEL = 14;

/** The clause for an id, which may be that of a check of version 2, or the name of a fault that breaks it. */
function clauseOf(id: string, clauses: readonly Clause[]): Clause {
  const meant = Object.entries(FAULTS).find(([name]) => name === id)?.[1].clause ?? presentMust(id)?.clause ?? id;
  const clause = clauses.find((one) => one.id === meant);
  if (clause !== undefined) return clause;
  const ids = [...clauses.map((one) => one.id), ...Object.keys(FAULTS), ...LISTS];
  const advice = suggestAmong(id, ids) ?? `"${ourCommand()} explain clauses" shows all clauses, "explain faults" all faults`;
  throw new UsageError(`"${id}" is not a clause, a fault, or a list: ${advice}`);
}

function labelled(label: string, text: string, width: number): string[] {
  const [first = '', ...rest] = wrap(text, width - LABEL);
  return [pad(label, LABEL) + first, ...rest.map((line) => ' '.repeat(LABEL) + line)];
}

/** A name, marked if it is what was asked for, and a text below it. */
function item(
  name: string,
  { text, marked, width }: { readonly text: string; readonly marked: boolean; readonly width: number },
): string[] {
  const head = wrap(name, width - 2).map((line, index) => `${marked && index === 0 ? '>' : ' '} ${line}`);
  return [...head, ...wrap(text, width - 6).map((line) => `      ${line}`)];
}

const ADDRESSES: readonly (readonly [RowOperation, string])[] = [
  ['list', 'GET /pets'],
  ['get', 'GET /pets/{id}'],
  ['create', 'POST /pets'],
];

/** What a run sends for the sake of a clause, in words. */
async function sentFor({ id, rows = [] }: Clause): Promise<string> {
  const [{ plannedFor }, { isOwnClause }] = await Promise.all([
    import('../../../suites/plan/index.ts'),
    import('../../clause/clause-ids.ts'),
  ]);
  const vectors = isOwnClause(id) ? rows : plannedFor(id);
  const counts = ADDRESSES.map(([op, address]) => [vectors.filter((one) => one.op === op).length, address] as const);
  const named = counts.flatMap(([amount, address]) => (amount === 0 ? [] : [`${amount} × ${address}`]));
  return named.length === 0
    ? 'nothing of its own: all requests of a run that it is about count'
    : `${named.join(', ')} at depth standard; all other requests that it is about count, too`;
}

/** A clause in words, for its id or for the name of a fault that breaks it. Throws UsageError for an unknown id. */
export async function explain(id: string, clauses: readonly Clause[], width: number): Promise<string> {
  const clause = clauseOf(id, clauses);
  return [
    `${clause.id}  (${clause.level})`,
    '',
    ...labelled('Requirement', clause.requirement, width),
    ...labelled('From', clause.section, width),
    ...(clause.quote ?? []).flatMap((sentence) => labelled('Quote', sentence, width)),
    ...placeLines(clause.id, width),
    ...(clause.level === 'implied' ? labelled('Follows', clause.derivation, width) : []),
    ...labelled('Likely cause', clause.likelyCause, width),
    ...labelled('Sent', await sentFor(clause), width),
    ...situationLines(clause, { id, width }),
    ...exampleLines(EXAMPLES[clause.id], width),
    ...faultLines(clause, { id, width }),
  ].join('\n');
}

/** The situations in which a clause has to be seen before it passes; those that took the place of a check of version 2 are marked. */
function situationLines({ level, must }: Clause, { id, width }: { readonly id: string; readonly width: number }): string[] {
  if (level === 'open') return ['', 'Not judged: a run records what the service does'];
  const asked = presentMust(id);
  const isAsked = (title: string): boolean => asked !== undefined && (asked.musts?.includes(title) ?? true);
  const once = ({ accepts }: Must): string => (accepts === undefined ? '' : ` once ${accepts} has accepted a request`);
  const [common = '', ...others] = new Set(must.map(once));
  const lines = must.flatMap((one) =>
    wrap(`${one.title}${others.length === 0 ? '' : once(one)}`, width - 2).map(
      (line, index) => `${isAsked(one.title) && index === 0 ? '>' : ' '} ${line}`,
    ),
  );
  return ['', `Judged${others.length === 0 ? common : ''} in`, ...lines];
}

/** Where the sentences that a clause judges are in the page of a run. */
function placeLines(id: string, width: number): string[] {
  const sentences = SENTENCES.filter((sentence) => 'clauses' in sentence && sentence.clauses.some((one) => one === id));
  const anchors = sentences.map((sentence) => `#${sentence.id}`).join(', ');
  return sentences.length === 0 ? [] : labelled('Document', `${REPORT_FILES.document[0]}${anchors}`, width);
}

/** A request with its response below it, accepted and rejected. */
function exampleLines(example: Example | undefined, width: number): string[] {
  if (example === undefined) return [];
  const { accepted, rejected } = example;
  const shown = ({ request, response }: Shown): string[] => [request, `→ ${response}`].map((text) => oneLine(text, width - LABEL));
  const block = (label: string, lines: readonly string[]): string[] =>
    lines.map((line, index) => (index === 0 ? pad(label, LABEL) : ' '.repeat(LABEL)) + line);
  return ['', ...block('Accepted', shown(accepted)), ...block('Rejected', [...shown(rejected), ...wrap(rejected.found, width - LABEL)])];
}

/** The fault of the reference server that breaks the clause, if there is one. */
function faultLines({ id: clause }: Clause, { id, width }: { readonly id: string; readonly width: number }): string[] {
  const found = Object.entries(FAULTS).find(([, fault]) => fault.clause === clause);
  if (found === undefined) return [];
  const [name, { summary }] = found;
  return ['', 'Fault of the reference server', ...item(name, { text: summary, marked: name === id, width })];
}

type ExplainFlags = Flags & { readonly json?: boolean };

async function printExplained(what: string, flags: ExplainFlags): Promise<void> {
  const ownClauses = ownClausesOf(flags);
  const list = LISTS.find((name) => name === what);
  const gone = Object.hasOwn(GONE_LISTS, what) ? GONE_LISTS[what] : undefined;
  if (gone !== undefined) throw new UsageError(`\`explain ${what}\` was removed in version 3: ${gone}`);
  if (list !== undefined) {
    print(flags.json === true ? JSON.stringify(await rowsOf(list, ownClauses), null, 2) : await listText(list, ownClauses, listWidth()));
    return;
  }
  if (flags.json === true) throw new UsageError(`--json is for lists: ${LISTS.join(', ')}`);
  const clause = presentMust(what)?.clause;
  if (clause !== undefined) printError(`warning: ${what} is a check of version 2: it is judged with its clause, ${clause}`);
  print(await explain(what, await loadRegistry(ownClauses), terminalWidth()));
}

export function addExplain(program: Command): void {
  const what = new Argument('[what]', `a clause, as in reports; a fault of the reference server; or a list: ${LISTS.join(', ')}`).default(
    'clauses',
  );
  const command = program
    .command('explain')
    .description(SUMMARIES.explain)
    .addArgument(what)
    .option('--json', 'a list as JSON')
    .addHelpText('after', helpNotes('">" marks the fault you asked for, or the situations of the check of version 2.'))
    .action(printExplained);
  for (const option of commanderOptions(ownClausesOption)) command.addOption(option);
}
