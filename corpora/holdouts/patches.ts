// What patches of several authors share.

import type { Call, Context, Parts, Patch, Reply } from '../../src/reference/core/parts.ts';

/** The context of a call that is changed in these ways. */
export const withCall = (context: Context, changes: Partial<Call>): Context => ({ ...context, call: { ...context.call, ...changes } });

/** A middleware around the whole request; `make` runs once a server and holds its state. */
export const around =
  (make: () => (context: Context, next: Parts['handle']) => Reply | Promise<Reply>): Patch =>
  (parts) => {
    const run = make();
    return { handle: (context) => run(context, parts.handle) };
  };
