import type { Depth } from '../../src/session/session.ts';
import { type Reproduction, reproduce } from './reproduce.ts';
import { judgeSubject, type Result, type Subject } from './result.ts';
import { judgeUsedStore, type UsedStore } from './used-store.ts';

/** What a worker of the proof is asked: to judge a server, or whether failing exchanges of single faults come again on a combined one. */
export type Question =
  | { readonly kind: 'judge'; readonly subject: Subject; readonly swift?: boolean; readonly depth?: Depth }
  | { readonly kind: 'use-store'; readonly fault: string }
  | {
      readonly kind: 'reproduce';
      readonly faults: readonly string[];
      readonly of: readonly { readonly fault: string; readonly clause: string }[];
    };

/** What comes back, by the kind of the question. */
export type Reply<Asked extends Question> = Asked extends { readonly kind: 'judge' }
  ? Result
  : Asked extends { readonly kind: 'use-store' }
    ? UsedStore
    : readonly Reproduction[];

export async function answerQuestion(question: Question): Promise<Result | UsedStore | readonly Reproduction[]> {
  if (question.kind === 'use-store') return judgeUsedStore(question.fault);
  if (question.kind === 'reproduce') return reproduce(question);
  const { subject, swift = false, depth = 'standard' } = question;
  return judgeSubject(subject, { swift, depth });
}
