import { faultsOf } from '../../proof/faults/fault.ts';

export const sampleFaults = faultsOf('list.limit-maximum', {
  'smallest-limit-of-two': [
    'The smallest page of the web console has two animals, and limit=1 gets that one.',
    (parts) => ({
      parseLimit: (texts) => (texts[0] === '1' ? 2 : parts.parseLimit(texts)),
    }),
  ],
});
