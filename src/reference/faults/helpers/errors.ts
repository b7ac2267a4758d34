import type { Patch } from '../../core/parts.ts';
import type { Problem } from '../../core/problem.ts';
import { rewriteIf } from './replies.ts';

type ErrorRecord = { code: unknown; message: unknown; status: unknown };

/** A different Error body. */
export function shape(change: (record: ErrorRecord, problem: Problem) => unknown): Patch {
  return () => ({ errorRecord: (problem) => change({ code: problem.code, message: problem.message, status: problem.status }, problem) });
}

/** A different Error body for one status. */
export function shapeOf(status: number, change: (record: ErrorRecord, problem: Problem) => unknown): Patch {
  return (parts) => ({
    errorRecord: (problem, call) => {
      const { code, message } = problem;
      return status === problem.status ? change({ code, message, status }, problem) : parts.errorRecord(problem, call);
    },
  });
}

/** A different body and media type for the errors of one status. */
export function plainBody(status: number, body: string, type: string): Patch {
  return rewriteIf(
    (reply, { call }) => reply.status === status && call.operation !== 'unknown',
    ({ headers }) => ({ body, headers: { ...headers, 'content-type': type } }),
  );
}
