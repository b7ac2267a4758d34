/** A phrase that our texts do not use, and what to write instead. */
export type Forbidden = { readonly turn: RegExp; readonly instead: string };

export const FORBIDDEN: readonly Forbidden[] = [
  { turn: /(?<!\bthere )\b(?:is|are|was|were|be|being) no (?!longer\b|more\b)/i, instead: 'is not a' },
  { turn: /\bbehind\b(?! (?:a|the|your) (?:proxy|proxies|gateway|load balancer|firewall)\b)/i, instead: 'after' },
  { turn: /\bbeside\b/i, instead: 'next to, in addition to' },
  { turn: /\bfor ?ever\b/i, instead: 'permanently, continuously' },
  { turn: /\b(?:what|that|which|answers?|responses?|requests?) (?:came|comes)\b/i, instead: 'received' },
  { turn: /\bmeanwhile\b/i, instead: 'in the meantime' },
  { turn: /\ball the same\b/i, instead: 'anyway' },
  { turn: /\bbelongs? into\b/i, instead: 'belongs in' },
  { turn: /\bas good (?:an?|as)\b/i, instead: 'also accepted' },
  { turn: /\bneed not\b/i, instead: 'does not have to' },
  { turn: /\bin such a way\b/i, instead: 'so' },
  { turn: /\b(?:is|are|was|were|be|been|being) answered\b|\banswered \d/i, instead: 'returned' },
  { turn: /\banswers? (?:with )?\d/i, instead: 'returns' },
  { turn: /\bright key\b/i, instead: 'API key' },
  { turn: /\blets? (?:\w+ )?in\b(?! the)/i, instead: 'accepts' },
  { turn: /\bas far as\b/i, instead: 'if, where' },
  { turn: /\b(?:is|are|was|were|be|been|gets?) refused\b|\brefused with\b|\brefusals?\b/i, instead: 'rejected' },
  { turn: /\bwhole number\b/i, instead: 'integer' },
  { turn: /\bcan not\b/i, instead: 'cannot' },
  { turn: /\bnow and then\b/i, instead: 'intermittently' },
  { turn: /\bother than (?:it|they) should\b|\botherwise than\b/i, instead: 'differently than' },
  { turn: /\bsweeps?\b/i, instead: 'exhaustive checks' },
  { turn: /\bturmoil\b|\bmisfits?\b|\bsightings?\b/i, instead: 'a word that the reader knows' },
  { turn: /\bbehaviour|colour|serialis|normalis|recognis|initialis|summaris|\bcentre\b|\bneighbour/i, instead: 'US spelling' },
  { turn: /\b(?:usual cause|hint)s?\b/i, instead: 'likely cause' },
  { turn: /\bdemand(?:s|ed)?\b/i, instead: 'requires' },
  { turn: /\bmay (?:be )?as well\b/i, instead: 'may also' },
];

/** Phrases that comments do not use either. They are also allowed to name what texts for users avoid, such as a proxy behind another. */
export const FORBIDDEN_IN_COMMENTS: readonly Forbidden[] = [
  { turn: /\bunless (?:it |they )?(?:is |are )?(?:said|told) otherwise\b/i, instead: 'by default' },
  { turn: /\b(?:a|one) (?:line|row|block|request|test|suite|case|entry|bar|tile) an? (?!few\b|bit\b)\w+/i, instead: 'one per' },
  { turn: /\b(?:comes?|came) again\b/i, instead: 'recurs' },
  { turn: /\bwhat (?:came|becomes?|became|has become) of\b|\bc[ao]me to something\b/i, instead: 'the result of' },
  { turn: /\b(?:says?|said|tells?|told) (?:nothing |anything |something )?of\b/i, instead: 'about' },
  { turn: /\bso (?:many|much) (?:a|at|per)\b/i, instead: 'this many' },
  { turn: /\b(?:is|be|was) had\b/i, instead: 'exists' },
  { turn: /\bunder way\b/i, instead: 'in flight, running' },
  { turn: /\bhears?\b|\bheard\b/i, instead: 'receives' },
  { turn: /\bright key\b|\blets? (?:\w+ )?in\b(?! the)|\bmeanwhile\b|\bfor ?ever\b|\bbeside\b/i, instead: 'the same as in texts' },
];
