import { judgeSetting } from '../../proof/judge-server.ts';
import { CONFORMING_TIMEOUT, FAULT_WINDOW } from '../../proof/result.ts';
import { adapters } from './adapters.ts';
import { assisted } from './assisted.ts';
import { choices } from './choices.ts';
import { clients } from './clients.ts';
import { compromises } from './compromises.ts';
import { database } from './database.ts';
import { distributed } from './distributed.ts';
import { edges } from './edges.ts';
import { embedded } from './embedded.ts';
import { enterprise } from './enterprise.ts';
import { eventdriven } from './eventdriven.ts';
import { features } from './features.ts';
import { frameworks } from './frameworks.ts';
import { gateway } from './gateway.ts';
import { generated } from './generated.ts';
import { handwritten } from './handwritten.ts';
import { hardened } from './hardened.ts';
import { histories } from './histories.ts';
import { type Holdout, startHoldout } from './holdout.ts';
import { hotfixes } from './hotfixes.ts';
import { identifiers } from './identifiers.ts';
import { inmemory } from './inmemory.ts';
import { languages } from './languages.ts';
import { localized } from './localized.ts';
import { lowcode } from './lowcode.ts';
import { maintained } from './maintained.ts';
import { microservices } from './microservices.ts';
import { middleware } from './middleware.ts';
import { migrated } from './migrated.ts';
import { observed } from './observed.ts';
import { policies } from './policies.ts';
import { pooled } from './pooled.ts';
import { ported } from './ported.ts';
import { proxies } from './proxies.ts';
import { readings } from './readings.ts';
import { relational } from './relational.ts';
import { resilient } from './resilient.ts';
import { scaffolds } from './scaffolds.ts';
import { sdk } from './sdk.ts';
import { serializers } from './serializers.ts';
import { serverless } from './serverless.ts';
import { slips } from './slips.ts';
import { stores } from './stores.ts';
import { textual } from './textual.ts';
import { tuned } from './tuned.ts';
import { upgrades } from './upgrades.ts';
import { validators } from './validators.ts';

/** The servers of each author, by the given theme. */
export const CORPORA = {
  database,
  gateway,
  generated,
  serverless,
  handwritten,
  enterprise,
  sdk,
  distributed,
  ported,
  eventdriven,
  hardened,
  migrated,
  tuned,
  pooled,
  textual,
  assisted,
  frameworks,
  edges,
  policies,
  slips,
  stores,
  lowcode,
  observed,
  localized,
  resilient,
  clients,
  features,
  languages,
  adapters,
  hotfixes,
  embedded,
  choices,
  validators,
  compromises,
  readings,
  histories,
  identifiers,
  middleware,
  upgrades,
  serializers,
  relational,
  proxies,
  scaffolds,
  inmemory,
  microservices,
  maintained,
} as const satisfies Readonly<Record<string, readonly Holdout[]>>;

export const holdouts: readonly Holdout[] = Object.values(CORPORA).flat();

/** The gate's result for a hold-out server. */
export type HoldoutResult = {
  readonly name: string;
  /** Required and implied clauses that it finds broken. */
  readonly red: readonly string[];
  /** Advised clauses that it finds broken. */
  readonly advised: readonly string[];
  /** The first finding of these, if there is one. */
  readonly first: string | undefined;
  readonly requests: number;
};

/** A run on the hold-out with that name. */
export async function judgeHoldout(name: string): Promise<HoldoutResult> {
  const holdout = holdouts.find((one) => one.name === name);
  if (holdout === undefined) throw new Error(`no hold-out is called "${name}"`);
  const window = holdout.kind === 'fault' ? { consistencyWindow: FAULT_WINDOW } : {};
  const { clauses, operations } = await judgeSetting(
    { start: () => startHoldout(holdout), session: { timeout: CONFORMING_TIMEOUT, ...window } },
    { explained: false },
  );
  const failed = clauses.filter(({ verdict }) => verdict === 'fail');
  const [advised = [], red = []] = [true, false].map((isAdvised) => failed.filter(({ level }) => (level === 'advised') === isAdvised));
  return {
    name,
    red: red.map(({ id }) => id),
    advised: advised.map(({ id }) => id),
    first: red[0]?.findings[0]?.summary,
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
  };
}
