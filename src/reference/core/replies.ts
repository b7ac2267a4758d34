import type { Context, Reply } from './parts.ts';
import type { Problem } from './problem.ts';

/** A JSON reply with the headers that the parts add. */
export function jsonReply(context: Context, status: number, value: unknown, extra: Readonly<Record<string, string>> = {}): Reply {
  const { parts, call } = context;
  const headers = parts.headers({ 'content-type': 'application/json', ...extra }, { status }, call);
  return { status, headers, body: parts.encode(value) };
}

/** The reply to a rejected request: an Error body. */
export function problemReply(context: Context, problem: Problem): Reply {
  const { parts, call } = context;
  return jsonReply(context, parts.errorStatus(problem, call), parts.errorRecord(problem, call), problem.headers);
}
