/** Wrong usage or configuration: one sentence and what to do; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
