/** Bad usage or configuration: one sentence and how to go on; exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
