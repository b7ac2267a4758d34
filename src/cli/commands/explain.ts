import type { Command } from 'commander';
import { isNeed, NEEDS, waitsForOf } from '../../clause/needs.ts';
import type { SessionCheck, SessionClause } from '../../judge/judge-check.ts';
import { suggestAmong } from '../../judge/select.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import { columns, pad, wrap } from '../../report/text.ts';
import { loadEnvironment } from '../environment.ts';
import { commanderOptions, resolveOptions } from '../option-spec.ts';
import { judgeOptions } from '../options.ts';
import { print, terminalWidth } from '../output.ts';
import { loadRegistry } from '../own-clauses-option.ts';
import { SUMMARIES } from '../summaries.ts';
import { UsageError } from '../usage-error.ts';

type Known = { readonly clauses: readonly SessionClause[]; readonly faults: readonly Fault[] };
type Part = { readonly id: string; readonly title: string; readonly fault?: string; readonly how: string; readonly needs?: string };

const LABEL = 14;

const AND = new Intl.ListFormat('en', { type: 'conjunction' });
const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** What a check needs, and what it waits for, as a sentence. */
function needsOf({ given }: SessionCheck): string {
  if (given.length === 0) return 'It needs nothing.';
  const needs = given.filter(isNeed).map((need) => NEEDS[need].what);
  const waits = `it waits for ${OR.format(waitsForOf(given))}.`;
  return needs.length === 0 ? `If there is nothing to judge, ${waits}` : `It needs ${AND.format(needs)}. If something is missing, ${waits}`;
}

function partsOf({ checks, invariants }: SessionClause): readonly Part[] {
  return [
    ...checks.map((check) => ({ ...check, how: `${check.step}, ${check.effect}`, needs: needsOf(check) })),
    ...invariants.map((invariant) => ({ ...invariant, how: 'every exchange' })),
  ];
}

/** The clause of an id, which may be that of one of its checks, or the name of a fault that breaks it. */
function clauseOf(id: string, { clauses, faults }: Known): SessionClause {
  const broken = faults.find(({ name }) => name === id)?.clause;
  const clause = clauses.find((one) => one.id === (broken ?? id) || partsOf(one).some((part) => part.id === id));
  if (clause !== undefined) return clause;
  const ids = [...clauses.flatMap((one) => [one.id, ...partsOf(one).map((part) => part.id)]), ...faults.map(({ name }) => name)];
  const meant = suggestAmong(id, ids) ?? '`petstore-conformance list checks` and `list faults` show what there is';
  throw new UsageError(`"${id}" is not the id of a clause or a check, nor the name of a fault: ${meant}`);
}

function labelled(label: string, text: string, width: number): string[] {
  const [first = '', ...rest] = wrap(text, width - LABEL);
  return [pad(label, LABEL) + first, ...rest.map((line) => ' '.repeat(LABEL) + line)];
}

/** A name that is marked where it is what was asked for, and a text below it. */
function item(
  name: string,
  { text, marked, width }: { readonly text: string; readonly marked: boolean; readonly width: number },
): string[] {
  const head = wrap(name, width - 2).map((line, index) => `${marked && index === 0 ? '>' : ' '} ${line}`);
  return [...head, ...wrap(text, width - 6).map((line) => `      ${line}`)];
}

/** A clause, a check or a fault in words. Throws UsageError for an id that there is not. */
export function explain(id: string, known: Known, width: number): string {
  const clause = clauseOf(id, known);
  const faults = known.faults.filter((fault) => fault.clause === clause.id);
  const parts = partsOf(clause).map(({ how, fault, needs, ...part }) => {
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
    ...(clause.level === 'implied' ? labelled('Follows', clause.derivation, width) : []),
    ...labelled('Likely cause', clause.likelyCause, width),
    '',
    'Judged by',
    ...parts.flatMap(({ head, part, needs, isShownBy }) => [
      ...item(head, { text: part.title, marked: part.id === id || isShownBy, width }),
      ...(needs === undefined ? [] : wrap(needs, width - 6).map((line) => `      ${line}`)),
    ]),
    ...(faults.length === 0 ? [] : ['', 'Faults of the reference server that break it']),
    ...faults.flatMap(({ name, summary }) => item(name, { text: summary, marked: name === id, width })),
  ].join('\n');
}

const ownOptions = { ownClauses: judgeOptions.ownClauses } as const;

export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .description(SUMMARIES.explain)
    .argument('<id>', 'a clause or check, as in reports, or a fault of the reference server')
    .addHelpText('after', '\n">" marks the check or fault you asked for, and the checks that name the fault.')
    .action(async (id: string, options: Readonly<Record<string, unknown>>) => {
      const { ownClauses } = resolveOptions(ownOptions, options, loadEnvironment().environment);
      const [clauses, { faults }] = await Promise.all([loadRegistry(ownClauses), import('../../reference/faults/index.ts')]);
      print(explain(id, { clauses, faults }, terminalWidth()));
    });
  for (const option of commanderOptions(ownOptions)) command.addOption(option);
}
