// The service that `--start` starts: when it is ready to be judged, and that it ends with the run.

import { setTimeout as pause } from 'node:timers/promises';
import { duration } from '../report/text.ts';
import type { SessionOptions } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { askWithoutKey, isStarting } from '../wire/meant-service.ts';
import { sessionRedactor } from '../wire/redact.ts';
import { UsageError } from './option-spec.ts';
import { printError } from './output.ts';
import { type GroupEnd, type ProcessGroup, startGroup } from './process-group.ts';

/** Milliseconds that a started service has to respond, unless `--wait-for-ready` says otherwise. */
export const STARTED_WITHIN = 60_000;
const PAUSE = 100;
/** Milliseconds after which a line says what the run waits for. */
const SILENT = 5_000;

type Outcome = Exchange['outcome'];

/** Whether nothing listens at the address, or a gateway or proxy in front of it says so. */
function isFree(outcome: Outcome): boolean {
  if (outcome.kind === 'answered') return isStarting({ outcome });
  return ['dns', 'connect'].includes(outcome.failure.reason) || outcome.failure.party === 'proxy';
}

/** Whether there is something to judge; a port may be open before anything responds on it. */
function isUp(outcome: Outcome): boolean {
  if (outcome.kind === 'answered') return !isStarting({ outcome });
  return !isFree(outcome) && outcome.failure.reason !== 'timeout' && outcome.failure.silent !== true;
}

export type StartedService = {
  /** Why it can't be judged: a sentence, and the last lines that its command wrote. Undefined if it can. */
  readonly failure: readonly string[] | undefined;
  /** Ends everything that the command started. Warns if the command had ended before. */
  end(): Promise<void>;
};

type Starting = { readonly session: SessionOptions; readonly signal: AbortSignal };

/** Why the service can't be judged; undefined once it responds, or if the signal ends the wait. */
async function whyNotUp(group: ProcessGroup, { session, signal }: Starting): Promise<string | undefined> {
  const patience = session.waitForReady === 0 ? STARTED_WITHIN : session.waitForReady;
  const stopped = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => stopped.resolve(undefined), { once: true });
  for (const begin = performance.now(); !signal.aborted; await Promise.race([pause(PAUSE), stopped.promise])) {
    const seen: Outcome | GroupEnd | undefined = await Promise.race([group.ended, stopped.promise, askWithoutKey(session)]);
    if (seen === undefined) return undefined;
    if ('how' in seen) return `the command of --start ${seen.how} before ${session.baseUrl} responded; it has to stay in the foreground`;
    if (isUp(seen)) return undefined;
    if (performance.now() - begin < patience) continue;
    // What responds can be judged, however it does.
    if (seen.kind === 'answered') return undefined;
    return `${session.baseUrl} did not respond within ${duration(patience)} of the command of --start (${seen.failure.message}); --wait-for-ready allows more time`;
  }
  return undefined;
}

/**
 * Starts a service, and waits until it responds. Throws UsageError if something responds already: the run would not judge what the command
 * starts.
 */
export async function startService(command: string, starting: Starting): Promise<StartedService> {
  const { baseUrl } = starting.session;
  if (!isFree(await askWithoutKey(starting.session)))
    throw new UsageError(
      `something listens at ${baseUrl} already, so the run would not judge what --start starts: stop it, use another port, or leave out --start`,
    );
  const group = startGroup(command);
  let endedBefore: GroupEnd | undefined;
  void group.ended.then((how) => {
    endedBefore = how;
  });
  const lines = (): readonly string[] => {
    const last = group.lastLines(sessionRedactor(starting.session));
    return last.length === 0 ? ['it wrote nothing'] : last;
  };
  const notice = setTimeout(() => printError(`waiting for the command of --start: ${baseUrl} does not respond yet`), SILENT);
  const why = await whyNotUp(group, starting).finally(() => clearTimeout(notice));
  if (why !== undefined) {
    await group.end();
    return { failure: [why, ...lines()], end: async () => undefined };
  }
  return {
    failure: undefined,
    async end() {
      const before = endedBefore;
      await group.end();
      if (before !== undefined) printError([`warning: the command of --start ${before.how} during the run:`, ...lines()].join('\n  '));
    },
  };
}
