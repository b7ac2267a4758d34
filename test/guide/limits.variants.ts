import { variantsOf } from '../../src/reference/variants/variant.ts';

export const sampleVariants = variantsOf('A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.', {
  'huge-limit-means-most': [
    'A limit of more than 100 shows as many animals as are allowed.',
    (parts) => ({
      parseLimit: (texts) => (Number(texts[0]) > 100 ? 100 : parts.parseLimit(texts)),
    }),
  ],
});
