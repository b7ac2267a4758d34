import { variantsOf } from '../../proof/variants/variant.ts';

export const sampleVariants = variantsOf('list.limit-out-of-range', {
  'huge-limit-means-most': [
    'A limit of more than 100 shows as many animals as are allowed.',
    (parts) => ({
      parseLimit: (texts) => (Number(texts[0]) > 100 ? 100 : parts.parseLimit(texts)),
    }),
  ],
});
