import { cleanText, createRedactor, type Redactor } from '../wire/redact.ts';

/** One sink for every text that leaves the monitor: replaces each current secret, in all its spellings, by value. */
export function createRedactSink(secrets: () => readonly string[]): (text: string) => string {
  const redactors = new Map<string, Redactor>();
  return (text) => {
    let shown = text;
    for (const secret of new Set(secrets())) {
      const redactor = redactors.get(secret) ?? createRedactor(secret);
      redactors.set(secret, redactor);
      shown = redactor(shown);
    }
    return cleanText(shown);
  };
}
