import type { Call, Context, Patch } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { onOutages } from './counters.ts';

/** Rejects requests, or lets them pass, before the operation sees them; authentication has passed. */
export function reject(judge: (context: Context) => Problem | undefined): Patch {
  return (parts) => ({
    dispatch: (context) => {
      const problem = judge(context);
      if (problem === undefined) return parts.dispatch(context);
      const { status, code, message } = problem;
      return {
        status,
        headers: parts.headers({ 'content-type': 'application/json' }, { status }, context.call),
        body: JSON.stringify({ code, message, status }),
      };
    },
  });
}

/** Rejects all requests to an operation for 150 ms, repeatedly after this many requests to it. */
export function rejectForMoments(
  operation: Call['operation'],
  { every, problem }: { readonly every: number; readonly problem: Problem },
): Patch {
  return onOutages({ every, length: 150 }, (isGone) =>
    reject(({ call }) => (call.operation === operation && isGone() ? problem : undefined)),
  );
}

/** A crash inside the operation: the server responds with 500 and an Error body. */
export function crash(): never {
  throw new Error('crashed on purpose');
}

/** Crashes requests that meet the condition. */
export function crashIf(condition: (context: Context) => boolean): Patch {
  return (parts) => ({ dispatch: (context) => (condition(context) ? crash() : parts.dispatch(context)) });
}

/** Whether the part rejected the request. */
export function isProblem(value: unknown): value is Problem {
  return value instanceof Problem;
}

/** The value of a request header as one text. */
export function header(call: Call, name: string): string {
  const value = call.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}
