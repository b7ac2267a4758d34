/** What the server does where the document is silent: a stable key and a value that can be compared. */
export type Observation = { readonly question: string; readonly answer: string };

/**
 * Why a clause, or a situation of it, is undecided. `service`: the service asked to wait, timed out, or stopped creating. `choice`: an option of the user's.
 * `circumstance`: what the document leaves open (a full page, a small store). `waits`: it waits for a clause that failed, is waived, or is not judged in this run.
 */
export const WHYS = ['service', 'choice', 'circumstance', 'waits'] as const;
export type Why = (typeof WHYS)[number];

export const VERDICTS = ['pass', 'fail', 'inconclusive', 'not-applicable', 'observed', 'waived'] as const;
/** The result of a clause, or of a situation of it, one of VERDICTS. */
export type Verdict = (typeof VERDICTS)[number];

export function passNote(judged: number): string {
  return judged === 1 ? '1 exchange judged, which does not break it' : `${judged} exchanges judged, none of which breaks it`;
}

/** Why nothing counts where no response showed a valid animal. */
export const NOT_RECOGNIZED = 'no response showed a valid animal, so nothing shows that this is a pet store';
