const LONGEST = 20;
const LETTERS = 26;
const COUNTER_LETTERS = 4;
const A = 'a'.charCodeAt(0);

function letters(value: number, length: number): string {
  let text = '';
  for (let rest = value, place = 0; place < length; place += 1) {
    text = String.fromCharCode(A + (rest % LETTERS)) + text;
    rest = Math.floor(rest / LETTERS);
  }
  return text;
}

/** The first plain name of the run with this tag in a text, whatever stands around it. */
export function plainNameIn(text: string, tag: string): string | undefined {
  return new RegExp(`[a-z]*?${tag}[a-z]{${COUNTER_LETTERS}}`, 'i').exec(text)?.[0];
}

/** What makes the first plain name in a text unique in the run, in small letters. */
export function uniquePartIn(text: string, tag: string): string | undefined {
  return new RegExp(`${tag}[a-z]{${COUNTER_LETTERS}}`, 'i').exec(text)?.[0].toLowerCase();
}

/**
 * Names of the plain domain: ASCII letters only, at most 20, the prefix in front, never twice in a run, also when case is ignored.
 * The tag makes them this run's own. Capitals come in the middle, so that a service that folds case is noticed.
 */
export function createNames(options: { prefix: string; tag: string }): () => string {
  const room = LONGEST - COUNTER_LETTERS - options.tag.length;
  const stem = options.prefix.slice(0, room);
  let count = 0;
  return () => {
    const counter = letters(count, COUNTER_LETTERS);
    count += 1;
    return `${stem}${options.tag.charAt(0).toUpperCase()}${options.tag.slice(1)}${counter.slice(0, 1).toUpperCase()}${counter.slice(1)}`;
  };
}
