import { request } from 'undici';
import { messageOf } from './messages.ts';

/** The moments of a run that are sent to a heartbeat service (the conventions of healthchecks.io). */
export type PingMoment = 'start' | 'success' | 'fail';

const PATIENCE = 10_000;
const LONGEST_BODY = 10_000;
const SUFFIX: Readonly<Record<PingMoment, string>> = { start: '/start', success: '', fail: '/fail' };

/** The address for a moment: the path is extended, and a query stays after it. */
export function pingUrl(base: string, moment: PingMoment): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + SUFFIX[moment];
  return url.href;
}

/** Sends a moment to a heartbeat service; returns what went wrong, which is never a reason to fail the run. */
export async function ping(base: string, moment: PingMoment, body = ''): Promise<string | undefined> {
  const host = new URL(base).host;
  try {
    const answer = await request(pingUrl(base, moment), {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'petstore-conformance' },
      body: body.slice(0, LONGEST_BODY),
      signal: AbortSignal.timeout(PATIENCE),
      reset: true,
    });
    await answer.body.dump();
    return answer.statusCode < 300 ? undefined : `ping (${moment}) to ${host} returned ${answer.statusCode}`;
  } catch (error) {
    // Never the URL: its path may be a secret.
    return `ping (${moment}) to ${host} failed: ${messageOf(error)}`;
  }
}
