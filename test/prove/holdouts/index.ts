import { database } from './database.ts';
import { distributed } from './distributed.ts';
import { enterprise } from './enterprise.ts';
import { gateway } from './gateway.ts';
import { generated } from './generated.ts';
import { handwritten } from './handwritten.ts';
import type { Holdout } from './holdout.ts';
import { sdk } from './sdk.ts';
import { serverless } from './serverless.ts';

/** The servers of each author, by the given theme. */
export const CORPORA = { database, gateway, generated, serverless, handwritten, enterprise, sdk, distributed } as const satisfies Readonly<
  Record<string, readonly Holdout[]>
>;

export const holdouts: readonly Holdout[] = Object.values(CORPORA).flat();
