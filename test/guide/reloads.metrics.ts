import type { Counter, Registry } from '../../src/probe/metrics/registry.ts';

export const reloadsOf = ({ counter }: Registry): Counter<'reason'> =>
  counter('config_reloads_total', 'Reloads of the configuration, by what asked for them.', ['reason']);
