import type { ClientPart } from '../../src/session/vector.ts';
import { literals } from '../../suites/tables/block.ts';

export const sampleClients = literals<string, ClientPart>(
  { effect: 'read', since: '3.0' },
  {
    Klingon: { headers: [['accept-language', 'tlh']] },
  },
);
