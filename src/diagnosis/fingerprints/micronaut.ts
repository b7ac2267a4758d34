import type { Fingerprint } from './fingerprint.ts';

export const micronaut: readonly Fingerprint[] = [
  {
    product: 'Micronaut',
    writer: "Micronaut's JsonError",
    source: 'micronaut-projects/micronaut-core, HateoasErrorResponseProcessor.java; docs.micronaut.io, Error Handling',
    advice:
      'Add a bean of your own that implements ErrorResponseProcessor, and set application/json there: a JsonErrorResponseBodyProvider leaves browsers their pages',
    matches: ({ members }) =>
      ['_links,_embedded,message', 'message,_links,_embedded', 'message,_embedded,_links', '_embedded,_links,message'].includes(members),
  },
];
