import { type DefectResult, judgeDefect } from './grid/judge-defect.ts';
import { type HoldoutResult, judgeHoldout } from './holdouts/judge-holdout.ts';
import { type Shown, shownBy } from './inverse/shown-by.ts';
import { judgeOnly, type Only } from './only.ts';
import { readHistory } from './recorded/history-file.ts';
import { judgeRecorded, type Rejudged, recordSubject } from './recorded/judge-recorded.ts';
import { type Reproduction, reproduce } from './reproduce.ts';
import { judgeSubject, type RegistrySubject, type Result, type Subject, type SubjectOptions } from './result.ts';
import { judgeUsedStore, type UsedStore } from './used-store.ts';

/** What a worker of the proof is asked: to judge a server by all checks or by one clause, or whether failing exchanges of single faults come again on a combined one. */
export type Question =
  | ({ readonly kind: 'judge'; readonly subject: Subject } & SubjectOptions)
  /** To judge a server and keep its history in the folder; to judge it anew from there. */
  | { readonly kind: 'record'; readonly subject: RegistrySubject; readonly folder: string }
  | { readonly kind: 'recorded'; readonly subject: RegistrySubject; readonly folder: string }
  /** By which requests the recorded server is seen to be broken. */
  | { readonly kind: 'shown'; readonly subject: RegistrySubject; readonly folder: string }
  | { readonly kind: 'use-store'; readonly fault: string }
  | { readonly kind: 'grid'; readonly name: string }
  | { readonly kind: 'holdout'; readonly name: string }
  | { readonly kind: 'only'; readonly clause: string; readonly faults: readonly string[] }
  | {
      readonly kind: 'reproduce';
      readonly faults: readonly string[];
      readonly of: readonly { readonly fault: string; readonly clause: string }[];
    };

/** What comes back, by the kind of the question. */
export type Reply<Asked extends Question> = Asked extends { readonly kind: 'judge' | 'record' }
  ? Result
  : Asked extends { readonly kind: 'recorded' }
    ? Rejudged
    : Asked extends { readonly kind: 'shown' }
      ? Shown
      : Asked extends { readonly kind: 'use-store' }
        ? UsedStore
        : Asked extends { readonly kind: 'only' }
          ? Only
          : Asked extends { readonly kind: 'grid' }
            ? DefectResult
            : Asked extends { readonly kind: 'holdout' }
              ? HoldoutResult
              : readonly Reproduction[];

export async function answerQuestion(
  question: Question,
): Promise<Result | Rejudged | Shown | UsedStore | Only | DefectResult | HoldoutResult | readonly Reproduction[]> {
  if (question.kind === 'record') return recordSubject(question.folder, question.subject);
  if (question.kind === 'recorded') return judgeRecorded(question.folder, question.subject);
  if (question.kind === 'shown') return shownBy(readHistory(question.folder, question.subject));
  if (question.kind === 'use-store') return judgeUsedStore(question.fault);
  if (question.kind === 'grid') return judgeDefect(question.name);
  if (question.kind === 'holdout') return judgeHoldout(question.name);
  if (question.kind === 'only') return judgeOnly(question.clause, question.faults);
  if (question.kind === 'reproduce') return reproduce(question);
  const { subject, ...options } = question;
  return judgeSubject(subject, options);
}
