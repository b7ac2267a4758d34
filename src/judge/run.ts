import type { OpenSession } from '../session/open-session.ts';
import { UnreachableError } from '../wire/meant-service.ts';
import { InternalError } from './check.ts';
import { evidenceOf } from './collected.ts';
import type { RunEvidence } from './conclusion.ts';
import { createJudging, type Judged, type JudgingOptions } from './judging.ts';

export type RunOutcome = Judged & {
  /** Why the service can't be reached, if it can't. */
  readonly unreachable?: string;
  /** Why nothing but the first contact can be judged, if that is so. */
  readonly mistaken?: string;
  /** An animal was seen, so what responds is a pet store. */
  readonly recognized: boolean;
  readonly evidence: RunEvidence;
};

/** Reaches the service, or says why it can't be reached or judged. An interrupt ends the wait: the checks then say so. */
async function reach(open: OpenSession, stop: AbortSignal | undefined): Promise<Pick<RunOutcome, 'unreachable' | 'mistaken'>> {
  const { promise: interrupted, resolve } = Promise.withResolvers<object>();
  const interrupt = (): void => resolve({});
  if (stop?.aborted === true) interrupt();
  else stop?.addEventListener('abort', interrupt, { once: true });
  const contact = async (): Promise<Pick<RunOutcome, 'mistaken'>> => {
    await open.start();
    const mistaken = await open.firstContact();
    return mistaken === undefined ? {} : { mistaken: open.redactText(mistaken) };
  };
  try {
    return await Promise.race([contact(), interrupted]);
  } catch (error) {
    if (error instanceof UnreachableError) return { unreachable: open.redactText(error.message) };
    throw error;
  } finally {
    stop?.removeEventListener('abort', interrupt);
  }
}

/**
 * A whole run in a session: first contact, the plan, and the closing requests. Responses of a service that is still starting are not
 * judged. Never rejects: exceptions of the suite are listed in the errors.
 */
export async function judgeRun(open: OpenSession, options: JudgingOptions): Promise<RunOutcome> {
  const { stop } = options;
  const failed = (cause: unknown): InternalError =>
    cause instanceof InternalError ? cause : new InternalError('the run could not be brought to its end', { cause });
  const ending = (closing: RunEvidence['closing']) => ({
    recognized: open.session.knowledge.credible,
    evidence: evidenceOf(open, closing),
  });
  try {
    const contact = await reach(open, stop);
    if (contact.unreachable !== undefined || contact.mistaken !== undefined)
      return { records: [], errors: [], ...contact, ...ending(undefined) };
  } catch (cause) {
    return { records: [], errors: [failed(cause)], ...ending(undefined) };
  }
  const judging = createJudging(open, { ...options, closes: true });
  await judging.run();
  return { ...judging.judged(), ...ending(judging.closing()) };
}
