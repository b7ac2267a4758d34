import { Argument, type Command } from 'commander';
import { NEEDS } from '../../clause/clause.ts';
import { presentId, retiredNotices } from '../../clause/clause-ids.ts';
import { SENTENCES } from '../../clause/interface-document.ts';
import { suggestAmong } from '../../clause/patterns.ts';
import type { SessionCheck, SessionClause } from '../../oracle/world.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import { faultOfPart } from '../../reference/faults/parts.ts';
import type { Variant } from '../../reference/variants/variant.ts';
import { columns, pad, wrap } from '../../report/columns.ts';
import { REPORT_FILES } from '../../report/formats.ts';
import { oneLine } from '../../report/text.ts';
import { helpNotes } from '../help-notes.ts';
import { ourCommand } from '../invocation.ts';
import { LISTS, listText, rowsOf } from '../lists.ts';
import { commanderOptions, type Flags, UsageError } from '../option-spec.ts';
import { listWidth, print, printError, terminalWidth } from '../output.ts';
import { loadOldRegistry, ownClausesOf, ownClausesOption } from '../own-clauses-option.ts';
import { SUMMARIES } from '../summaries.ts';
import examples from './examples.json' with { type: 'json' };

/** One exchange for display. */
export type Shown = { readonly request: string; readonly response: string };
/** What a clause accepts and what it rejects, shown by the reference server without and with a fault. */
export type Example = { readonly accepted: Shown; readonly rejected: Shown & { readonly found: string } };

const EXAMPLES: Readonly<Record<string, Example>> = examples;

type Known = { readonly clauses: readonly SessionClause[]; readonly faults: readonly Fault[]; readonly variants: readonly Variant[] };
type Part = { readonly id: string; readonly title: string; readonly how: string; readonly needs?: string };

const LABEL = 14;

const AND = new Intl.ListFormat('en', { type: 'conjunction' });

/** The preconditions of a check, as a sentence. */
function needsOf({ needs }: SessionCheck): string {
  return needs.length === 0 ? 'It needs nothing.' : `It needs ${AND.format(needs.map((need) => NEEDS[need]))}.`;
}

function partsOf({ checks, invariants }: SessionClause): readonly Part[] {
  return [
    ...checks.map((check) => ({ ...check, how: `${check.step}, ${check.effect}`, needs: needsOf(check) })),
    ...invariants.map((invariant) => ({ ...invariant, how: 'every exchange' })),
  ];
}

/** The clause for an id, which may be that of one of its checks, or the name of a fault that breaks it. */
function clauseOf(id: string, { clauses, faults, variants }: Known): SessionClause {
  const broken = faults.find(({ name }) => name === id)?.clause;
  const clause = clauses.find((one) => one.id === (broken ?? id) || partsOf(one).some((part) => part.id === id));
  if (clause !== undefined) return clause;
  const names = [...faults, ...variants].map(({ name }) => name);
  const ids = [...clauses.flatMap((one) => [one.id, ...partsOf(one).map((part) => part.id)]), ...names, ...LISTS];
  const meant = suggestAmong(id, ids) ?? `"${ourCommand()} explain clauses" shows all clauses, "explain faults" all faults`;
  throw new UsageError(`"${id}" is not a clause, a check, a fault, a variant, or a list: ${meant}`);
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

function variantText({ name, gap, summary }: Variant, width: number): string {
  return [
    `${name}  (variant of the reference server)`,
    '',
    ...labelled('Left open', gap, width),
    ...labelled('Chosen', summary, width),
  ].join('\n');
}

/** A clause, a check, a fault, or a variant in words. Throws UsageError for an unknown id. */
export function explain(id: string, known: Known, width: number): string {
  const variant = known.variants.find(({ name }) => name === id);
  if (variant !== undefined) return variantText(variant, width);
  const clause = clauseOf(id, known);
  const faults = known.faults.filter((fault) => fault.clause === clause.id);
  const parts = partsOf(clause).map(({ how, needs, ...part }) => {
    const fault = faultOfPart(part.id);
    const brokenBy = fault === undefined ? '' : `; broken by --fault ${fault}`;
    const head = `${part.id}  (${how}${brokenBy})`;
    return {
      head: columns(head) <= width - 2 ? head : `${part.id}\n(${how}${brokenBy})`,
      part,
      needs: part.id === id ? needs : undefined,
      isShownBy: fault === id,
    };
  });
  return [
    `${clause.id}  (${clause.level})`,
    '',
    ...labelled('Requirement', clause.requirement, width),
    ...labelled('From', clause.section, width),
    ...(clause.quote ?? []).flatMap((sentence) => labelled('Quote', sentence, width)),
    ...placeLines(clause.id, width),
    ...(clause.level === 'implied' ? labelled('Follows', clause.derivation, width) : []),
    ...labelled('Likely cause', clause.likelyCause, width),
    '',
    'Judged by',
    ...parts.flatMap(({ head, part, needs, isShownBy }) => [
      ...item(head, { text: part.title, marked: part.id === id || isShownBy, width }),
      ...(needs === undefined ? [] : wrap(needs, width - 6).map((line) => `      ${line}`)),
    ]),
    ...exampleLines(EXAMPLES[clause.id], width),
    ...faultLines(faults, { id, width }),
  ].join('\n');
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

/** The requested fault, or the first one, and how many more there are. */
function faultLines(faults: readonly Fault[], { id, width }: { readonly id: string; readonly width: number }): string[] {
  const shown = faults.find(({ name }) => name === id) ?? faults[0];
  if (shown === undefined) return [];
  const more = faults.length === 1 ? [] : [`  and ${faults.length - 1} more: ${ourCommand()} explain faults`];
  return ['', 'Fault of the reference server', ...item(shown.name, { text: shown.summary, marked: shown.name === id, width }), ...more];
}

/** All that `explain` can say something about, with own clauses from these modules. */
export async function explained(ownClauses: readonly string[]): Promise<Known> {
  const [clauses, { faults }, { variants }] = await Promise.all([
    loadOldRegistry(ownClauses),
    import('../../reference/faults/index.ts'),
    import('../../reference/variants/index.ts'),
  ]);
  return { clauses, faults, variants };
}

type ExplainFlags = Flags & { readonly json?: boolean };

async function printExplained(what: string, flags: ExplainFlags): Promise<void> {
  const ownClauses = ownClausesOf(flags);
  const list = LISTS.find((name) => name === what);
  if (list !== undefined) {
    print(flags.json === true ? JSON.stringify(await rowsOf(list, ownClauses), null, 2) : await listText(list, ownClauses, listWidth()));
    return;
  }
  if (flags.json === true) throw new UsageError(`--json is for lists: ${LISTS.join(', ')}`);
  for (const notice of retiredNotices([what])) printError(`warning: ${notice}`);
  print(explain(presentId(what), await explained(ownClauses), terminalWidth()));
}

export function addExplain(program: Command): void {
  const what = new Argument(
    '[what]',
    `a clause or check, as in reports; a fault or variant of the reference server; or a list: ${LISTS.join(', ')}`,
  ).default('clauses');
  const command = program
    .command('explain')
    .description(SUMMARIES.explain)
    .addArgument(what)
    .option('--json', 'a list as JSON')
    .addHelpText('after', helpNotes('">" marks the check or fault you asked for, and the checks that name the fault.'))
    .action(printExplained);
  for (const option of commanderOptions(ownClausesOption)) command.addOption(option);
}
