import type { Fingerprint } from './fingerprint.ts';

export const micronaut: readonly Fingerprint[] = [
  {
    product: 'Micronaut',
    writer: "Micronaut's JsonError",
    source: 'micronaut-projects/micronaut-core, HateoasErrorResponseProcessor.java; docs.micronaut.io, Error Handling',
    advice: 'Replace the ErrorResponseProcessor (in Micronaut 4.7 and later the JsonErrorResponseBodyProvider) by a bean of your own',
    matches: ({ members }) =>
      ['_links,_embedded,message', 'message,_links,_embedded', 'message,_embedded,_links', '_embedded,_links,message'].includes(members),
  },
];
