import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

export const symfony: readonly Fingerprint[] = [
  {
    product: 'Symfony',
    writer: "Symfony's problem normalizer",
    source: 'symfony/symfony, src/Symfony/Component/Serializer/Normalizer/ProblemNormalizer.php; symfony.com, How to Customize Error Pages',
    advice: 'Write a normalizer for FlattenException, or a listener for kernel.exception that sets the response',
    matches: (traces) =>
      traces.members.startsWith('type,title,status') &&
      /^https:\/\/(?:tools\.ietf\.org\/html\/rfc2616#section-10|symfony\.com\/errors\/)/.test(textMember(traces, 'type')),
  },
];
