import { type Block, cellsOf, INTERFACE_DOCUMENT } from '../clause/interface-document.ts';
import type { RunRecord } from '../clause/run-record.ts';
import {
  brokenOwnClauses,
  type ClauseAtSentence,
  countSentences,
  type JudgedSentence,
  judgeSentences,
  type PlainClauses,
  SENTENCE_VERDICTS,
  verdictWord,
} from './document-verdicts.ts';
import type { ReportFile } from './formats.ts';
import { headline } from './headline.ts';
import { anchorOf } from './html/requirements.ts';
import { statusWord } from './html/status.ts';
import { inertText } from './inert.ts';
import { inlineCode, prose, signOf, table } from './markdown.ts';

type Parts = { readonly judged: ReadonlyMap<string, JudgedSentence>; readonly report: ReportFile | undefined };

/**
 * The interface document in GitHub's Markdown, with the verdict of the run below each sentence.
 *
 * @param others the other files of the run in the same folder, to which it may link
 */
export function renderDocumentMarkdown(record: RunRecord, others: readonly ReportFile[] = []): string {
  const parts: Parts = { judged: judgeSentences(record), report: others.find((file) => file === 'report.html') };
  const blocks = INTERFACE_DOCUMENT.flatMap((block) =>
    block.kind === 'heading' && block.level === 1 ? [`# ${block.text}`, headText(record, parts)] : [blockText(block, parts)],
  );
  return `${inertText(blocks.join('\n\n'))}\n`;
}

function headText(record: RunRecord, parts: Parts): string {
  const { all, judged, by } = countSentences(parts.judged.values());
  const counts = SENTENCE_VERDICTS.filter((verdict) => by[verdict] > 0).map(
    (verdict) => `${by[verdict]} ${verdictWord(verdict, by[verdict])}`,
  );
  const own = brokenOwnClauses(record).map((one) => `- not in the document: ${tellingText(one, parts.report)}`);
  return [
    `**${prose(headline(record), 400)}** · ${inlineCode(record.target.baseUrl)} · petstore-conformance ${prose(record.tool.version, 40)}`,
    `${all} sentences, ${judged} judged: ${counts.join(', ')}`,
    ...(own.length === 0 ? [] : [own.join('\n')]),
  ].join('\n\n');
}

function blockText(block: Block, parts: Parts): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'paragraph':
      return block.sentences.map(({ id }) => sentenceText(id, parts)).join('\n\n');
    case 'list':
      return block.items
        .flat()
        .map(({ id }) => sentenceText(id, parts))
        .join('\n\n');
    case 'table':
      return table(
        [...cellsOf(block.head), 'verdict'],
        block.rows.map(({ id, text }) => [...cellsOf(text), verdictText(id, parts)]),
      );
    default:
      return block satisfies never;
  }
}

function sentenceText(id: string, parts: Parts): string {
  return `> ${parts.judged.get(id)?.sentence.text ?? ''}\n\n${verdictText(id, parts)}`;
}

function verdictText(id: string, { judged, report }: Parts): string {
  const one = judged.get(id);
  if (one === undefined) return '';
  const { sentence, verdict, telling, plain } = one;
  if (!('clauses' in sentence)) return `${verdictWord(verdict)}: ${prose(sentence.notJudged)}`;
  const namesOf = ({ clauses }: PlainClauses): string => clauses.map((clause) => inlineCode(clause.id)).join(', ');
  const sign = signOf(verdict === 'undecided' || verdict === 'nothing-to-judge' ? 'inconclusive' : verdict);
  return [
    `${sign} **${verdictWord(verdict)}**`,
    ...plain.filter(({ status }) => status === verdict).map(namesOf),
    ...telling.map((clause) => tellingText(clause, report)),
    ...plain.filter(({ status }) => status !== verdict).map((group) => `${clauseWord(group.status)}: ${namesOf(group)}`),
  ].join(' · ');
}

function clauseWord(status: ClauseAtSentence['status']): string {
  return status === 'not-selected' ? 'not in this run' : statusWord(status);
}

const LINKED: readonly ClauseAtSentence['status'][] = ['failed', 'warning', 'waived'];

function tellingText({ id, status, note }: ClauseAtSentence, report: ReportFile | undefined): string {
  const name = inlineCode(id);
  const link = report === undefined || !LINKED.includes(status) ? name : `[${name}](${report}#${anchorOf(id)})`;
  return `${link} ${clauseWord(status)}: ${prose(note, 400)}`;
}
