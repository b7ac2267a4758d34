import type { Call, Context, Patch } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { onOutages } from './counters.ts';

/** Rejects, or lets pass, requests before the operation sees them; authentication has passed. */
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

/** Rejects what an operation gets for 150 ms, again and again after so many requests to it. */
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

/** Crashes requests of which the condition holds. */
export function crashIf(condition: (context: Context) => boolean): Patch {
  return (parts) => ({ dispatch: (context) => (condition(context) ? crash() : parts.dispatch(context)) });
}

/** Whether the part rejected. */
export function isProblem(value: unknown): value is Problem {
  return value instanceof Problem;
}

/** The value of a request header as one text. */
export function header(call: Call, name: string): string {
  const value = call.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}
